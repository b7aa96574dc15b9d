#include "pcapng/blocks.hpp"

#include <etl/time.hpp>

#include "base/layout.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace etl::pcapng {

namespace {

/// One block, appended to a string: numbers are little-endian, options are padded, both lengths are
/// set at the end.
class BlockWriter {
public:
    BlockWriter(std::string& to, std::uint32_t type) : to_(&to), begin_(to.size()) {
        store_le(extend(head), type); // the length behind it is set by finish()
    }

    BlockWriter(const BlockWriter&) = delete;
    BlockWriter& operator=(const BlockWriter&) = delete;

    ~BlockWriter() { finish(); }

    template <typename T>
    void value(T number) {
        store_le<T>(extend(sizeof(T)), number);
    }

    /// The high and the low half, as times are stored.
    void halves(std::uint64_t number) {
        value(static_cast<std::uint32_t>(number >> 32U));
        value(static_cast<std::uint32_t>(number));
    }

    /// A fixed part and then data, followed by zeros up to a multiple of 4.
    template <std::size_t size>
    void fixed_and_padded(const std::array<std::byte, size>& fixed, Bytes data) {
        std::byte* const at = extend(size + padded_size(as_text(data)));
        std::memcpy(at, fixed.data(), size);
        store_padded(at + size, as_text(data));
    }

    /// Followed by zeros up to a multiple of 4.
    void padded(std::string_view bytes) { store_padded(extend(padded_size(bytes)), bytes); }

    void option(std::uint16_t code, std::string_view bytes) {
        has_options_ = true;
        std::byte* const at = extend(4 + padded_size(bytes));
        store_le(at, code);
        store_le(at + 2, static_cast<std::uint16_t>(bytes.size()));
        store_padded(at + 4, bytes);
    }

    void option(std::uint16_t code, Bytes bytes) { option(code, as_text(bytes)); }

    template <typename T>
    void number_option(std::uint16_t code, T number) {
        std::array<std::byte, sizeof(T)> bytes;
        store_le<T>(bytes.data(), number);
        option(code, Bytes(bytes));
    }

    /// Nothing if the text is empty; it ends at a NUL, and at the longest length.
    void text_option(std::uint16_t code, std::string_view text);

private:
    static constexpr std::size_t head = 8; // type and length

    static std::size_t padded_size(std::string_view bytes) noexcept {
        return (bytes.size() + 3) / 4 * 4;
    }

    /// The padded size is there.
    static void store_padded(std::byte* at, std::string_view bytes) noexcept {
        const std::size_t size = padded_size(bytes);
        if (size != 0) {
            store_le(at + size - 4, std::uint32_t{0}); // the padding, and what is overwritten
            std::memcpy(at, bytes.data(), bytes.size());
        }
    }

    /// Returns where the next bytes go, all of which must be set: they are not initialized.
    std::byte* extend(std::size_t size) {
        const std::size_t old = to_->size(), wanted = old + size;
        // Some libraries pass on the new capacity instead of the new size.
        to_->resize_and_overwrite(wanted, [&](char*, std::size_t) { return wanted; });
        return byte(old);
    }

    void finish() {
        const std::size_t end_of_options = has_options_ ? 4 : 0; // opt_endofopt: zeros
        std::byte* const at = extend(end_of_options + 4);
        const auto size = static_cast<std::uint32_t>(to_->size() - begin_);
        store_le(at, std::uint32_t{0});
        store_le(at + end_of_options, size);
        store_le(byte(begin_ + 4), size);
    }

    std::byte* byte(std::size_t offset) {
        return std::as_writable_bytes(std::span(*to_)).data() + offset;
    }

    std::string* to_;
    std::size_t begin_;
    bool has_options_ = false;
};

namespace block {
constexpr std::uint32_t section = 0x0A0D0D0A, interface = 1, names = 4, statistics = 5, packet = 6,
                        journal = 9;
} // namespace block

constexpr std::uint16_t comment = 1; // in all blocks

std::uint64_t nanoseconds(Filetime time) noexcept {
    constexpr std::uint64_t tick = 100;
    constexpr std::uint64_t max = std::numeric_limits<std::uint64_t>::max() / tick;
    const auto ticks = static_cast<std::uint64_t>(std::max<std::int64_t>(unix_ticks(time), 0));
    return std::min(ticks, max) * tick;
}

void add_comments(BlockWriter& block, std::span<const std::string> comments) {
    for (const std::string& text : comments) {
        block.text_option(comment, text);
    }
}

void time_option(BlockWriter& block, std::uint16_t code, const std::optional<Filetime>& time) {
    if (time) {
        const std::uint64_t ns = nanoseconds(*time);
        block.number_option(code, ns >> 32U | ns << 32U); // the high half first
    }
}

} // namespace

void BlockWriter::text_option(std::uint16_t code, std::string_view text) {
    text = text.substr(0, text.find('\0'));
    text = whole_characters(text, max_text);
    if (!text.empty()) {
        option(code, text);
    }
}

std::string_view name(LinkType link) noexcept {
    switch (link) {
    case LinkType::ethernet:
        return "Ethernet";
    case LinkType::ip:
        return "IP";
    case LinkType::wifi:
        return "802.11";
    case LinkType::etw:
        return "ETW";
    case LinkType::none:
        break;
    }
    return "none";
}

bool looks_like_capture_file(Bytes head) noexcept {
    constexpr std::uint32_t pcap = 0xA1B2C3D4, pcap_ns = 0xA1B23C4D;
    if (head.size() < 4) {
        return false;
    }
    const auto magic = load_le<std::uint32_t>(head.data());
    const std::uint32_t swapped = std::byteswap(magic);
    return magic == block::section || magic == pcap || magic == pcap_ns || swapped == pcap ||
           swapped == pcap_ns;
}

void append_section(std::string& to, const Section& section) {
    constexpr std::uint32_t byte_order = 0x1A2B3C4D;
    constexpr std::uint16_t hardware = 2, os = 3, application = 4;
    BlockWriter block(to, block::section);
    block.value(byte_order);
    block.value(std::uint16_t{1});
    block.value(std::uint16_t{0});
    block.value(std::int64_t{-1}); // the length of the section is not recorded
    add_comments(block, section.comments);
    block.text_option(hardware, section.hardware);
    block.text_option(os, section.os);
    block.text_option(application, section.application);
}

void append_interface(std::string& to, const Interface& interface) {
    constexpr std::uint16_t name = 2, description = 3, ipv4 = 4, ipv6 = 5, mac = 6, speed = 8,
                            resolution = 9, filter = 11, os = 12, hardware = 15;
    constexpr std::uint8_t powers_of_ten = 9;
    BlockWriter block(to, block::interface);
    block.value(static_cast<std::uint16_t>(interface.link));
    block.value(std::uint16_t{0});
    block.value(std::uint32_t{0}); // packets of any size
    block.text_option(name, interface.name);
    block.text_option(description, interface.description);
    for (const Ipv4& address : interface.ipv4) {
        std::array<std::byte, 8> with_mask;
        with_mask.fill(std::byte{0xFF});
        std::ranges::copy(address, with_mask.begin());
        block.option(ipv4, Bytes(with_mask));
    }
    for (const Ipv6& address : interface.ipv6) {
        constexpr std::uint8_t whole = 128;
        std::array<std::byte, 17> with_prefix{};
        std::ranges::copy(address, with_prefix.begin());
        with_prefix.back() = std::byte{whole};
        block.option(ipv6, Bytes(with_prefix));
    }
    if (interface.mac) {
        block.option(mac, Bytes(*interface.mac));
    }
    if (interface.speed) {
        block.number_option(speed, *interface.speed);
    }
    block.number_option(resolution, powers_of_ten);
    if (!interface.filter.empty()) { // a zero before the text: it is not compiled
        block.option(filter, std::string(1, '\0') + interface.filter.substr(0, max_text - 1));
    }
    block.text_option(os, interface.os);
    block.text_option(hardware, interface.hardware);
}

void append_packet(std::string& to, const Packet& packet) {
    constexpr std::uint16_t flags = 2, hash = 3, packet_id = 5, verdict = 7;
    const Bytes data = packet.data.first(std::min(packet.data.size(), max_packet));
    const auto size = static_cast<std::uint32_t>(data.size());
    BlockWriter block(to, block::packet);
    const std::uint64_t time = nanoseconds(packet.time);
    std::array<std::byte, 20> head;
    store_le(head.data(), packet.interface);
    store_le(head.data() + 4, static_cast<std::uint32_t>(time >> 32U));
    store_le(head.data() + 8, static_cast<std::uint32_t>(time));
    store_le(head.data() + 12, size);
    store_le(head.data() + 16,
             std::max(packet.original_size, static_cast<std::uint32_t>(packet.data.size())));
    block.fixed_and_padded(head, data);
    if (packet.flags != 0) {
        block.number_option(flags, packet.flags);
    }
    if (packet.toeplitz_hash) {
        constexpr std::byte toeplitz{5};
        std::array<std::byte, 5> value{toeplitz};
        std::ranges::copy(*packet.toeplitz_hash, value.begin() + 1);
        block.option(hash, Bytes(value));
    }
    if (packet.packet_id) {
        block.number_option(packet_id, *packet.packet_id);
    }
    if (packet.is_dropped) {
        constexpr std::byte xdp{2}, drop{1};
        constexpr std::array<std::byte, 9> value{xdp, drop};
        block.option(verdict, Bytes(value));
    }
    add_comments(block, packet.comments);
}

void append_statistics(std::string& to, const Statistics& statistics) {
    constexpr std::uint16_t start = 2, end = 3, received = 4, dropped_by_os = 7;
    BlockWriter block(to, block::statistics);
    block.value(statistics.interface);
    block.halves(nanoseconds(statistics.time));
    add_comments(block, statistics.comments);
    time_option(block, start, statistics.start);
    time_option(block, end, statistics.end);
    if (statistics.received) {
        block.number_option(received, *statistics.received);
    }
    if (statistics.dropped_by_os) {
        block.number_option(dropped_by_os, *statistics.dropped_by_os);
    }
}

void append_names(std::string& to, std::span<const ResolvedName> names) {
    constexpr std::uint16_t of_ipv4 = 1, of_ipv6 = 2;
    constexpr std::size_t max_name = 1024; // 255 in DNS, more as UTF-8
    if (names.empty()) {
        return;
    }
    BlockWriter block(to, block::names);
    for (const ResolvedName& one : names) {
        const bool is_ipv4 = one.address.size() == 4;
        if (is_ipv4 || one.address.size() == 16) {
            std::string record(as_text(one.address));
            record += one.name.substr(0, std::min(one.name.find('\0'), max_name));
            record += '\0';
            block.value(is_ipv4 ? of_ipv4 : of_ipv6);
            block.value(static_cast<std::uint16_t>(record.size()));
            block.padded(record);
        }
    }
    block.value(std::uint32_t{0}); // nrb_record_end
}

void append_journal(std::string& to, std::string_view entry) {
    BlockWriter block(to, block::journal);
    block.padded(entry);
}

} // namespace etl::pcapng

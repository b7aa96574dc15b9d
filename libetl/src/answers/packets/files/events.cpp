// Events that are not packets, in a capture file. docs/packets.md#others
#include <etl/byte_writer.hpp>
#include <etl/time.hpp>

#include "base/text.hpp"
#include "packets/capture_file.hpp"

namespace etl::packets {

namespace {

constexpr std::int64_t ticks_per_microsecond = 10;

/// As in memory: TimeStamp is a FILETIME, and the extended data items are not counted in Size.
void put_event_header(ByteWriter& to, const flow::EventHeader& header, Filetime time) {
    constexpr std::uint16_t fixed_size = 80;
    to.u16(static_cast<std::uint16_t>(fixed_size + header.payload.size()));
    to.u16(0).u16(header.flags).u16(header.property);
    to.u32(header.thread_id).u32(header.process_id);
    to.value(time.ticks).guid(header.provider);
    to.u16(header.id).u8(header.version).u8(header.channel).u8(header.level).u8(header.opcode);
    to.u16(header.task).u64(header.keyword);
    if (header.has_cpu_times) {
        to.u32(header.kernel_time).u32(header.user_time);
    } else {
        to.u64(header.cpu_time);
    }
    to.guid(header.activity);
}

std::uint32_t size_of(std::u16string_view text) noexcept {
    return text.empty() ? 0 : static_cast<std::uint32_t>((text.size() + 1) * 2);
}

void put_text(ByteWriter& to, std::u16string_view text) {
    if (!text.empty()) {
        to.zero_terminated16(text).align(4);
    }
}

/// A line of a journal entry holds no line break.
void append_line(std::string& to, std::string_view key, std::string_view value) {
    to += key;
    to += '=';
    for (const char c : value) {
        to += c == '\n' || c == '\r' ? ' ' : c;
    }
    to += '\n';
}

} // namespace

std::uint32_t CaptureFile::interface_of_events(const flow::Event& event, std::string& to) {
    if (!events_interface_) {
        events_interface_ = static_cast<std::uint32_t>(interfaces_.size());
        const pcapng::Interface interface{.name = "etw",
                                          .description = "events of the trace that are not packets",
                                          .link = LinkType::etw};
        pcapng::append_interface(to, interface);
        interfaces_.push_back({.place = {},
                               .link = LinkType::etw,
                               .trace = &event.trace(),
                               .name = interface.name,
                               .first = event.time(),
                               .last = event.time()});
    }
    return *events_interface_;
}

void CaptureFile::add_event(const flow::Event& event, std::string_view message,
                            std::string_view provider, std::string& to) {
    const flow::EventHeader header = flow::read_header(event);
    const std::u16string message16 = to_utf16(message), provider16 = to_utf16(provider);
    ByteWriter packet;
    put_event_header(packet, header, event.time());
    packet.u8(static_cast<std::uint8_t>(event.buffer->processor)).u8(0);
    packet.u16(event.buffer->logger_id);
    packet.u32(static_cast<std::uint32_t>(header.payload.size()));
    packet.u32(size_of(message16)).u32(size_of(provider16));
    packet.bytes(header.payload).align(4);
    put_text(packet, message16);
    put_text(packet, provider16);
    const std::uint32_t number = interface_of_events(event, to);
    CaptureInterface& interface = interfaces_[number];
    ++interface.packets;
    interface.last = std::max(interface.last, event.time());
    pcapng::append_packet(to, {.interface = number,
                               .time = event.time(),
                               .data = packet.view(),
                               .original_size = static_cast<std::uint32_t>(packet.size())});
}

void CaptureFile::add_entry(const flow::Event& event, std::string_view message,
                            std::string_view provider, std::string& to) {
    const flow::EventHeader header = flow::read_header(event);
    std::string entry;
    append_line(entry, "__REALTIME_TIMESTAMP",
                std::to_string(unix_ticks(event.time()) / ticks_per_microsecond));
    append_line(entry, "MESSAGE", message);
    append_line(entry, "SYSLOG_IDENTIFIER", provider);
    if (header.process_id != flow::no_id) {
        append_line(entry, "_PID", std::to_string(header.process_id));
    }
    pcapng::append_journal(to, entry);
}

} // namespace etl::packets

// A strict reader of pcapng for tests, independent of the writer: throws on anything that the
// format does not allow.
#pragma once

#include "base/layout.hpp"
#include "base/text.hpp"

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace etl::test {

struct PcapngOption {
    std::uint16_t code = 0;
    std::string value;
};

struct PcapngBlock {
    std::uint32_t type = 0;
    std::string body; // without options
    std::vector<PcapngOption> options;

    std::vector<std::string> all(std::uint16_t code) const {
        std::vector<std::string> values;
        for (const PcapngOption& option : options) {
            if (option.code == code) {
                values.push_back(option.value);
            }
        }
        return values;
    }

    /// The only value; empty if there is none.
    std::string one(std::uint16_t code) const {
        const auto values = all(code);
        if (values.size() > 1) {
            throw std::runtime_error("an option twice");
        }
        return values.empty() ? std::string() : values.front();
    }
};

template <typename T>
T number_at(std::string_view bytes, std::size_t at) {
    if (at + sizeof(T) > bytes.size()) {
        throw std::runtime_error("truncated");
    }
    return load_le<T>(std::as_bytes(std::span(bytes)).data() + at);
}

struct PcapngPacket {
    std::uint32_t interface = 0;
    std::uint64_t nanoseconds = 0; // since 1970
    std::string data;
    std::uint32_t original = 0;
    PcapngBlock block;

    std::uint32_t flags() const {
        const std::string value = block.one(2);
        return value.empty() ? 0 : number_at<std::uint32_t>(value, 0);
    }

    std::vector<std::string> comments() const { return block.all(1); }
};

struct PcapngInterface {
    std::uint16_t link = 0;
    std::string name, description;
    PcapngBlock block;
};

struct PcapngFile {
    PcapngBlock section;
    std::vector<PcapngInterface> interfaces;
    std::vector<PcapngPacket> packets;
    std::vector<PcapngBlock> statistics, names, journal;
};

namespace pcapng_reading {

inline std::string take_padded(std::string_view body, std::size_t& at, std::size_t size) {
    const std::size_t padded = (size + 3) / 4 * 4;
    if (at + padded > body.size()) {
        throw std::runtime_error("a value reaches beyond its block");
    }
    const std::string_view padding = body.substr(at + size, padded - size);
    if (padding.find_first_not_of('\0') != std::string_view::npos) {
        throw std::runtime_error("padding is not zero");
    }
    const std::string value(body.substr(at, size));
    at += padded;
    return value;
}

inline std::vector<PcapngOption> options_of(std::string_view body, std::size_t at) {
    std::vector<PcapngOption> options;
    while (at < body.size()) {
        const auto code = number_at<std::uint16_t>(body, at);
        const auto size = number_at<std::uint16_t>(body, at + 2);
        at += 4;
        if (code == 0) {
            if (size != 0 || at != body.size()) {
                throw std::runtime_error("options end before their block");
            }
            return options;
        }
        options.push_back({code, take_padded(body, at, size)});
    }
    if (!options.empty()) {
        throw std::runtime_error("options without an end");
    }
    return options;
}

/// The size of the fixed part in front of the options.
inline std::size_t fixed_size(std::uint32_t type, std::string_view body) {
    switch (type) {
    case 0x0A0D0D0A:
        return 16;
    case 1:
        return 8;
    case 5:
        return 12;
    case 6:
        return 20 + (std::size_t{number_at<std::uint32_t>(body, 12)} + 3) / 4 * 4;
    default:
        return body.size();
    }
}

inline void add(PcapngFile& file, PcapngBlock block) {
    const auto u32 = [&](std::size_t at) { return number_at<std::uint32_t>(block.body, at); };
    switch (block.type) {
    case 0x0A0D0D0A:
        if (u32(0) != 0x1A2B3C4D || u32(4) != 1) {
            throw std::runtime_error("section header");
        }
        file.section = std::move(block);
        break;
    case 1:
        if (block.one(9) != "\x09") {
            throw std::runtime_error("times are not in nanoseconds");
        }
        file.interfaces.push_back(
            {number_at<std::uint16_t>(block.body, 0), block.one(2), block.one(3), block});
        break;
    case 6: {
        if (u32(0) >= file.interfaces.size() || u32(12) > u32(16)) {
            throw std::runtime_error("packet");
        }
        const std::uint64_t time = std::uint64_t{u32(4)} << 32U | u32(8);
        file.packets.push_back({u32(0), time, block.body.substr(20, u32(12)), u32(16), block});
        break;
    }
    case 5:
        if (u32(0) >= file.interfaces.size()) {
            throw std::runtime_error("statistics of no interface");
        }
        file.statistics.push_back(std::move(block));
        break;
    case 4:
        file.names.push_back(std::move(block));
        break;
    case 9:
        file.journal.push_back(std::move(block));
        break;
    default:
        throw std::runtime_error("unknown block");
    }
}

} // namespace pcapng_reading

inline PcapngFile read_pcapng(std::string_view bytes) {
    using namespace pcapng_reading;
    PcapngFile file;
    for (std::size_t at = 0; at < bytes.size();) {
        const auto type = number_at<std::uint32_t>(bytes, at);
        const auto size = number_at<std::uint32_t>(bytes, at + 4);
        if (size < 12 || size % 4 != 0 || size > bytes.size() - at ||
            number_at<std::uint32_t>(bytes, at + size - 4) != size) {
            throw std::runtime_error("block size");
        }
        if ((at == 0) != (type == 0x0A0D0D0A)) {
            throw std::runtime_error("section header out of place");
        }
        const std::string_view body = bytes.substr(at + 8, size - 12);
        const std::size_t fixed = fixed_size(type, body);
        if (fixed > body.size()) {
            throw std::runtime_error("block is too short");
        }
        if (type == 6) { // the padding of the data
            std::size_t data_at = 20;
            take_padded(body, data_at, number_at<std::uint32_t>(body, 12));
        }
        add(file, {type, std::string(body.substr(0, fixed)), options_of(body, fixed)});
        at += size;
    }
    return file;
}

} // namespace etl::test

#include "tests/support/traces/tracelogging_builder.hpp"

#include <algorithm>

namespace etl::test {

namespace {

constexpr std::uint8_t fixed_count = 0x20, variable_count = 0x40, custom_count = 0x60;
constexpr std::uint8_t more = 0x80;

// 28 bits, seven a byte, the high ones first; no zeros at the end.
void write_tag(ByteWriter& to, std::uint32_t tag) {
    constexpr std::uint32_t behind_first = 0x001FFFFF;
    while ((tag & behind_first) != 0) {
        to.u8(static_cast<std::uint8_t>(more | ((tag >> 21U) & 0x7FU)));
        tag <<= 7U;
    }
    to.u8(static_cast<std::uint8_t>((tag >> 21U) & 0x7FU));
}

std::uint16_t size16(std::size_t size) {
    return static_cast<std::uint16_t>(size);
}

} // namespace

TraceLoggingEvent::TraceLoggingEvent(std::string_view name, std::uint32_t tag) {
    write_tag(definition_, tag);
    definition_.zero_terminated8(name);
}

void TraceLoggingEvent::define(const Field& field, std::uint8_t count_bits) {
    const bool has_out = field.out != 0 || field.tag != 0;
    definition_.zero_terminated8(field.name);
    definition_.u8(static_cast<std::uint8_t>(field.in | count_bits | (has_out ? more : 0U)));
    if (has_out) {
        definition_.u8(static_cast<std::uint8_t>(field.out | (field.tag != 0 ? more : 0U)));
    }
    if (field.tag != 0) {
        write_tag(definition_, field.tag);
    }
}

TraceLoggingEvent& TraceLoggingEvent::field(const Field& field) {
    define(field, 0);
    return *this;
}

TraceLoggingEvent& TraceLoggingEvent::fixed_array(const Field& field, std::uint16_t count) {
    define(field, fixed_count);
    definition_.u16(count);
    return *this;
}

TraceLoggingEvent& TraceLoggingEvent::variable_array(const Field& field) {
    define(field, variable_count);
    return *this;
}

TraceLoggingEvent& TraceLoggingEvent::custom(const Field& field, Bytes type) {
    define(field, custom_count);
    definition_.u16(size16(type.size())).bytes(type);
    return *this;
}

TraceLoggingEvent& TraceLoggingEvent::structure(std::string_view name, std::uint8_t members) {
    define({.name = name, .in = tl_in::structure, .out = members}, 0);
    return *this;
}

TraceLoggingEvent& TraceLoggingEvent::structure_array(std::string_view name, std::uint8_t members) {
    define({.name = name, .in = tl_in::structure, .out = members}, variable_count);
    return *this;
}

TraceLoggingEvent& TraceLoggingEvent::utf16(std::string_view name, std::u16string_view v) {
    define({.name = name, .in = tl_in::utf16}, 0);
    payload_.zero_terminated16(v);
    return *this;
}

TraceLoggingEvent& TraceLoggingEvent::ansi(std::string_view name, std::string_view v) {
    define({.name = name, .in = tl_in::ansi}, 0);
    payload_.zero_terminated8(v);
    return *this;
}

TraceLoggingEvent& TraceLoggingEvent::utf8(std::string_view name, std::string_view v) {
    define({.name = name, .in = tl_in::counted_ansi, .out = tl_out::utf8}, 0);
    payload_.u16(size16(v.size())).text8(v);
    return *this;
}

TraceLoggingEvent& TraceLoggingEvent::binary(std::string_view name, Bytes v) {
    define({.name = name, .in = tl_in::binary}, 0);
    payload_.u16(size16(v.size())).bytes(v);
    return *this;
}

std::vector<std::byte> TraceLoggingEvent::metadata() const {
    ByteWriter whole;
    whole.u16(size16(2 + definition_.size())).bytes(definition_.view());
    return whole.take();
}

std::vector<std::byte> provider_traits(std::string_view name, const Traits& traits) {
    ByteWriter out;
    out.u16(0).zero_terminated8(name);
    const auto add = [&](std::uint8_t type, const std::optional<Guid>& guid) {
        if (guid) {
            out.u16(2 + 1 + 16).u8(type).guid(*guid);
        }
    };
    add(1, traits.group);
    add(2, traits.decode);
    out.patch(0, size16(out.size()));
    return out.take();
}

std::vector<std::vector<std::byte>> manifest_chunks(std::string_view xml, std::size_t chunk_size) {
    std::vector<std::vector<std::byte>> chunks;
    const std::size_t total = (xml.size() + chunk_size - 1) / chunk_size;
    for (std::size_t i = 0; i < total; ++i) {
        ByteWriter out;
        out.u8(1).u8(1).u8(0).u8(0x5B); // format, version, magic
        out.u16(size16(total)).u16(size16(i));
        out.text8(xml.substr(i * chunk_size, chunk_size));
        chunks.push_back(out.take());
    }
    return chunks;
}

} // namespace etl::test

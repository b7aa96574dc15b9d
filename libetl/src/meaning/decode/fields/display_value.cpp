#include "decode/display_value.hpp"

#include <etl/time.hpp>

#include "base/layout.hpp"
#include "base/text.hpp"
#include "decode/decoder.hpp"
#include "decode/known_names.hpp"
#include "decode/limits.hpp"
#include "decode/messages/special_text.hpp"
#include "flow/trace_info.hpp"

#include <bit>
#include <charconv>

namespace etl::decode {

namespace {

constexpr char upper_digits[] = "0123456789ABCDEF";

void append_upper_bytes(std::string& to, Bytes bytes) {
    for (const std::byte byte : bytes) {
        to.push_back(upper_digits[std::to_integer<std::size_t>(byte >> 4U)]);
        to.push_back(upper_digits[std::to_integer<std::size_t>(byte & std::byte{15})]);
    }
}

// `0xC0000034 (STATUS_OBJECT_NAME_NOT_FOUND)`; unknown codes as Windows words them.
void append_error(std::string& to, ErrorSpace space, std::uint32_t code) {
    if (const std::string_view name = error_name(space, code); !name.empty()) {
        append_upper_hex(to, code);
        to.append(" (").append(name).push_back(')');
        return;
    }
    to.append(space == ErrorSpace::win32      ? "Unknown Win32 Error code: "
              : space == ErrorSpace::ntstatus ? "Unknown NTSTATUS Error code: "
                                              : "Unknown HResult Error code: ");
    append_upper_hex(to, code);
}

void append_shown_integer(std::string& to, const Value& value, const DisplayOptions& options) {
    if (value.map != nullptr && options.enumerations &&
        append_mapped(to, *value.map, bits_of(value), "|", HexCase::upper) == Mapped::yes) {
        return;
    }
    if (value.error_space != ErrorSpace::none) {
        append_error(to, value.error_space, static_cast<std::uint32_t>(bits_of(value)));
    } else if (is_hex(value.form)) {
        append_upper_hex(to, bits_of(value));
    } else if (is_signed(value.form)) {
        append_decimal(to, signed_of(value));
    } else {
        append_decimal(to, bits_of(value));
    }
}

void append_braced_guid(std::string& to, const Guid& guid) {
    to.push_back('{');
    append_guid(to, guid);
    to.push_back('}');
}

// Nine fractional digits, of which the last two are always zero.
void append_date(std::string& to, Filetime time) {
    append_rfc3339(to, time, "00Z");
}

// True: the bytes are what the form promises, and are written.
bool append_special(std::string& to, const Value& value) {
    const Bytes bytes = value.bytes;
    if (value.form == Form::sid) {
        return append_sid(to, bytes);
    }
    if (value.form == Form::socket_address) {
        return append_socket_address(to, bytes, ZeroPort::left_out);
    }
    if (value.form == Form::mac_address) {
        return append_mac(to, bytes);
    }
    if (value.form == Form::padded_mac_address) {
        return append_mac(to, without_padding(bytes));
    }
    if (value.form == Form::filetime && bytes.size() == 8) {
        append_date(to, {load_le<std::int64_t>(bytes.data())});
    } else if (value.form == Form::systemtime && bytes.size() == 16) {
        append_systemtime(to, bytes.first<16>(), 9);
        to.push_back('Z');
    } else if (value.form == Form::guid && bytes.size() == 16) {
        append_braced_guid(to, load_le<Guid>(bytes.data()));
    } else if (value.form == Form::ipv4 && bytes.size() == 4) {
        append_ipv4(to, bytes.first<4>());
    } else if (value.form == Form::ipv6 && bytes.size() == 16) {
        append_ipv6(to, bytes.first<16>());
    } else {
        return false;
    }
    return true;
}

void append_text(std::string& to, const Value& value, const DisplayOptions& options) {
    const std::size_t begin = to.size();
    if (value.form == Form::text16 || value.form == Form::char16) {
        append_utf16le(to, value.bytes);
    } else if (value.form == Form::utf8) {
        append_utf8(to, value.bytes);
    } else {
        append_narrow(to, value.bytes, options.code_page);
    }
    if (options.parameters != nullptr) {
        resolve_parameters(to, begin, *options.parameters);
    }
}

void append_ticks(std::string& to, const Value& value, const flow::Clock* clock) {
    if (clock != nullptr) {
        append_date(to, clock->to_filetime(static_cast<std::int64_t>(bits_of(value))));
    } else {
        append_decimal(to, bits_of(value));
    }
}

} // namespace

DisplayOptions options_for(const DisplayOptions& general, const DecodedEvent& event) noexcept {
    DisplayOptions options = general;
    const schema::EventSchema* schema = event.kind->schema;
    if (schema != nullptr && schema->provider != nullptr) {
        options.parameters = schema->provider->parameters.get();
    }
    if (event.event != nullptr) {
        options.clock = &event.event->trace().clock;
    }
    return options;
}

void resolve_parameters(std::string& text, std::size_t begin,
                        const schema::MessageTable& parameters) {
    constexpr std::string_view mark = "%%";
    std::string resolved;
    std::size_t done = begin; // everything before it is in `resolved`, once there is something
    for (std::size_t at = text.find(mark, begin); at != std::string::npos;) {
        std::uint32_t id = 0;
        const auto [end, error] =
            std::from_chars(text.data() + at + mark.size(), text.data() + text.size(), id);
        const std::string* known = error == std::errc{} ? parameters.find(id) : nullptr;
        if (known == nullptr || known->size() > limits::parameter_bytes) {
            at = text.find(mark, at + 1); // the second sign may begin the next mark
            continue;
        }
        resolved.append(text, done, at - done).append(*known);
        done = static_cast<std::size_t>(end - text.data());
        at = text.find(mark, done);
    }
    if (done != begin) {
        text.replace(begin, done - begin, resolved);
    }
}

void append_display(std::string& to, const Value& value, const DisplayOptions& options) {
    switch (value.form) {
    case Form::int8:
    case Form::int16:
    case Form::int32:
    case Form::int64:
    case Form::uint8:
    case Form::uint16:
    case Form::uint32:
    case Form::uint64:
    case Form::hex8:
    case Form::hex16:
    case Form::hex32:
    case Form::hex64:
        return append_shown_integer(to, value, options);
    case Form::text16:
    case Form::char16:
    case Form::text8:
    case Form::char8:
    case Form::utf8:
        return append_text(to, value, options);
    case Form::ticks:
        return append_ticks(to, value, options.clock);
    case Form::boolean:
        to.append(any_byte_set(value.bytes) ? "true" : "false");
        return;
    case Form::float32:
        return append_float(to, std::bit_cast<float>(static_cast<std::uint32_t>(bits_of(value))));
    case Form::float64:
        return append_float(to, std::bit_cast<double>(bits_of(value)));
    case Form::port:
        return append_decimal(to, std::byteswap(static_cast<std::uint16_t>(bits_of(value))));
    case Form::null:
        return;
    case Form::binary:
        return append_upper_bytes(to, value.bytes);
    case Form::guid:
    case Form::filetime:
    case Form::systemtime:
    case Form::sid:
    case Form::ipv4:
    case Form::ipv6:
    case Form::socket_address:
    case Form::mac_address:
    case Form::padded_mac_address:
        break;
    }
    if (!append_special(to, value)) {
        append_upper_bytes(to, value.bytes);
    }
}

} // namespace etl::decode

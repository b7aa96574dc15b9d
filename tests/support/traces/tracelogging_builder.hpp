// TraceLogging events: metadata and payload side by side, and the traits of their provider.
//     TraceLoggingEvent event("CupFinished");
//     event.i32("Temperature", 93).utf16("Drink", u"espresso");
#pragma once

#include <etl/byte_writer.hpp>

#include <initializer_list>
#include <optional>

namespace etl::test {

/// In types: what the value's bytes are.
namespace tl_in {
inline constexpr std::uint8_t null = 0, utf16 = 1, ansi = 2, i8 = 3, u8 = 4, i16 = 5, u16 = 6,
                              i32 = 7, u32 = 8, i64 = 9, u64 = 10, f32 = 11, f64 = 12, bool32 = 13,
                              binary = 14, guid = 15, filetime = 17, systemtime = 18, sid = 19,
                              hex32 = 20, hex64 = 21, counted_utf16 = 22, counted_ansi = 23,
                              structure = 24, counted_binary = 25;
} // namespace tl_in

/// Out types: TraceLogging's own numbers, not TDH's.
namespace tl_out {
inline constexpr std::uint8_t none = 0, no_print = 1, string = 2, boolean = 3, hex = 4, pid = 5,
                              tid = 6, port = 7, ipv4 = 8, ipv6 = 9, socket_address = 10, xml = 11,
                              json = 12, win32_error = 13, ntstatus = 14, hresult = 15,
                              filetime = 16, as_signed = 17, as_unsigned = 18, utf8 = 35,
                              pkcs7 = 36, code_pointer = 37, date_time_utc = 38;
} // namespace tl_out

class TraceLoggingEvent {
public:
    explicit TraceLoggingEvent(std::string_view name, std::uint32_t tag = 0);

    /// Says a field and no value; values go to payload().
    struct Field {
        std::string_view name;
        std::uint8_t in = 0;
        std::uint8_t out = 0;
        std::uint32_t tag = 0; // 28 bits
    };

    TraceLoggingEvent& field(const Field& field);
    TraceLoggingEvent& fixed_array(const Field& field, std::uint16_t count);
    TraceLoggingEvent& variable_array(const Field& field);
    TraceLoggingEvent& custom(const Field& field, Bytes type);

    /// The next `members` fields are members; a structure that is a member counts as one.
    TraceLoggingEvent& structure(std::string_view name, std::uint8_t members);
    TraceLoggingEvent& structure_array(std::string_view name, std::uint8_t members);

    /// A field with its value.
    template <typename T>
    TraceLoggingEvent& value(const Field& f, T v) {
        field(f);
        payload_.value(v);
        return *this;
    }

    TraceLoggingEvent& i32(std::string_view name, std::int32_t v) {
        return value({.name = name, .in = tl_in::i32}, v);
    }

    TraceLoggingEvent& u32(std::string_view name, std::uint32_t v) {
        return value({.name = name, .in = tl_in::u32}, v);
    }

    TraceLoggingEvent& u16(std::string_view name, std::uint16_t v) {
        return value({.name = name, .in = tl_in::u16}, v);
    }

    TraceLoggingEvent& u64(std::string_view name, std::uint64_t v) {
        return value({.name = name, .in = tl_in::u64}, v);
    }

    TraceLoggingEvent& f32(std::string_view name, float v) {
        return value({.name = name, .in = tl_in::f32}, v);
    }

    TraceLoggingEvent& f64(std::string_view name, double v) {
        return value({.name = name, .in = tl_in::f64}, v);
    }

    TraceLoggingEvent& boolean(std::string_view name, bool v) {
        return value({.name = name, .in = tl_in::bool32}, v ? 1U : 0U);
    }

    TraceLoggingEvent& guid(std::string_view name, const Guid& v) {
        return value({.name = name, .in = tl_in::guid}, v);
    }

    TraceLoggingEvent& filetime(std::string_view name, std::int64_t v) {
        return value({.name = name, .in = tl_in::filetime}, v);
    }

    TraceLoggingEvent& utf16(std::string_view name, std::u16string_view v);
    TraceLoggingEvent& ansi(std::string_view name, std::string_view v);
    TraceLoggingEvent& utf8(std::string_view name, std::string_view v); // counted
    TraceLoggingEvent& binary(std::string_view name, Bytes v);

    /// For values that `value` cannot say.
    ByteWriter& payload() noexcept { return payload_; }

    Bytes payload_bytes() const noexcept { return payload_.view(); }

    /// Data of an EVENT_SCHEMA_TL item.
    std::vector<std::byte> metadata() const;

private:
    void define(const Field& field, std::uint8_t count_bits);

    ByteWriter definition_; // tag, name and fields; the size comes in front
    ByteWriter payload_;
};

struct Traits {
    std::optional<Guid> group{}, decode{};
};

/// Data of a PROV_TRAITS item.
std::vector<std::byte> provider_traits(std::string_view name, const Traits& traits = {});

/// Payloads of the events that carry an EventSource manifest.
std::vector<std::vector<std::byte>> manifest_chunks(std::string_view xml,
                                                    std::size_t chunk_size = 0xFF00);

} // namespace etl::test

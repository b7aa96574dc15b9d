// A schema made ready for encoding: what each field needs, worked out once per schema and pointer
// size. Immutable; lives no longer than its schema. Private to encode.
#pragma once

#include <etl/schema/event_schema.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace etl::encode {

/// How the bytes of one value are bounded.
enum class Shape : std::uint8_t {
    nothing,    // no bytes at all
    fixed,      // `size` bytes
    terminated, // text and a NUL
    sized,      // `length` units of `unit` bytes
    rest,       // up to the end of the payload
    counted,    // u16 byte count first
    counted_big_endian,
    counted32, // u32 byte count first
    sid,
    wbem_sid,
    structure,
    unknown, // cannot be encoded
};

/// What the bytes mean.
enum class Form : std::uint8_t {
    nothing,
    signed_integer,
    unsigned_integer,
    bits, // hexadecimal: signed and unsigned numbers alike
    float32,
    float64,
    boolean,
    char8,
    char16,
    guid,
    filetime,
    systemtime,
    sid,
    binary,
    text16, // UTF-16LE
    text8,  // ANSI, or what passes for it
    utf8,
    port,
    ipv4,
    ipv6,
    socket_address,
    mac_address,
};

struct LayoutField {
    static constexpr std::uint16_t no_slot = 0xFFFF;

    std::string_view name; // as a key, with its number if it is repeated; of the layout
    Shape shape = Shape::unknown;
    Form form = Form::nothing;
    bool is_error_code = false;
    std::uint8_t size = 0; // of a fixed value; of a word before a WBEM SID
    std::uint8_t unit = 1;
    std::uint16_t slot = no_slot; // where it is remembered for the fields that refer to it
    std::uint16_t members = 0;    // of a structure, nested ones included
    schema::Extent count;         // kind field: `value` is a slot
    schema::Extent length;        // likewise
    const schema::ValueMap* map = nullptr;
};

class Layout {
public:
    /// What makes no sense (a reference to a later field, members beyond the end, nesting beyond
    /// limits::struct_depth) becomes a field that cannot be encoded.
    Layout(const schema::EventSchema& schema, std::uint32_t pointer_size);

    const std::vector<LayoutField>& fields() const noexcept { return fields_; }

    std::size_t slots() const noexcept { return slots_; }

private:
    LayoutField field_of(const schema::EventSchema& schema, std::size_t index,
                         std::uint32_t pointer_size);
    schema::Extent resolved(const schema::Extent& extent) const noexcept;
    void check_structures();

    std::vector<std::string> names_;
    std::vector<LayoutField> fields_;
    std::uint16_t slots_ = 0;
};

} // namespace etl::encode

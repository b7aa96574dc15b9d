// A schema made ready to be walked: what each field needs, worked out once per schema and pointer
// size. Immutable after compile; lives no longer than the schema it was made of.
// docs/format/decoding.md#fields
#pragma once

#include <etl/decode/value.hpp>
#include <etl/schema/wire_shape.hpp>

#include <vector>

namespace etl::decode {

/// How the bytes of one value are found; encoding goes by the same.
using Shape = schema::WireShape;

/// One field, ready for the walker.
struct PlannedField {
    static constexpr std::uint16_t no_slot = 0xFFFF;

    Shape shape = Shape::unknown;
    Form form = Form::null;
    ErrorSpace error_space = ErrorSpace::none;
    bool plain = false;  // one value of fixed size to which nothing refers: the common case
    bool hidden = false; // out type no-print
    bool is_pointer = false;
    std::uint8_t size = 0;
    std::uint8_t unit = 1;
    std::uint16_t slot = no_slot;  // where the value is kept for the fields that refer to it
    std::uint16_t members = 0;     // of a structure, nested ones included
    std::uint32_t least_bytes = 0; // that one element takes
    schema::Extent count;          // kind field: `value` is a slot
    schema::Extent length;         // likewise
    const schema::ValueMap* map = nullptr;
};

/// What the size of a payload alone says about how a plan takes it.
enum class SizeFit : std::uint8_t {
    exact,     // uses it up to the last byte
    trailing,  // leaves bytes over
    too_short, // the payload ends before the last field
    unknown,   // only a walk can tell
};

class Plan {
public:
    /// Values that a plan can keep for reference by later fields. The richest real schema keeps 12.
    static constexpr std::uint16_t slots = 64;

    Plan() = default;

    /// Never fails: what makes no sense (a reference to a later field, members beyond the end,
    /// nesting beyond limits::struct_depth) becomes a field of unknown shape or extent, at which
    /// walking stops.
    static Plan compile(const schema::EventSchema& schema, unsigned pointer_size);

    const std::vector<PlannedField>& fields() const noexcept { return fields_; }

    /// How a payload of `bytes` bytes is taken, where the schema has one size only.
    SizeFit size_fit(std::size_t bytes) const noexcept {
        if (!has_plain_size_) {
            return SizeFit::unknown;
        }
        if (bytes < size_) {
            return SizeFit::too_short;
        }
        const std::size_t more = bytes - size_;
        const bool is_exact = more == 0 || (element_size_ != 0 && more % element_size_ == 0);
        return is_exact ? SizeFit::exact : SizeFit::trailing;
    }

    /// The plan for the other size of pointers would be another one.
    bool depends_on_pointer_size() const noexcept { return depends_on_pointer_size_; }

private:
    std::vector<PlannedField> fields_;
    std::uint32_t size_ = 0;         // of all fields but a last array that goes to the end
    std::uint32_t element_size_ = 0; // of that array's elements; 0: there is none
    bool has_plain_size_ = false;    // the two above describe every payload that fits
    bool depends_on_pointer_size_ = false;
};

} // namespace etl::decode

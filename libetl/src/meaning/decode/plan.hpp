// A compiled schema: everything needed to walk its fields, computed once per schema and pointer
// size. Immutable; must not outlive its schema. docs/format/decoding.md#fields
#pragma once

#include "decode/value.hpp"
#include "schema/value_form.hpp"

#include <optional>
#include <vector>

namespace etl::decode {

/// How the bytes of one value are found; also used for encoding.
using Shape = schema::WireShape;

/// One field in the form used by the walker.
struct PlannedField {
    static constexpr std::uint16_t no_slot = 0xFFFF;

    Shape shape = Shape::unknown;
    Form form = Form::null;
    ErrorSpace error_space = ErrorSpace::none;
    bool plain = false; // a single value of fixed size that no field refers to: the common case
    bool is_checked = false; // some bytes of the right size are no value of the form; never plain
    bool hidden = false;     // out type no-print
    bool is_pointer = false;
    bool is_unmeasured = false; // binary without a length that is not the last field, or not alone
    bool may_be_physical_address = false; // such a field, by its name
    std::uint8_t size = 0;
    std::uint8_t unit = 1;
    std::uint16_t slot = no_slot;  // slot that stores the value for fields that refer to it
    std::uint16_t members = 0;     // members of a structure, including nested ones
    std::uint32_t least_bytes = 0; // minimum size of one element
    schema::Extent count;          // for Kind::field, `value` is a slot
    schema::Extent length;         // likewise
    /// Of an unmeasured field: the number of unmeasured fields from it on, and the bytes of all
    /// other fields after it.
    std::uint16_t unmeasured_fields = 0;
    std::optional<std::uint32_t> measured_bytes; // none: they differ from payload to payload
    const schema::ValueMap* map = nullptr;

    /// Returns whether the field is a single value of `size` bytes.
    bool is_single() const noexcept {
        return shape == Shape::fixed && count.kind == schema::Extent::Kind::natural;
    }
};

/// How the size of a payload alone matches a plan.
enum class SizeFit : std::uint8_t {
    exact,     // consumes all bytes
    trailing,  // leaves trailing bytes
    too_short, // the payload ends before the last field
    unknown,   // requires a walk
};

class Plan {
public:
    /// Values that a plan can store for reference by later fields. Real schemas use at most 12.
    static constexpr std::uint16_t slots = 64;

    Plan() = default;

    /// Compiles a schema. Cannot fail: an invalid field (a reference to a later field, members
    /// beyond the end, nesting beyond format::max_struct_depth) gets an unknown shape or extent, at
    /// which the walk stops.
    static Plan compile(const schema::EventSchema& schema, unsigned pointer_size);

    const std::vector<PlannedField>& fields() const noexcept { return fields_; }

    /// Returns how a payload of `bytes` bytes matches; SizeFit::unknown if the schema does not have
    /// a single size.
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

    /// Returns whether the size of a payload determines how it matches.
    bool has_plain_size() const noexcept { return has_plain_size_; }

    /// Returns whether the plan for the other pointer size would differ.
    bool depends_on_pointer_size() const noexcept { return depends_on_pointer_size_; }

private:
    std::vector<PlannedField> fields_;
    std::uint32_t size_ = 0; // size of all fields except a last array that extends to the end
    std::uint32_t element_size_ = 0; // element size of that array; 0: none
    bool has_plain_size_ = false;    // the two sizes above describe every matching payload
    bool depends_on_pointer_size_ = false;
};

} // namespace etl::decode

// Iterates over the values of a payload: a pull parser without recursion or allocation.
//
//     FieldWalker walker;
//     walker.start(plan, payload);
//     for (Step step = walker.next(); step != Step::end; step = walker.next()) {
//         if (step == Step::value) {
//             use(walker.field(), walker.value());
//         } // else the begin or the end of the array or structure walker.field()
//     }
//
// Afterwards, walker.failed(): the payload contradicts the schema (values returned so far are
// valid); walker.is_short(): the payload ended early; walker.trailing(): remaining bytes;
// walker.doubt(): a value that may be wrong although the walk went on.
//
// Every begin step is followed by its end step, even after a failure. A value; not thread-safe;
// trivially copyable. docs/format/decoding.md#fields
#pragma once

#include "decode/plan.hpp"
#include "format/limits.hpp"

#include <array>

namespace etl::decode {

enum class Step : std::uint8_t { value, array_begin, array_end, struct_begin, struct_end, end };

/// Why the values of a payload may be wrong although no size contradicts the schema; ascending.
enum class Doubt : std::uint8_t {
    none,
    odd_value,      // the bytes are no value of the type; their number is certain
    assumed_length, // binary without a length: the one length with which the rest matches
    invalid_value,  // the same of a type whose number of bytes depends on the value
    unknown_length, // binary without a length: the walk ends before it
};

class FieldWalker {
public:
    /// Starts a walk. The plan and the payload must outlive it.
    void start(const Plan& plan, Bytes payload) noexcept;

    Step next() noexcept {
        if (index_ < scope_end_) [[likely]] {
            const PlannedField& field = fields_[index_];
            if (field.plain && static_cast<std::size_t>(end_ - at_) >= field.size) [[likely]] {
                bytes_ = {at_, field.size};
                at_ += field.size;
                field_ = index_++;
                return Step::value;
            }
        }
        return next_uncommon();
    }

    /// Takes the steps up to the first field that is not a single value of fixed size, or not
    /// complete, and passes each value to `take(index, bytes)`. Faster than the same calls of
    /// next(). Passes at most as many values as the plan has fields.
    template <typename Take>
    void take_plain(Take&& take) {
        std::uint32_t index = index_;
        const std::byte* at = at_;
        for (; index < scope_end_; ++index) {
            const PlannedField& field = fields_[index];
            if (!field.plain || static_cast<std::size_t>(end_ - at) < field.size) {
                break;
            }
            bytes_ = {at, field.size};
            take(index, bytes_);
            at += field.size;
        }
        field_ = index == index_ ? field_ : index - 1;
        index_ = index;
        at_ = at;
    }

    /// After array_begin, takes the elements of an array of values of fixed size, and passes each
    /// to `take(bytes)`; takes nothing of other arrays. Faster than the same calls of next().
    template <typename Take>
    void take_elements(Take&& take) {
        const std::uint32_t count = start_fixed_elements();
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::size_t size = fields_[field_].size;
            bytes_ = {at_, size};
            take(bytes_);
            at_ += size;
        }
    }

    /// Returns the index of the field of the last step.
    std::uint32_t field() const noexcept { return field_; }

    const PlannedField& planned() const noexcept { return fields_[field_]; }

    /// Returns the value of the last step.
    Value value() const noexcept {
        const PlannedField& field = fields_[field_];
        return {bytes_, field.form, field.error_space, field.hidden, field.map};
    }

    /// Returns only the bytes of that value.
    Bytes bytes() const noexcept { return bytes_; }

    /// Returns whether the payload contradicts the schema at failed_field().
    bool failed() const noexcept { return problem_ != nullptr; }

    /// Returns the reason as static text; null unless failed().
    const char* problem() const noexcept { return problem_; }

    /// Returns the field at which the walk failed.
    std::uint32_t failed_field() const noexcept { return failed_field_; }

    /// Returns the greatest doubt about the values so far.
    Doubt doubt() const noexcept { return doubt_; }

    /// Returns the first field with that doubt. Valid unless it is Doubt::none.
    std::uint32_t doubtful_field() const noexcept { return doubtful_field_; }

    /// Returns the text of the doubt in `decode_note`; static. Null for Doubt::none.
    const char* doubt_text() const noexcept;

    /// Returns whether the payload ended before the last field.
    bool is_short() const noexcept { return short_; }

    /// Returns the remaining bytes of the payload.
    Bytes trailing() const noexcept { return {at_, static_cast<std::size_t>(end_ - at_)}; }

    /// After the end, returns whether all fields were present and no bytes remain.
    bool consumed_exactly() const noexcept {
        return !failed() && !short_ && at_ == end_ && doubt_ != Doubt::unknown_length;
    }

private:
    /// An open array or structure.
    struct Frame {
        std::uint32_t field;
        std::uint32_t outer_end; // scope_end_ of the enclosing scope
        std::uint32_t left;      // remaining elements of an array
        bool is_array;
        bool to_the_end; // an array that extends to the end of the payload
    };

    static constexpr std::size_t max_frames = 2UL * format::max_struct_depth + 1;
    static constexpr std::uint32_t no_length = 0xFFFFFFFF;

    /// Result of reading one value.
    enum class Read : std::uint8_t { good, too_short, failed, stopped };

    // The steps of a walk: field_walker.cpp.
    Step next_uncommon() noexcept;
    Step next_element() noexcept;
    std::uint32_t start_fixed_elements() noexcept;
    Step begin_field() noexcept;
    Step begin_array(const PlannedField& field) noexcept;
    Step begin_struct() noexcept;
    Step end_scope() noexcept;
    Step close() noexcept;
    Step to_step(Read read) noexcept;
    Step run_short() noexcept;
    Step fail(const char* why) noexcept;
    Step stop() noexcept;
    bool in_array() const noexcept;
    void suspect(Doubt doubt) noexcept;

    // The bytes of one value, by the shape of its field.
    Read read(const PlannedField& field) noexcept;
    Read read_bytes(const PlannedField& field) noexcept;
    void check(const PlannedField& field) noexcept;
    Read take(std::uint64_t size) noexcept;
    Read take_counted(std::size_t prefix, std::uint64_t size) noexcept;
    Read take_terminated(std::size_t unit) noexcept;
    Read take_sized(const PlannedField& field) noexcept;
    Read take_sid() noexcept;
    Read take_wbem_sid(const PlannedField& field) noexcept;
    Read extent(const schema::Extent& extent, std::uint64_t& value) noexcept;
    Read take_unmeasured(const PlannedField& field) noexcept;
    Read problem(const char* why) noexcept;
    bool find_common_length(const PlannedField& field) noexcept;
    bool find_tried_length(const PlannedField& field) noexcept;
    bool remaining_fields_fit_after(std::size_t size) noexcept;
    bool remaining_fields_fit(FieldWalker probe) noexcept;
    void keep(const PlannedField& field) noexcept;

    std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - at_); }

    const PlannedField* fields_ = nullptr;
    const std::byte* at_ = nullptr;
    const std::byte* end_ = nullptr;
    std::uint32_t index_ = 0; // the next field
    /// One past the last field of this scope; 0 between the elements of an array.
    std::uint32_t scope_end_ = 0;
    std::uint32_t field_ = 0;
    Bytes bytes_;
    std::uint32_t depth_ = 0;
    std::uint32_t budget_ = 0;
    std::uint32_t failed_field_ = 0;
    const char* problem_ = nullptr;
    std::uint32_t doubtful_field_ = 0;
    std::uint32_t assumed_length_ = no_length; // of every unmeasured field of this payload
    Doubt doubt_ = Doubt::none;
    bool short_ = false;
    bool closing_ = false;
    bool probing_ = false;
    std::uint64_t filled_ = 0;                       // bit set of slots with a value
    std::array<std::uint64_t, Plan::slots> slots_{}; // valid if set in filled_
    std::array<Frame, max_frames> frames_{};         // valid below depth_
};

} // namespace etl::decode

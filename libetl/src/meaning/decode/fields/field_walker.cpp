#include "decode/field_walker.hpp"

#include "decode/limits.hpp"

#include <algorithm>
#include <utility>

namespace etl::decode {

namespace {

using schema::Extent;

} // namespace

const char* FieldWalker::doubt_text() const noexcept {
    switch (doubt_) {
    case Doubt::odd_value: {
        const Form form = fields_[doubtful_field_].form;
        return form == Form::text16                                 ? "odd number of bytes"
               : form == Form::filetime || form == Form::systemtime ? "not a time"
                                                                    : "not an IP address";
    }
    case Doubt::assumed_length:
        return "assumed length";
    case Doubt::invalid_value:
        return "not a SID";
    case Doubt::unknown_length:
        return "unknown length";
    case Doubt::none:
        break;
    }
    return nullptr;
}

void FieldWalker::start(const Plan& plan, Bytes payload) noexcept {
    fields_ = plan.fields().data();
    at_ = payload.data();
    end_ = payload.data() + payload.size();
    index_ = 0;
    scope_end_ = static_cast<std::uint32_t>(plan.fields().size());
    field_ = 0;
    depth_ = 0;
    budget_ = limits::values_per_event;
    problem_ = nullptr;
    short_ = false;
    closing_ = false;
    probing_ = false;
    doubt_ = Doubt::none;
    assumed_length_ = no_length;
    filled_ = 0;
}

Step FieldWalker::next_uncommon() noexcept {
    if (closing_) {
        return close();
    }
    if (budget_ == 0) {
        return fail("too many values");
    }
    --budget_;
    if (depth_ > 0 && frames_[depth_ - 1].is_array) {
        return next_element();
    }
    return index_ == scope_end_ ? end_scope() : begin_field();
}

Step FieldWalker::begin_field() noexcept {
    const PlannedField& field = fields_[index_];
    field_ = index_;
    if (field.count.kind != Extent::Kind::natural) {
        return begin_array(field);
    }
    if (field.shape == Shape::structure) {
        return begin_struct();
    }
    const Read outcome = read(field);
    if (outcome == Read::good) {
        keep(field);
        ++index_;
    }
    return to_step(outcome);
}

Step FieldWalker::begin_array(const PlannedField& field) noexcept {
    if (field.count.kind == Extent::Kind::rest) {
        frames_[depth_++] = {index_, scope_end_, limits::values_per_event, true, true};
        scope_end_ = 0;
        return Step::array_begin;
    }
    std::uint64_t count = 0;
    if (const Read outcome = extent(field.count, count); outcome != Read::good) {
        return to_step(outcome);
    }
    std::uint64_t least = field.least_bytes;
    if (field.shape == Shape::sized) {
        if (const Read outcome = extent(field.length, least); outcome != Read::good) {
            return to_step(outcome);
        }
        least = least > left() ? left() + 1 : least * field.unit;
    }
    // The last text of the payload may lack its terminator.
    const std::uint64_t sure = count > 0 && field.shape == Shape::terminated ? count - 1 : count;
    if (least > 0 && sure > left() / least) {
        if (left() == 0 && field.count.kind == Extent::Kind::fixed) {
            return to_step(Read::too_short);
        }
        return fail("count exceeds the payload");
    }
    if (count > budget_) {
        return fail("too many values");
    }
    frames_[depth_++] = {index_, scope_end_, static_cast<std::uint32_t>(count), true, false};
    scope_end_ = 0;
    return Step::array_begin;
}

Step FieldWalker::begin_struct() noexcept {
    field_ = index_;
    frames_[depth_++] = {index_, scope_end_, 0, false, false};
    scope_end_ = index_ + 1 + fields_[index_].members;
    ++index_;
    return Step::struct_begin;
}

Step FieldWalker::next_element() noexcept {
    Frame& array = frames_[depth_ - 1];
    field_ = array.field;
    const PlannedField& field = fields_[field_];
    const bool is_used_up =
        array.to_the_end && left() < std::max<std::size_t>(field.least_bytes, 1);
    if (array.left == 0 || is_used_up) {
        scope_end_ = array.outer_end;
        index_ = array.field + 1 + field.members;
        --depth_;
        return Step::array_end;
    }
    --array.left;
    if (field.shape == Shape::structure) {
        return begin_struct();
    }
    return to_step(read(field));
}

// begin_array has held their number against the payload and the budget.
std::uint32_t FieldWalker::start_fixed_elements() noexcept {
    if (closing_ || depth_ == 0 || !frames_[depth_ - 1].is_array ||
        frames_[depth_ - 1].to_the_end || fields_[field_].shape != Shape::fixed ||
        fields_[field_].is_checked) {
        return 0;
    }
    const std::uint32_t count = std::exchange(frames_[depth_ - 1].left, 0U);
    budget_ -= count;
    return count;
}

// All fields of a scope are through: the end, or that of a structure.
Step FieldWalker::end_scope() noexcept {
    if (depth_ == 0) {
        closing_ = true;
        return Step::end;
    }
    const Frame& done = frames_[--depth_];
    field_ = done.field;
    scope_end_ = done.outer_end;
    const bool is_element = depth_ > 0 && frames_[depth_ - 1].is_array;
    index_ = is_element ? done.field : done.field + 1 + fields_[done.field].members;
    return Step::struct_end;
}

// Ends what is open, one a step.
Step FieldWalker::close() noexcept {
    if (depth_ == 0) {
        return Step::end;
    }
    const Frame& done = frames_[--depth_];
    field_ = done.field;
    return done.is_array ? Step::array_end : Step::struct_end;
}

Step FieldWalker::to_step(Read read) noexcept {
    switch (read) {
    case Read::good:
        return Step::value;
    case Read::too_short:
        return run_short();
    case Read::stopped:
        return stop();
    case Read::failed:
        break;
    }
    return fail(problem_);
}

Step FieldWalker::run_short() noexcept {
    if (in_array()) {
        return fail("array exceeds the payload");
    }
    short_ = true;
    closing_ = true;
    scope_end_ = 0;
    return close();
}

Step FieldWalker::fail(const char* why) noexcept {
    problem_ = why;
    failed_field_ = field_;
    closing_ = true;
    scope_end_ = 0;
    return close();
}

// The end of this field is unknown: the bytes from it on are left over.
Step FieldWalker::stop() noexcept {
    suspect(Doubt::unknown_length);
    closing_ = true;
    scope_end_ = 0;
    return close();
}

void FieldWalker::suspect(Doubt doubt) noexcept {
    if (doubt > doubt_) {
        doubt_ = doubt;
        doubtful_field_ = field_;
    }
}

bool FieldWalker::in_array() const noexcept {
    for (std::uint32_t i = 0; i < depth_; ++i) {
        if (frames_[i].is_array) {
            return true;
        }
    }
    return false;
}

} // namespace etl::decode

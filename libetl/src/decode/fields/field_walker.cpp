#include <etl/base/layout.hpp>
#include <etl/decode/field_walker.hpp>
#include <etl/decode/limits.hpp>

#include <algorithm>
#include <cstring>

namespace etl::decode {

namespace {

using schema::Extent;

// Revision, count of sub-authorities, authority.
constexpr std::size_t sid_head = 8;

// Bytes before the first NUL of 1 or 2 bytes; all of them when there is none.
std::size_t bytes_before_nul(const std::byte* text, std::size_t size, std::size_t unit) noexcept {
    if (unit == 1) {
        const void* nul = size > 0 ? std::memchr(text, 0, size) : nullptr;
        return nul == nullptr ? size
                              : static_cast<std::size_t>(static_cast<const std::byte*>(nul) - text);
    }
    constexpr std::uint64_t ones = 0x0001000100010001U;
    constexpr std::uint64_t highs = 0x8000800080008000U;
    std::size_t at = 0;
    while (size - at >= 8) {
        const auto units = load_le<std::uint64_t>(text + at);
        if (((units - ones) & ~units & highs) != 0) {
            break;
        }
        at += 8;
    }
    while (size - at >= 2 && load_le<std::uint16_t>(text + at) != 0) {
        at += 2;
    }
    return at;
}

bool is_text(Form form) noexcept {
    return form == Form::text16 || form == Form::text8 || form == Form::utf8;
}

} // namespace

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
    filled_ = 0;
}

Step FieldWalker::next_uncommon() noexcept {
    if (closing_) {
        return close();
    }
    if (budget_ == 0) {
        return fail("more values than an event may have");
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
    const Outcome outcome = read(field);
    if (outcome == Outcome::good) {
        keep(field);
        ++index_;
    }
    return give(outcome);
}

Step FieldWalker::begin_array(const PlannedField& field) noexcept {
    if (field.count.kind == Extent::Kind::rest) {
        frames_[depth_++] = {index_, scope_end_, limits::values_per_event, true, true};
        scope_end_ = 0;
        return Step::array_begin;
    }
    std::uint64_t count = 0;
    if (const Outcome outcome = extent(field.count, count); outcome != Outcome::good) {
        return give(outcome);
    }
    std::uint64_t least = field.least_bytes;
    if (field.shape == Shape::sized) {
        if (const Outcome outcome = extent(field.length, least); outcome != Outcome::good) {
            return give(outcome);
        }
        least = least > left() ? left() + 1 : least * field.unit;
    }
    // The last text of the payload may lack its terminator.
    const std::uint64_t sure = count > 0 && field.shape == Shape::terminated ? count - 1 : count;
    if (least > 0 && sure > left() / least) {
        if (left() == 0 && field.count.kind == Extent::Kind::fixed) {
            return give(Outcome::too_short);
        }
        return fail("count beyond the end of the payload");
    }
    if (count > budget_) {
        return fail("more values than an event may have");
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
    return give(read(field));
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

Step FieldWalker::give(Outcome outcome) noexcept {
    switch (outcome) {
    case Outcome::good:
        return Step::value;
    case Outcome::too_short:
        return run_short();
    case Outcome::failed:
        break;
    }
    return fail(problem_);
}

Step FieldWalker::run_short() noexcept {
    if (in_array()) {
        return fail("array beyond the end of the payload");
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

bool FieldWalker::in_array() const noexcept {
    for (std::uint32_t i = 0; i < depth_; ++i) {
        if (frames_[i].is_array) {
            return true;
        }
    }
    return false;
}

FieldWalker::Outcome FieldWalker::problem(const char* why) noexcept {
    problem_ = why;
    return Outcome::failed;
}

FieldWalker::Outcome FieldWalker::read(const PlannedField& field) noexcept {
    switch (field.shape) {
    case Shape::empty:
        return take(0);
    case Shape::fixed:
        return take(field.size);
    case Shape::terminated:
        return take_terminated(field.unit);
    case Shape::sized:
        return take_sized(field);
    case Shape::rest:
        return take(left() - left() % field.unit);
    case Shape::counted:
        return left() < 2 ? Outcome::too_short : take_counted(2, load_le<std::uint16_t>(at_));
    case Shape::counted_big_endian:
        return left() < 2 ? Outcome::too_short
                          : take_counted(2, std::to_integer<std::uint64_t>(at_[0]) << 8U |
                                                std::to_integer<std::uint64_t>(at_[1]));
    case Shape::counted32:
        return left() < 4 ? Outcome::too_short : take_counted(4, load_le<std::uint32_t>(at_));
    case Shape::sid:
        return take_sid();
    case Shape::wbem_sid:
        return take_wbem_sid(field);
    case Shape::structure:
    case Shape::unknown:
        break;
    }
    return problem("unknown type");
}

FieldWalker::Outcome FieldWalker::take(std::uint64_t size) noexcept {
    if (size > left()) {
        return Outcome::too_short;
    }
    bytes_ = {at_, static_cast<std::size_t>(size)};
    at_ += size;
    return Outcome::good;
}

FieldWalker::Outcome FieldWalker::take_counted(std::size_t prefix, std::uint64_t size) noexcept {
    if (size > left() - prefix) {
        return problem("length beyond the end of the payload");
    }
    at_ += prefix;
    return take(size);
}

FieldWalker::Outcome FieldWalker::take_terminated(std::size_t unit) noexcept {
    if (left() < unit) {
        return Outcome::too_short;
    }
    const std::size_t size = bytes_before_nul(at_, left(), unit);
    bytes_ = {at_, size};
    at_ += size;
    at_ += left() < unit ? 0 : unit;
    return Outcome::good;
}

FieldWalker::Outcome FieldWalker::take_sized(const PlannedField& field) noexcept {
    std::uint64_t units = 0;
    if (const Outcome outcome = extent(field.length, units); outcome != Outcome::good) {
        return outcome;
    }
    if (units > left() / field.unit) {
        return field.length.kind == Extent::Kind::fixed
                   ? Outcome::too_short
                   : problem("length beyond the end of the payload");
    }
    take(units * field.unit);
    if (is_text(field.form)) {
        bytes_ = bytes_.first(bytes_before_nul(bytes_.data(), bytes_.size(), field.unit));
    }
    return Outcome::good;
}

// Revision, count of sub-authorities, six bytes of authority, four bytes each.
FieldWalker::Outcome FieldWalker::take_sid() noexcept {
    constexpr std::size_t most_sub_authorities = 15;
    if (left() < sid_head) {
        return Outcome::too_short;
    }
    const auto sub_authorities = std::to_integer<std::size_t>(at_[1]);
    if (at_[0] != std::byte{1} || sub_authorities > most_sub_authorities) {
        return problem("not a SID");
    }
    return take(sid_head + 4 * sub_authorities) == Outcome::good
               ? Outcome::good
               : problem("SID beyond the end of the payload");
}

// TOKEN_USER as it lay in memory, then the SID. docs/format/decoding.md#wbem-sid
FieldWalker::Outcome FieldWalker::take_wbem_sid(const PlannedField& field) noexcept {
    constexpr std::size_t absent = 4;
    if (left() < absent) {
        return Outcome::too_short;
    }
    const std::size_t token = 2UL * field.size;
    if (load_le<std::uint32_t>(at_) == 0) {
        const bool looks_full = left() >= token + sid_head && at_[token] == std::byte{1} &&
                                std::to_integer<unsigned>(at_[token + 1]) <= 15;
        if (!looks_full || rest_fits_behind(absent)) {
            take(absent);
            bytes_ = {};
            return Outcome::good;
        }
    }
    if (left() < token + sid_head) {
        return Outcome::too_short;
    }
    at_ += token;
    return take_sid();
}

// Would the fields behind this one use up exactly what is left behind `size` bytes? Counts against
// the budget.
bool FieldWalker::rest_fits_behind(std::size_t size) noexcept {
    if (probing_ || in_array()) {
        return false;
    }
    FieldWalker probe = *this;
    probe.probing_ = true;
    probe.at_ += size;
    ++probe.index_;
    while (probe.next() != Step::end) {
    }
    budget_ = probe.budget_;
    return probe.consumed_exactly();
}

FieldWalker::Outcome FieldWalker::extent(const Extent& extent, std::uint64_t& value) noexcept {
    switch (extent.kind) {
    case Extent::Kind::fixed:
        value = extent.value;
        return Outcome::good;
    case Extent::Kind::field:
        if ((filled_ >> extent.value & 1U) == 0) {
            break;
        }
        value = slots_[extent.value];
        return Outcome::good;
    case Extent::Kind::prefixed:
        if (left() < 2) {
            return Outcome::too_short;
        }
        value = load_le<std::uint16_t>(at_);
        at_ += 2;
        return Outcome::good;
    case Extent::Kind::natural:
    case Extent::Kind::rest:
        value = 1;
        return Outcome::good;
    case Extent::Kind::unknown:
        break;
    }
    return problem("refers to a field that is not there");
}

void FieldWalker::keep(const PlannedField& field) noexcept {
    if (field.slot == PlannedField::no_slot) {
        return;
    }
    slots_[field.slot] = bits_of({.bytes = bytes_});
    filled_ |= std::uint64_t{1} << field.slot;
}

} // namespace etl::decode

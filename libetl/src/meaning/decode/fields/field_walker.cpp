#include "decode/field_walker.hpp"

#include "base/layout.hpp"
#include "decode/limits.hpp"
#include "decode/messages/special_text.hpp"

#include <algorithm>
#include <cstring>
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

// The bytes of one value, by the shape of its field.

namespace {

using schema::Extent;

// Revision, count of sub-authorities, authority.
constexpr std::size_t sid_head = 8;
constexpr std::byte sid_revision{1};
constexpr std::size_t max_sub_authorities = 15;

constexpr std::size_t physical_address = 6;

std::size_t sub_authorities(const std::byte* sid) noexcept {
    return std::to_integer<std::size_t>(sid[1]);
}

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

FieldWalker::Read FieldWalker::problem(const char* why) noexcept {
    problem_ = why;
    return Read::failed;
}

FieldWalker::Read FieldWalker::read(const PlannedField& field) noexcept {
    const Read outcome = read_bytes(field);
    if (outcome == Read::good && field.is_checked) {
        check(field);
    }
    return outcome;
}

// What is all zeros was not set.
void FieldWalker::check(const PlannedField& field) noexcept {
    const std::size_t size = bytes_.size();
    const Form form = field.form;
    const bool is_good =
        !any_byte_set(bytes_)      ? true
        : form == Form::text16     ? size % 2 == 0
        : form == Form::filetime   ? size != 8 || load_le<std::int64_t>(bytes_.data()) >= 0
        : form == Form::systemtime ? size != 16 || systemtime_of({.bytes = bytes_, .form = form})
        : form == Form::ipv4       ? size == ipv4_size
        : form == Form::ipv6       ? size == ipv6_size
                                   : is_socket_address(bytes_);
    if (!is_good) {
        suspect(Doubt::odd_value);
    }
}

FieldWalker::Read FieldWalker::read_bytes(const PlannedField& field) noexcept {
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
        return field.is_unmeasured ? take_unmeasured(field) : take(left() - left() % field.unit);
    case Shape::counted:
        return left() < 2 ? Read::too_short : take_counted(2, load_le<std::uint16_t>(at_));
    case Shape::counted_big_endian:
        return left() < 2 ? Read::too_short
                          : take_counted(2, std::to_integer<std::uint64_t>(at_[0]) << 8U |
                                                std::to_integer<std::uint64_t>(at_[1]));
    case Shape::counted32:
        return left() < 4 ? Read::too_short : take_counted(4, load_le<std::uint32_t>(at_));
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

FieldWalker::Read FieldWalker::take(std::uint64_t size) noexcept {
    if (size > left()) {
        return Read::too_short;
    }
    bytes_ = {at_, static_cast<std::size_t>(size)};
    at_ += size;
    return Read::good;
}

FieldWalker::Read FieldWalker::take_counted(std::size_t prefix, std::uint64_t size) noexcept {
    if (size > left() - prefix) {
        return problem("length exceeds the payload");
    }
    at_ += prefix;
    return take(size);
}

FieldWalker::Read FieldWalker::take_terminated(std::size_t unit) noexcept {
    if (left() < unit) {
        return Read::too_short;
    }
    const std::size_t size = bytes_before_nul(at_, left(), unit);
    if (probing_ && assumed_length_ != no_length && left() - size < unit) {
        return Read::too_short; // without its NUL, a text would match any assumption
    }
    bytes_ = {at_, size};
    at_ += size;
    at_ += left() < unit ? 0 : unit;
    return Read::good;
}

FieldWalker::Read FieldWalker::take_sized(const PlannedField& field) noexcept {
    std::uint64_t units = 0;
    if (const Read outcome = extent(field.length, units); outcome != Read::good) {
        return outcome;
    }
    if (units > left() / field.unit) {
        return field.length.kind == Extent::Kind::fixed ? Read::too_short
                                                        : problem("length exceeds the payload");
    }
    take(units * field.unit);
    if (is_text(field.form)) {
        bytes_ = bytes_.first(bytes_before_nul(bytes_.data(), bytes_.size(), field.unit));
    }
    return Read::good;
}

// Revision, count of sub-authorities, six bytes of authority, four bytes each. The size depends on
// the count alone, as TDH has it, so that a bad SID does not hide the fields after it.
FieldWalker::Read FieldWalker::take_sid() noexcept {
    if (left() < sid_head) {
        return Read::too_short;
    }
    const bool is_sid = at_[0] == sid_revision && sub_authorities(at_) <= max_sub_authorities;
    if (take(sid_head + 4 * sub_authorities(at_)) != Read::good) {
        return problem(is_sid ? "SID exceeds the payload" : "not a SID");
    }
    if (!is_sid) {
        suspect(Doubt::invalid_value);
    }
    return Read::good;
}

// TOKEN_USER as it lay in memory, then the SID. docs/format/decoding.md#wbem-sid
FieldWalker::Read FieldWalker::take_wbem_sid(const PlannedField& field) noexcept {
    constexpr std::size_t absent = 4;
    if (left() < absent) {
        return Read::too_short;
    }
    const std::size_t token = 2UL * field.size;
    if (load_le<std::uint32_t>(at_) == 0) {
        const bool looks_full = left() >= token + sid_head && at_[token] == sid_revision &&
                                sub_authorities(at_ + token) <= max_sub_authorities;
        if (!looks_full || remaining_fields_fit_after(absent)) {
            take(absent);
            bytes_ = {};
            return Read::good;
        }
    }
    if (left() < token + sid_head) {
        return Read::too_short;
    }
    at_ += token;
    return take_sid();
}

// Would the fields behind this one use up exactly what is left behind `size` bytes?
bool FieldWalker::remaining_fields_fit_after(std::size_t size) noexcept {
    if (probing_ || in_array()) {
        return false;
    }
    FieldWalker probe = *this;
    probe.at_ += size;
    ++probe.index_;
    return remaining_fields_fit(probe);
}

// Counts against the budget.
bool FieldWalker::remaining_fields_fit(FieldWalker probe) noexcept {
    probe.probing_ = true;
    while (probe.next() != Step::end) {
    }
    budget_ = probe.budget_;
    return probe.consumed_exactly() && probe.doubt_ < Doubt::invalid_value;
}

// Nothing states the length of such a field: it is the one with which the rest matches.
// docs/format/decoding.md#unmeasured
FieldWalker::Read FieldWalker::take_unmeasured(const PlannedField& field) noexcept {
    if (left() == 0) {
        return Read::too_short;
    }
    if (assumed_length_ == no_length) {
        const bool is_found =
            !probing_ && depth_ == 0 &&
            (field.measured_bytes ? find_common_length(field) : find_tried_length(field));
        if (!is_found) {
            return Read::stopped;
        }
    }
    suspect(Doubt::assumed_length);
    return take(assumed_length_);
}

// All other fields after this one have one size. Several unmeasured ones of the same size are only
// believed to be physical addresses.
bool FieldWalker::find_common_length(const PlannedField& field) noexcept {
    if (left() < *field.measured_bytes) {
        return false;
    }
    const std::size_t bytes = left() - *field.measured_bytes;
    const std::size_t length = bytes / field.unmeasured_fields;
    const bool is_one = field.unmeasured_fields == 1;
    if (length * field.unmeasured_fields != bytes || (!is_one && length != physical_address)) {
        return false;
    }
    assumed_length_ = static_cast<std::uint32_t>(length);
    return true;
}

// A text after such a field often allows several lengths.
bool FieldWalker::find_tried_length(const PlannedField& field) noexcept {
    const std::size_t most = std::min(left(), limits::tried_length);
    std::uint32_t found = no_length;
    bool is_only = true;
    for (std::uint32_t length = 0; length <= most && budget_ > 0; ++length) {
        FieldWalker probe = *this;
        probe.assumed_length_ = length;
        if (!remaining_fields_fit(probe)) {
            continue;
        }
        is_only = found == no_length;
        found = length;
        if (field.may_be_physical_address && length == physical_address) {
            is_only = true;
            break;
        }
    }
    if (found == no_length || !is_only || budget_ == 0) {
        return false;
    }
    assumed_length_ = found;
    return true;
}

FieldWalker::Read FieldWalker::extent(const Extent& extent, std::uint64_t& value) noexcept {
    switch (extent.kind) {
    case Extent::Kind::fixed:
        value = extent.value;
        return Read::good;
    case Extent::Kind::field:
        if ((filled_ >> extent.value & 1U) == 0) {
            break;
        }
        value = slots_[extent.value];
        return Read::good;
    case Extent::Kind::prefixed:
        if (left() < 2) {
            return Read::too_short;
        }
        value = load_le<std::uint16_t>(at_);
        at_ += 2;
        return Read::good;
    case Extent::Kind::natural:
    case Extent::Kind::rest:
        value = 1;
        return Read::good;
    case Extent::Kind::unknown:
        break;
    }
    return problem("refers to a missing field");
}

void FieldWalker::keep(const PlannedField& field) noexcept {
    if (field.slot == PlannedField::no_slot) {
        return;
    }
    slots_[field.slot] = bits_of({.bytes = bytes_});
    filled_ |= std::uint64_t{1} << field.slot;
}

} // namespace etl::decode

#include "encode/payload_run.hpp"

#include "base/layout.hpp"
#include "base/text.hpp"
#include "format/limits.hpp"

#include <algorithm>

namespace etl::encode {

namespace {

using schema::Extent;

std::string_view name_of(std::span<const InputValue> given) noexcept {
    return given.front().name;
}

} // namespace

PayloadEncoder::Run::Run() : memory_(limits::payload_bytes + max_value_bytes + longest_special) {}

std::expected<void, Mismatch> PayloadEncoder::Run::encode(const Layout& layout,
                                                          std::span<const InputValue> data,
                                                          PayloadOptions::Missing missing) {
    fields_ = &layout.fields();
    slots_.assign(layout.slots(), {});
    path_.clear();
    at_ = memory_.data();
    may_end_ = missing == PayloadOptions::Missing::ends_payload;
    has_ended_ = false;
    arrays_ = 0;
    Problem problem = scope({0, fields_->size()}, data);
    problem = problem != nullptr ? problem : open_slots();
    if (problem != nullptr) {
        return std::unexpected(Mismatch{path_, problem});
    }
    return {};
}

PayloadEncoder::Run::Problem PayloadEncoder::Run::scope(Scope scope,
                                                        std::span<const InputValue> data) {
    if (!data.empty() && data.front().kind != InputValue::Kind::object) {
        return "not an object";
    }
    Members members(data, scope.end - scope.first);
    for (std::size_t i = scope.first; i < scope.end && !has_ended_; i = next(i)) {
        const std::span<const InputValue> given = members.take((*fields_)[i].name);
        const Problem problem = given.empty() ? missing(i, members) : field(i, given);
        if (problem != nullptr) {
            return in_path((*fields_)[i].name, problem);
        }
    }
    return members.all_taken() ? nullptr : left_over(scope, members);
}

PayloadEncoder::Run::Problem PayloadEncoder::Run::field(std::size_t index,
                                                        std::span<const InputValue> given) {
    const LayoutField& field = (*fields_)[index];
    if (field.count.kind != Extent::Kind::natural) {
        return array(index, given);
    }
    if (field.slot != LayoutField::no_slot) {
        if (const Problem problem = remember(index, false)) {
            return problem;
        }
    }
    return element(index, given);
}

PayloadEncoder::Run::Problem PayloadEncoder::Run::missing(std::size_t index,
                                                          const Members& members) {
    const LayoutField& field = (*fields_)[index];
    const bool is_plain = field.count.kind == Extent::Kind::natural;
    if (may_end_ && arrays_ == 0 && members.all_taken()) {
        has_ended_ = true;
        return nullptr;
    }
    if (field.slot != LayoutField::no_slot) {
        if (const Problem problem = remember(index, true)) {
            return problem;
        }
        std::fill_n(at_, field.size, std::byte{0});
        return ends_at({at_ + field.size});
    }
    return is_plain && field.shape == Shape::empty ? nullptr : "missing";
}

// Says what is wrong with a member that no field took.
PayloadEncoder::Run::Problem PayloadEncoder::Run::left_over(Scope scope, const Members& members) {
    std::string_view culprit;
    Problem problem = nullptr;
    std::vector<std::string_view> seen;
    members.each([&](std::span<const InputValue> member) {
        if (problem != nullptr) {
            return;
        }
        culprit = name_of(member);
        bool is_field = false;
        for (std::size_t i = scope.first; i < scope.end && !is_field; i = next(i)) {
            is_field = (*fields_)[i].name == culprit;
        }
        if (!is_field) {
            problem = "unknown field";
        } else if (std::ranges::find(seen, culprit) != seen.end()) {
            problem = "duplicate";
        }
        seen.push_back(culprit);
    });
    if (problem == nullptr) { // all of them are fields: one before them is missing
        culprit = {};
        problem = "members after the end of the payload";
    }
    return in_path(culprit, problem);
}

// A length that was not given, and that nothing told.
PayloadEncoder::Run::Problem PayloadEncoder::Run::open_slots() {
    for (const Slot& slot : slots_) {
        if (slot.is_open) {
            return in_path((*fields_)[slot.field].name, "missing");
        }
    }
    return nullptr;
}

PayloadEncoder::Run::Problem PayloadEncoder::Run::array(std::size_t index,
                                                        std::span<const InputValue> given) {
    const LayoutField& field = (*fields_)[index];
    if (given.front().kind != InputValue::Kind::array) {
        return "not an array";
    }
    // No element may be there to find out.
    if (field.shape == Shape::sized && !has_length(field)) {
        return "unknown length";
    }
    std::size_t count = 0;
    for (InputValueList at(given); !at.empty(); at.pop_front()) {
        ++count;
    }
    if (const Problem problem = take_count(field, count)) {
        return problem;
    }
    std::size_t number = 0;
    ++arrays_;
    for (InputValueList at(given); !at.empty(); at.pop_front(), ++number) {
        if (const Problem problem = element(index, at.front())) {
            std::string place = "[";
            append_decimal(place, number);
            return in_path(place.append("]"), problem);
        }
    }
    --arrays_;
    return nullptr;
}

// What says how many elements there are.
PayloadEncoder::Run::Problem PayloadEncoder::Run::take_count(const LayoutField& field,
                                                             std::size_t count) {
    switch (field.count.kind) {
    case Extent::Kind::fixed:
        return count == field.count.value ? nullptr : "wrong number of elements";
    case Extent::Kind::field:
        return tell(field.count.value, count,
                    "the number of elements differs from the count field");
    case Extent::Kind::prefixed:
        if (count > longest_count) {
            return "too many elements";
        }
        store_le(at_, static_cast<std::uint16_t>(count));
        return ends_at({at_ + 2});
    case Extent::Kind::rest:
    case Extent::Kind::natural:
        return nullptr;
    case Extent::Kind::unknown:
        break;
    }
    return "unknown count";
}

PayloadEncoder::Run::Problem PayloadEncoder::Run::element(std::size_t index,
                                                          std::span<const InputValue> given) {
    const LayoutField& field = (*fields_)[index];
    return field.shape == Shape::structure ? structure(index, given) : value(field, given.front());
}

PayloadEncoder::Run::Problem PayloadEncoder::Run::structure(std::size_t index,
                                                            std::span<const InputValue> given) {
    return scope({index + 1, next(index)}, given);
}

// The number that comes next is one that other fields refer to.
PayloadEncoder::Run::Problem PayloadEncoder::Run::remember(std::size_t index, bool is_open) {
    Slot& slot = slots_[(*fields_)[index].slot];
    if (slot.is_open) {
        return "missing"; // the one of the element before
    }
    slot = {static_cast<std::uint32_t>(index), at_, is_open};
    return nullptr;
}

std::uint64_t PayloadEncoder::Run::slot_value(const Slot& slot) const noexcept {
    std::uint64_t value = 0;
    for (std::size_t i = (*fields_)[slot.field].size; i > 0; --i) {
        value = value << 8U | std::to_integer<std::uint64_t>(slot.at[i - 1]);
    }
    return value;
}

// A count or length: as the field says that has it, or for that field to say.
PayloadEncoder::Run::Problem PayloadEncoder::Run::tell(std::uint32_t slot_number,
                                                       std::uint64_t value, Problem otherwise) {
    Slot& slot = slots_[slot_number];
    if (slot.at == nullptr) {
        return "refers to a missing field";
    }
    if (!slot.is_open) {
        return slot_value(slot) == value ? nullptr : otherwise;
    }
    const std::size_t size = (*fields_)[slot.field].size;
    if (size < sizeof value && value >> (8 * size) != 0) {
        return "exceeds the range of its count or length field";
    }
    for (std::size_t i = 0; i < size; ++i) {
        slot.at[i] = static_cast<std::byte>(value >> (8 * i));
    }
    slot.is_open = false;
    return nullptr;
}

// Puts a name before the path of what is wrong inside of it.
PayloadEncoder::Run::Problem PayloadEncoder::Run::in_path(std::string_view name, Problem problem) {
    std::string whole(name);
    if (!path_.empty() && path_.front() != '[') {
        whole.push_back('.');
    }
    path_ = whole + path_;
    return problem;
}

} // namespace etl::encode

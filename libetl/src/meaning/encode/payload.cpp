#include "encode/payload.hpp"

#include "base/layout.hpp"
#include "base/text.hpp"
#include "encode/input_value.hpp"
#include "encode/special_bytes.hpp"
#include "encode/value_bytes.hpp"
#include "format/limits.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace etl::encode {

/// The members of an object, taken by name: in order where that is their order.
class Members {
public:
    /// `object` with everything inside, or nothing at all: no members. `max`: of them that can be
    /// taken; of a larger object only one more is looked at.
    Members(std::span<const InputValue> object, std::size_t max) noexcept
        : all_(object), next_(object), max_(max) {}

    /// The member with everything inside; empty: there is none of this name.
    std::span<const InputValue> take(std::string_view name) noexcept {
        if (!next_.empty() && next_.front().front().name == name) [[likely]] {
            const std::span<const InputValue> found = next_.front();
            next_.pop_front();
            ++taken_;
            return found;
        }
        return look_up(name);
    }

    /// Every member was taken.
    bool all_taken() const noexcept { return is_disordered_ ? taken_ == count() : next_.empty(); }

    /// The members from the first one on, one more than can be taken at most.
    template <typename Visit>
    void each(Visit visit) const {
        std::size_t seen = 0;
        for (InputValueList at = all_; !at.empty() && seen <= max_; at.pop_front(), ++seen) {
            visit(at.front());
        }
    }

private:
    std::size_t count() const noexcept {
        std::size_t count = 0;
        each([&](std::span<const InputValue>) { ++count; });
        return count;
    }

    // From the next one on to the end, then from the front.
    std::span<const InputValue> look_up(std::string_view name) noexcept {
        std::size_t seen = 0;
        for (InputValueList at = next_; !at.empty() && seen <= max_; ++seen) {
            const std::span<const InputValue> found = at.front();
            at.pop_front();
            if (found.front().name == name) {
                next_ = at;
                is_disordered_ = true;
                ++taken_;
                return found;
            }
        }
        std::span<const InputValue> found;
        if (is_disordered_) {
            each([&](std::span<const InputValue> member) {
                if (found.empty() && member.front().name == name) {
                    found = member;
                }
            });
            taken_ += found.empty() ? 0U : 1U;
        }
        return found;
    }

    InputValueList all_;
    InputValueList next_;
    std::size_t max_;
    std::size_t taken_ = 0;
    bool is_disordered_ = false; // some were passed over
};

// Encodes one payload after another into memory of its own.

/// A walk over a layout; what is wrong is static text, and the path to it is put together on the
/// way back.
class PayloadEncoder::Run {
public:
    Run();

    std::expected<void, Mismatch> encode(const Layout& layout, std::span<const InputValue> data,
                                         PayloadOptions::Missing missing);

    Bytes payload() const noexcept {
        return {memory_.data(), static_cast<std::size_t>(at_ - memory_.data())};
    }

private:
    using Problem = const char*; // null: none

    static constexpr std::size_t max_count = 0xFFFF; // that a prefix of two bytes can tell

    /// A number that other fields refer to.
    struct Slot {
        std::uint32_t field = 0;
        std::byte* at = nullptr; // where it lies; null: nowhere yet
        bool is_open = false;    // it was not given: the first field that refers to it tells it
    };

    /// Fields of one structure, or of the whole event.
    struct Scope {
        std::size_t first;
        std::size_t end;
    };

    Problem scope(Scope scope, std::span<const InputValue> data);
    Problem field(std::size_t index, std::span<const InputValue> given);
    Problem missing(std::size_t index, const Members& members);
    Problem left_over(Scope scope, const Members& members);
    Problem open_slots();

    Problem array(std::size_t index, std::span<const InputValue> given);
    Problem element(std::size_t index, std::span<const InputValue> given);
    Problem structure(std::size_t index, std::span<const InputValue> given);
    Problem value(const LayoutField& field, const InputValue& given);
    bool has_length(const LayoutField& field) const noexcept;
    Problem sized(const LayoutField& field, const InputValue& given);
    Problem terminated(const LayoutField& field, const InputValue& given);
    Problem counted(const LayoutField& field, const InputValue& given);
    Problem wbem_sid(const LayoutField& field, const InputValue& given);
    Problem ends_at(Put put);

    Problem remember(std::size_t index, bool is_open);
    std::uint64_t slot_value(const Slot& slot) const noexcept;
    Problem tell(std::uint32_t slot, std::uint64_t value, Problem otherwise);
    Problem take_count(const LayoutField& field, std::size_t count);

    std::size_t next(std::size_t index) const noexcept {
        return index + 1 + (*fields_)[index].members;
    }

    Problem in_path(std::string_view name, Problem problem);

    std::vector<std::byte> memory_; // a whole payload, and one value more
    std::vector<Slot> slots_;
    std::string path_; // of what is wrong
    const std::vector<LayoutField>* fields_ = nullptr;
    std::byte* at_ = nullptr;
    bool may_end_ = false; // where a field is not given
    bool has_ended_ = false;
    unsigned arrays_ = 0; // that are open
};

namespace {

using schema::Extent;

std::string_view name_of(std::span<const InputValue> given) noexcept {
    return given.front().name;
}

} // namespace

PayloadEncoder::Run::Run()
    : memory_(format::limits::payload_bytes + max_value_bytes + max_special) {}

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
        if (count > max_count) {
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

// One value of a payload, by the shape of its field: prefixes, terminators, padding.

namespace {

using schema::Extent;

} // namespace

PayloadEncoder::Run::Problem PayloadEncoder::Run::value(const LayoutField& field,
                                                        const InputValue& given) {
    const bool is_known = field.shape != Shape::unknown;
    if (is_known &&
        (given.kind == InputValue::Kind::array || given.kind == InputValue::Kind::object)) {
        return "not a single value";
    }
    switch (field.shape) {
    case Shape::empty:
    case Shape::rest:
    case Shape::sid:
        return ends_at(put_value(at_, field, given));
    case Shape::fixed: {
        const Put put = put_value(at_, field, given);
        return put.problem == nullptr && put.end != at_ + field.size
                   ? "size differs from that of its type"
                   : ends_at(put);
    }
    case Shape::terminated:
        return terminated(field, given);
    case Shape::sized:
        return sized(field, given);
    case Shape::counted:
    case Shape::counted_big_endian:
    case Shape::counted32:
        return counted(field, given);
    case Shape::wbem_sid:
        return wbem_sid(field, given);
    case Shape::structure:
    case Shape::unknown:
        break;
    }
    return "the type cannot be encoded";
}

PayloadEncoder::Run::Problem PayloadEncoder::Run::terminated(const LayoutField& field,
                                                             const InputValue& given) {
    Put put = put_value(at_, field, given);
    if (put.problem == nullptr) {
        if (given.text.contains('\0')) {
            return "contains a NUL character";
        }
        std::fill_n(put.end, field.unit, std::byte{0});
        put.end += field.unit;
    }
    return ends_at(put);
}

// A constant, or a number that stands before it.
bool PayloadEncoder::Run::has_length(const LayoutField& field) const noexcept {
    return field.length.kind == Extent::Kind::fixed ||
           (field.length.kind == Extent::Kind::field && slots_[field.length.value].at != nullptr);
}

// Texts are filled up with NULs, and so are socket addresses and padded physical addresses; other
// bytes are as many as there should be.
PayloadEncoder::Run::Problem PayloadEncoder::Run::sized(const LayoutField& field,
                                                        const InputValue& given) {
    const bool is_text =
        field.form == Form::text16 || field.form == Form::text8 || field.form == Form::utf8;
    const bool may_be_longer =
        is_text || field.form == Form::socket_address || field.form == Form::padded_mac_address;
    if (!has_length(field)) {
        return "unknown length";
    }
    std::uint64_t expected = field.length.value;
    bool is_told = true;
    if (field.length.kind == Extent::Kind::field) {
        const Slot& slot = slots_[field.length.value];
        is_told = !slot.is_open;
        expected = is_told ? slot_value(slot) : max_text;
    }
    const Put put = put_value(at_, field, given, static_cast<std::size_t>(expected));
    if (put.problem != nullptr) {
        return put.problem;
    }
    const auto size = static_cast<std::size_t>(put.end - at_);
    const std::uint64_t units = size / field.unit;
    if (!is_told) {
        return tell(field.length.value, units, "") != nullptr
                   ? "exceeds the range of its length field"
                   : ends_at(put);
    }
    if (units > expected || (units < expected && !may_be_longer)) {
        return is_text ? "longer than specified by the schema or a length field"
                       : "the length differs from the schema or a length field";
    }
    if (expected * field.unit > format::limits::payload_bytes) {
        return "longer than the maximum payload";
    }
    const std::size_t whole = static_cast<std::size_t>(expected) * field.unit;
    std::fill(put.end, at_ + whole, std::byte{0});
    return ends_at({at_ + whole});
}

PayloadEncoder::Run::Problem PayloadEncoder::Run::counted(const LayoutField& field,
                                                          const InputValue& given) {
    const std::size_t prefix = field.shape == Shape::counted32 ? 4 : 2;
    const Put put = put_value(at_ + prefix, field, given);
    if (put.problem != nullptr) {
        return put.problem;
    }
    const auto size =
        static_cast<std::uint32_t>(put.end - at_ - static_cast<std::ptrdiff_t>(prefix));
    if (prefix == 2 && size > max_count) {
        return "longer than its length prefix allows";
    }
    if (prefix == 4) {
        store_le(at_, size);
    } else if (field.shape == Shape::counted) {
        store_le(at_, static_cast<std::uint16_t>(size));
    } else {
        at_[0] = static_cast<std::byte>(size >> 8U);
        at_[1] = static_cast<std::byte>(size);
    }
    return ends_at(put);
}

// docs/format/decoding.md#wbem-sid. The two words of TOKEN_USER, a pointer and attributes, are not
// among the values: the first is not zero, for that means that there is no SID.
PayloadEncoder::Run::Problem PayloadEncoder::Run::wbem_sid(const LayoutField& field,
                                                           const InputValue& given) {
    constexpr std::size_t absent = 4;
    constexpr std::byte some_pointer{1};
    if (given.kind == InputValue::Kind::null) {
        std::fill_n(at_, absent, std::byte{0});
        return ends_at({at_ + absent});
    }
    const std::size_t token = std::size_t{2} * field.size;
    std::fill_n(at_, token, std::byte{0});
    at_[0] = some_pointer;
    return ends_at(put_value(at_ + token, field, given));
}

PayloadEncoder::Run::Problem PayloadEncoder::Run::ends_at(Put put) {
    if (put.problem != nullptr) {
        return put.problem;
    }
    if (static_cast<std::size_t>(put.end - memory_.data()) > format::limits::payload_bytes) {
        return "exceeds the maximum payload";
    }
    at_ = put.end;
    return nullptr;
}

/// The layouts of the schemas seen, for both sizes of pointers.
class PayloadEncoder::Layouts {
public:
    const Layout& of(const schema::EventSchema& schema, std::uint32_t pointer_size) {
        Entry& entry = entry_of(schema);
        // A schema at the address of one that is gone, against the contract, is mostly found out.
        if (entry.fields != schema.fields.data() || entry.count != schema.fields.size()) {
            entry = {schema.fields.data(), schema.fields.size(), {}};
        }
        auto& layout = entry.layouts[pointer_size == 4 ? 0 : 1];
        if (!layout) {
            layout = std::make_unique<Layout>(schema, pointer_size);
        }
        return *layout;
    }

private:
    struct Entry {
        const schema::Field* fields = nullptr;
        std::size_t count = 0;
        std::unique_ptr<Layout> layouts[2];
    };

    // Events of one kind come in rows.
    Entry& entry_of(const schema::EventSchema& schema) {
        if (last_schema_ != &schema) {
            last_ = &by_schema_[&schema];
            last_schema_ = &schema;
        }
        return *last_;
    }

    std::unordered_map<const schema::EventSchema*, Entry> by_schema_;
    const schema::EventSchema* last_schema_ = nullptr;
    Entry* last_ = nullptr; // of that schema
};

PayloadEncoder::PayloadEncoder()
    : layouts_(std::make_unique<Layouts>()), run_(std::make_unique<Run>()) {}

PayloadEncoder::~PayloadEncoder() = default;
PayloadEncoder::PayloadEncoder(PayloadEncoder&&) noexcept = default;
PayloadEncoder& PayloadEncoder::operator=(PayloadEncoder&&) noexcept = default;

std::expected<void, Mismatch> PayloadEncoder::encode(const schema::EventSchema& schema,
                                                     std::span<const InputValue> data,
                                                     const PayloadOptions& options,
                                                     ByteWriter& payload) {
    const Layout& layout = layouts_->of(schema, options.pointer_size);
    if (auto done = run_->encode(layout, data, options.missing); !done) {
        return done;
    }
    payload.bytes(run_->payload());
    return {};
}

void PayloadEncoder::forget() noexcept {
    *layouts_ = Layouts();
}

} // namespace etl::encode

// One value of a payload, by the shape of its field: prefixes, terminators, padding.
#include "base/layout.hpp"
#include "encode/payload_run.hpp"
#include "format/limits.hpp"

#include <algorithm>

namespace etl::encode {

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
        expected = is_told ? slot_value(slot) : longest_text;
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
    if (expected * field.unit > limits::payload_bytes) {
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
    if (prefix == 2 && size > longest_count) {
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
    if (static_cast<std::size_t>(put.end - memory_.data()) > limits::payload_bytes) {
        return "exceeds the maximum payload";
    }
    at_ = put.end;
    return nullptr;
}

} // namespace etl::encode

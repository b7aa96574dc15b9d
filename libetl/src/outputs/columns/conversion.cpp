#include "columns/conversion.hpp"

#include <etl/time.hpp>

#include "base/layout.hpp"
#include "base/text_appender.hpp"
#include "decode/json_value.hpp"

#include <algorithm>
#include <bit>

namespace etl::columns {

using decode::Form;
using decode::Value;

namespace {

void add_guid(Bytes bytes, ArrayBuilder& to) {
    static constexpr std::uint8_t order[] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
    std::byte arranged[sizeof order];
    for (std::size_t i = 0; i < sizeof order; ++i) {
        arranged[i] = bytes[order[i]];
    }
    to.add_bytes(arranged);
}

Conversion copy_of(Type type) noexcept {
    switch (width_of(type)) {
    case 1:
        return Conversion::copy8;
    case 2:
        return Conversion::copy16;
    case 4:
        return Conversion::copy32;
    default:
        return Conversion::copy64;
    }
}

/// Sizes that a value needs for its conversion; others are null.
bool has_size(const Value& value, std::size_t size) noexcept {
    return value.bytes.size() == size;
}

} // namespace

Conversion conversion_of(Form form, Type to) noexcept {
    const Type own = type_of(form);
    if (to == Type::label) {
        return Conversion::label;
    }
    if (to == Type::text || own == Type::text) {
        return to == Type::text ? Conversion::text : Conversion::none;
    }
    if (own != to) {
        return Conversion::widen;
    }
    if (own == Type::time) {
        return form == Form::filetime ? Conversion::filetime
               : form == Form::ticks  ? Conversion::ticks
                                      : Conversion::systemtime;
    }
    return own == Type::boolean  ? Conversion::boolean
           : own == Type::guid   ? Conversion::guid
           : own == Type::binary ? Conversion::bytes
           : form == Form::port  ? Conversion::port
                                 : copy_of(own);
}

void Converter::add_time(Filetime time, ArrayBuilder& to) {
    const auto nanoseconds = unix_nanoseconds(time);
    if (!nanoseconds) {
        ++unrepresentable;
        to.add_null();
        return;
    }
    to.add<std::int64_t>(*nanoseconds);
}

void Converter::add_time(Filetime time, Bytes stored, ArrayBuilder& to) {
    if (std::ranges::all_of(stored, [](std::byte byte) { return byte == std::byte{0}; })) {
        ++unset;
        return to.add_null();
    }
    add_time(time, to);
}

void Converter::add_systemtime(const Value& value, ArrayBuilder& to) {
    const auto time = decode::systemtime_of(value);
    if (!time &&
        std::ranges::any_of(value.bytes, [](std::byte byte) { return byte != std::byte{}; })) {
        ++unrepresentable;
        return to.add_null();
    }
    add_time(time.value_or(Filetime{}), value.bytes, to);
}

void Converter::add_widened(const Value& value, ArrayBuilder& to) {
    if (value.form == Form::float32 && has_size(value, 4)) {
        const auto bits = load_le<std::uint32_t>(value.bytes.data());
        return to.add(static_cast<double>(std::bit_cast<float>(bits)));
    }
    const std::uint64_t number = value.form == Form::port && has_size(value, 2)
                                     ? std::byteswap(load_le<std::uint16_t>(value.bytes.data()))
                                 : schema::is_signed(value.form)
                                     ? static_cast<std::uint64_t>(decode::signed_of(value))
                                     : decode::bits_of(value);
    switch (width_of(to.type())) {
    case 2:
        return to.add(static_cast<std::uint16_t>(number));
    case 4:
        return to.add(static_cast<std::uint32_t>(number));
    default:
        return to.add(number);
    }
}

void Converter::add_text(const Value& value, ArrayBuilder& to) {
    const Form form = value.form;
    const bool is_special = form == Form::sid || form == Form::ipv4 || form == Form::ipv6 ||
                            form == Form::socket_address || form == Form::mac_address ||
                            form == Form::padded_mac_address;
    if (!json_texts || !is_special) {
        return to.add_text(
            [&](std::string& text) { decode::append_display(text, value, display); });
    }
    scratch_.clear();
    {
        TextAppender json(scratch_);
        decode::append_json_value(json, value, {});
    }
    if (!scratch_.starts_with('"')) { // an absent SID
        return to.add_null();
    }
    // Nothing in these texts is escaped.
    to.add_text([&](std::string& text) { text.append(scratch_, 1, scratch_.size() - 2); });
}

void Converter::add(Conversion how, const Value& value, ArrayBuilder& to) {
    const Bytes bytes = value.bytes;
    switch (how) {
    case Conversion::none:
    case Conversion::label: // needs a dictionary: Filling
        return;
    case Conversion::copy8:
    case Conversion::copy16:
    case Conversion::copy32:
    case Conversion::copy64:
        return copy(how, bytes, to);
    case Conversion::widen:
        return add_widened(value, to);
    case Conversion::boolean:
        return to.add_boolean(
            std::ranges::any_of(bytes, [](std::byte byte) { return byte != std::byte{}; }));
    case Conversion::port:
        return has_size(value, 2) ? to.add(std::byteswap(load_le<std::uint16_t>(bytes.data())))
                                  : to.add_null();
    case Conversion::guid:
        return has_size(value, 16) ? add_guid(bytes, to) : to.add_null();
    case Conversion::filetime:
        return has_size(value, 8) ? add_time({load_le<std::int64_t>(bytes.data())}, bytes, to)
                                  : to.add_null();
    case Conversion::ticks:
        return has_size(value, 8)
                   ? add_time(clock->to_filetime(load_le<std::int64_t>(bytes.data())), to)
                   : to.add_null();
    case Conversion::systemtime:
        return has_size(value, 16) ? add_systemtime(value, to) : to.add_null();
    case Conversion::bytes:
        return to.add_bytes(bytes);
    case Conversion::text:
        return add_text(value, to);
    }
}

} // namespace etl::columns

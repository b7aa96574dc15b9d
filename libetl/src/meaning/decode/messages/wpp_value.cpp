#include "decode/messages/wpp_value.hpp"

#include "base/hex_pairs.hpp"
#include "base/layout.hpp"
#include "base/text.hpp"
#include "decode/error_names.hpp"

#include <bit>
#include <limits>

namespace etl::decode {

namespace {

using schema::OutType;

bool is_one_of(char c, std::string_view set) noexcept {
    return set.find(c) != std::string_view::npos;
}

bool shows_integers(const Notation& notation) noexcept {
    return is_one_of(notation.conversion, "diuoxXp");
}

bool is_real(Form form) noexcept {
    return form == Form::float32 || form == Form::float64;
}

// Whether its bytes are one number, whatever they mean.
bool is_number(const Value& value) noexcept {
    const std::size_t size = value.bytes.size();
    const bool is_other = is_real(value.form) || value.form == Form::binary ||
                          value.form == Form::text16 || value.form == Form::text8 ||
                          value.form == Form::utf8;
    return !is_other && (size == 1 || size == 2 || size == 4 || size == 8);
}

std::uint64_t number_of(const Value& value) noexcept {
    const std::uint64_t bits = bits_of(value);
    return value.form == Form::port ? std::byteswap(static_cast<std::uint16_t>(bits)) : bits;
}

double real_of(const Value& value) noexcept {
    const std::uint64_t bits = bits_of(value);
    return value.form == Form::float32 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits))
                                       : std::bit_cast<double>(bits);
}

void append_zero_padded(std::string& to, std::uint64_t value, std::size_t width) {
    Notation notation{.conversion = 'u'};
    notation.precision = width;
    append_integer(to, value, 8, notation);
}

// `0xc0000034(STATUS_OBJECT_NAME_NOT_FOUND)`, `5(ERROR_ACCESS_DENIED)`
void append_code(std::string& to, const Value& value) {
    const auto code = static_cast<std::uint32_t>(bits_of(value));
    if (value.error_space == ErrorSpace::win32) {
        append_decimal(to, code);
    } else {
        to.append("0x");
        append_integer(to, code, 4, {.precision = 8, .conversion = 'x'});
    }
    if (const std::string_view name = error_name(value.error_space, code); !name.empty()) {
        to.append(1, '(').append(name).push_back(')');
    }
}

// `day~h:m:s`, milliseconds behind it unless there are none.
void append_delta(std::string& to, std::int64_t milliseconds) {
    const auto bits = static_cast<std::uint64_t>(milliseconds);
    const std::uint64_t whole = milliseconds < 0 ? 0 - bits : bits;
    const std::uint64_t seconds = whole / 1000;
    if (milliseconds < 0) {
        to.push_back('-');
    }
    append_decimal(to, seconds / 86400);
    to.push_back('~');
    append_decimal(to, seconds / 3600 % 24);
    to.push_back(':');
    append_decimal(to, seconds / 60 % 60);
    to.push_back(':');
    append_decimal(to, seconds % 60);
    if (whole % 1000 != 0) {
        to.push_back('.');
        append_zero_padded(to, whole % 1000, 3);
    }
}

void append_dump(std::string& to, Bytes bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i > 0) {
            to.push_back(' ');
        }
        append_hex_bytes(to, bytes.subspan(i, 1));
    }
}

void append_character(std::string& to, const Value& value, const DisplayOptions& options) {
    const bool is_narrow = value.bytes.size() == 1;
    append_display(to,
                   {.bytes = value.bytes.first(is_narrow ? 1 : 2),
                    .form = is_narrow ? Form::char8 : Form::char16},
                   options);
}

void append_item(std::string& to, const WppArgument& argument, const DisplayOptions& options) {
    const Value& value = argument.value;
    const std::size_t begin = to.size();
    if (value.error_space != ErrorSpace::none) {
        append_code(to, value);
    } else if (argument.shown_as == OutType::time_delta) {
        append_delta(to, static_cast<std::int64_t>(bits_of(value)));
    } else if (value.form == Form::filetime && value.bytes.size() == 8) {
        append_wpp_time(to, {load_le<std::int64_t>(value.bytes.data())},
                        options.utc_offset_minutes);
    } else if (value.form == Form::binary) {
        append_dump(to, value.bytes);
    } else {
        append_display(to, value, options);
    }
    if (argument.shown_as == OutType::text_line) {
        while (to.size() > begin && (to.back() == '\n' || to.back() == '\r')) {
            to.pop_back();
        }
    }
}

// WPP writes `s` for every floating-point notation of the source: `%.2f` arrives as `.2s`.
void append_real_argument(std::string& to, const Value& value, Notation notation) {
    if (!is_one_of(notation.conversion, "eEfFgGaA")) {
        notation.conversion = notation.precision == Notation::no_precision ? 'g' : 'f';
    }
    append_real(to, real_of(value), notation);
}

} // namespace

void append_wpp_time(std::string& to, Filetime time, int utc_offset_minutes) {
    const std::int64_t offset = std::int64_t{utc_offset_minutes} * 60 * Filetime::per_second;
    constexpr std::int64_t farthest = std::numeric_limits<std::int64_t>::max() / 2;
    const bool is_far =
        time.ticks > farthest || time.ticks < -farthest; // tens of thousands of years
    const std::int64_t local = is_far ? time.ticks : time.ticks + offset;
    const CivilTime civil = to_civil({local});
    append_zero_padded(to, civil.month, 2);
    to.push_back('/');
    append_zero_padded(to, civil.day, 2);
    to.push_back('/');
    append_integer(to, static_cast<std::uint64_t>(civil.year), 8,
                   {.precision = 4, .conversion = 'd'});
    to.push_back('-');
    append_zero_padded(to, civil.hour, 2);
    to.push_back(':');
    append_zero_padded(to, civil.minute, 2);
    to.push_back(':');
    append_zero_padded(to, civil.second, 2);
    to.push_back('.');
    append_zero_padded(to, civil.fraction, 7);
}

void append_wpp_number(std::string& to, std::uint64_t bits, unsigned size,
                       const Notation& notation) {
    if (shows_integers(notation)) {
        append_integer(to, bits, size, notation);
        return;
    }
    const std::size_t begin = to.size();
    append_decimal(to, bits);
    fit_text(to, begin, notation);
}

void append_wpp_argument(std::string& to, const WppArgument& argument, const Notation& notation,
                         const DisplayOptions& options) {
    const Value& value = argument.value;
    if (is_number(value) && shows_integers(notation)) {
        append_integer(to, number_of(value), static_cast<unsigned>(value.bytes.size()), notation);
        return;
    }
    if (is_real(value.form)) {
        append_real_argument(to, value, notation);
        return;
    }
    const std::size_t begin = to.size();
    if (is_number(value) && is_one_of(notation.conversion, "cC")) {
        append_character(to, value, options);
    } else {
        append_item(to, argument, options);
    }
    fit_text(to, begin, notation);
}

} // namespace etl::decode

#include "decode/wpp_text.hpp"

#include <etl/time.hpp>

#include "base/hex_pairs.hpp"
#include "base/layout.hpp"
#include "base/text.hpp"
#include "decode/known_names.hpp"
#include "decode/limits.hpp"
#include "decode/messages/printf_text.hpp"
#include "flow/event.hpp"

#include <bit>
#include <limits>

namespace etl::decode {

namespace {

using schema::OutType;
using schema::WppPiece;

/// One argument of a message. docs/format/wpp.md#items
struct WppArgument {
    Value value;
    OutType shown_as = OutType::none;
};

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

// `10/23/2003-12:27:40.1730000`
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

// A number of `size` bytes that is no argument.
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

// Under s it is the text of its item.
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

std::string_view component_of(const DecodedEvent& event) noexcept {
    const EventKind& kind = *event.kind;
    return kind.schema != nullptr && kind.schema->site ? kind.schema->site->component
           : kind.provider                             ? std::string_view(*kind.provider)
                                                       : std::string_view{};
}

std::string_view tag_of(const DecodedEvent& event) noexcept {
    const EventKind& kind = *event.kind;
    return kind.schema != nullptr && kind.schema->site ? kind.schema->symbol
           : kind.event                                ? std::string_view(*kind.event)
                                                       : std::string_view{};
}

// False: not a name that says something.
bool append_name(std::string& to, std::string_view name, const DecodedEvent& event) {
    const schema::EventSchema* schema = event.kind->schema;
    const schema::TraceSite* site = schema != nullptr ? schema->site.get() : nullptr;
    const auto of_site = [&](std::string schema::TraceSite::* member) {
        if (site != nullptr) {
            to.append(site->*member);
        }
        return true;
    };
    if (name == "FUNC") {
        return of_site(&schema::TraceSite::function);
    }
    if (name == "FILE") {
        return of_site(&schema::TraceSite::file);
    }
    if (name == "LINE") {
        return of_site(&schema::TraceSite::line);
    }
    if (name == "FLAGS" || name == "KEYWORDS") {
        return of_site(&schema::TraceSite::flags);
    }
    if (name == "LEVEL") {
        to.append(site == nullptr ? event.kind->level_name : site->level);
    } else if (name == "COMPNAME" || name == "MOD") {
        to.append(component_of(event));
    } else if (name == "TYP") {
        to.append(tag_of(event));
    } else {
        return name == "SUBCOMP"; // nothing that is at hand says it
    }
    return true;
}

} // namespace

void WppText::read_arguments(const DecodedEvent& event) {
    arguments_.clear();
    event_options_ = options_for(options_, event);
    if (event.kind->decoded_by != DecodedBy::wpp) {
        return;
    }
    walker_.start(event.kind->plan, event.body);
    for (Step step = walker_.next(); step != Step::end; step = walker_.next()) {
        if (step == Step::value) {
            arguments_.push_back(walker_.value());
        }
    }
}

void WppText::append_message(std::string& to, const DecodedEvent& event) {
    const std::size_t begin = to.size();
    read_arguments(event);
    append(to, event.kind->schema->message, event);
    while (to.size() > begin && (to.back() == '\n' || to.back() == '\r')) {
        to.pop_back();
    }
}

void WppText::append_prefix(std::string& to, std::string_view prefix, const DecodedEvent& event) {
    arguments_.clear();
    append(to, prefix, event);
}

void WppText::append(std::string& to, std::string_view format, const DecodedEvent& event) {
    const std::size_t end = to.size() + limits::wpp_message_bytes;
    schema::WppFormat pieces(format);
    for (WppPiece piece; to.size() < end && pieces.next(piece);) {
        const bool is_known =
            piece.kind == WppPiece::Kind::variable ? append_variable(to, piece, event)
            : piece.kind == WppPiece::Kind::name   ? append_name(to, piece.text, event)
                                                   : false;
        if (piece.kind == WppPiece::Kind::text) {
            to.append(piece.text);
        } else if (!is_known) {
            to.append(piece.spelling);
        }
    }
}

// False: there is no such argument in the payload.
bool WppText::append_argument(std::string& to, const WppPiece& piece, const DecodedEvent& event) {
    const std::size_t place = piece.number - schema::first_wpp_argument;
    if (place >= arguments_.size()) {
        return false;
    }
    append_wpp_argument(to, {arguments_[place], event.kind->schema->fields[place].out_type},
                        parse_notation(piece.text), event_options_);
    return true;
}

bool WppText::append_variable(std::string& to, const WppPiece& piece, const DecodedEvent& event) {
    if (piece.number >= schema::first_wpp_argument) {
        return append_argument(to, piece, event);
    }
    const flow::EventHeader& header = event.header;
    const Notation notation = parse_notation(piece.text);
    const std::size_t begin = to.size();
    switch (piece.number) {
    case 1:
        to.append(component_of(event));
        break;
    case 2:
        to.append(tag_of(event));
        break;
    case 3:
        append_wpp_number(to, header.thread_id, 4, notation);
        return true;
    case 4:
        if (const auto time = flow::wall_time(*event.event)) {
            append_wpp_time(to, *time, options_.utc_offset_minutes);
        } else {
            to.push_back('-');
        }
        break;
    case 5:
        append_wpp_number(to, header.kernel_time, 4, notation);
        return true;
    case 6:
        append_wpp_number(to, header.user_time, 4, notation);
        return true;
    case 7:
        append_wpp_number(to, header.sequence, 4, notation);
        return true;
    case 8:
        append_wpp_number(to, header.process_id, 4, notation);
        return true;
    case 9:
        append_wpp_number(to, event.event->buffer->processor, 4, notation);
        return true;
    default:
        return false;
    }
    fit_text(to, begin, notation);
    return true;
}

} // namespace etl::decode

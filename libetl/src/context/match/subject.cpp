#include "match/subject.hpp"

#include "base/text.hpp"
#include "decode/json_value.hpp"
#include "decode/known_names.hpp"
#include "schema/value_form.hpp"

#include <algorithm>

namespace etl::match {

namespace {

using decode::Form;

Number signed_number(std::int64_t value) noexcept {
    const auto bits = static_cast<std::uint64_t>(value);
    return {value < 0 ? ~bits + 1 : bits, value < 0};
}

/// The text of a value as JSON shows it, without quotes. Escapes stay: values of these forms have
/// none.
std::string_view shown(const decode::Value& value, std::string& scratch) {
    scratch.clear();
    {
        TextAppender tail(scratch);
        append_json_value(tail, value, {});
    }
    std::string_view text = scratch;
    if (text.size() >= 2 && text.front() == '"') {
        text = text.substr(1, text.size() - 2);
    }
    return text;
}

std::string_view text_in(const decode::Value& value, const CodePage* code_page,
                         std::string& scratch) {
    scratch.clear();
    if (value.form == Form::text16 || value.form == Form::char16) {
        append_utf16le(scratch, value.bytes);
    } else if (value.form == Form::utf8) {
        append_utf8(scratch, value.bytes);
    } else if (code_page != nullptr) {
        code_page->append(scratch, value.bytes);
    } else {
        append_ansi(scratch, value.bytes);
    }
    return std::string_view(scratch).substr(0, scratch.find('\0'));
}

bool is_text(Form form) noexcept {
    return form == Form::text16 || form == Form::text8 || form == Form::utf8 ||
           form == Form::char8 || form == Form::char16;
}

Subject integer_subject(const decode::Value& value) noexcept {
    Subject subject;
    subject.kind = Subject::Kind::number;
    subject.number = schema::is_signed(value.form) ? signed_number(decode::signed_of(value))
                                                   : Number{decode::bits_of(value)};
    subject.map = value.map;
    subject.error_space = value.error_space;
    return subject;
}

Subject real_subject(const decode::Value& value) noexcept {
    Subject subject;
    subject.kind = Subject::Kind::number;
    subject.number.real = value.form == Form::float32 ? double{load_le<float>(value.bytes.data())}
                                                      : load_le<double>(value.bytes.data());
    return subject;
}

Subject address_subject(Bytes address, std::optional<std::uint16_t> port) noexcept {
    Subject subject;
    subject.kind = Subject::Kind::address;
    subject.address = address_of(address);
    subject.port = port;
    return subject;
}

/// SOCKADDR_IN, SOCKADDR_IN6; others are text.
std::optional<Subject> socket_subject(Bytes bytes) noexcept {
    constexpr std::uint16_t family_ipv4 = 2;
    constexpr std::uint16_t family_ipv6 = 23;
    if (bytes.size() < 8) {
        return std::nullopt;
    }
    const auto family = load_le<std::uint16_t>(bytes.data());
    const auto port = static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes[2]) << 8U |
                                                 std::to_integer<unsigned>(bytes[3]));
    if (family == family_ipv4) {
        return address_subject(bytes.subspan(4, 4), port);
    }
    return family == family_ipv6 && bytes.size() >= 24
               ? std::optional(address_subject(bytes.subspan(8, 16), port))
               : std::nullopt;
}

/// The entry of a map with this name.
std::optional<std::uint64_t> value_named(const schema::ValueMap& map,
                                         std::string_view name) noexcept {
    const auto found = std::ranges::find_if(
        map.entries, [&](const auto& entry) { return equals_ignoring_case(entry.second, name); });
    return found == map.entries.end() ? std::nullopt : std::optional<std::uint64_t>(found->first);
}

/// Whether a number has a name that fits: of its map, or of its error code.
bool is_named(const Subject& subject, const std::string& glob) {
    if (subject.map != nullptr) {
        const bool is_bits = subject.map->kind == schema::ValueMap::Kind::bits;
        return std::ranges::any_of(subject.map->entries, [&](const auto& entry) {
            const bool applies = is_bits ? subject.number.bits == entry.first ||
                                               (entry.first != 0 &&
                                                (subject.number.bits & entry.first) == entry.first)
                                         : subject.number.bits == entry.first;
            return applies && matches_glob(glob, entry.second);
        });
    }
    if (subject.error_space != decode::ErrorSpace::none) {
        const std::string_view name = decode::error_name(
            subject.error_space, static_cast<std::uint32_t>(subject.number.bits));
        return !name.empty() && matches_glob(glob, name);
    }
    return false;
}

template <typename T>
int order_of(const T& one, const T& other) noexcept {
    return one < other ? -1 : other < one ? 1 : 0;
}

int order_of_texts(std::string_view one, std::string_view other) {
    return to_lower_ascii(one).compare(to_lower_ascii(other));
}

bool number_holds(const Subject& subject, Operator op, const Meaning& meaning) {
    std::optional<Number> other = meaning.number;
    if (!other && subject.kind == Subject::Kind::boolean && meaning.boolean) {
        other = Number{*meaning.boolean ? 1U : 0U};
    }
    if (!other && subject.map != nullptr && op != Operator::equal && op != Operator::not_equal) {
        const auto named = value_named(*subject.map, meaning.text);
        other = named ? std::optional(Number{*named}) : std::nullopt;
    }
    if (op == Operator::any_bits) {
        return other && !other->is_negative && !other->real && !subject.number.real &&
               (subject.number.bits & other->bits) != 0;
    }
    if (!other) {
        const bool is_equality = op == Operator::equal || op == Operator::not_equal;
        return is_equality && is_named(subject, meaning.text) == (op == Operator::equal);
    }
    const auto order = compare(subject.number, *other);
    return order ? is_ordered(op, *order) : op == Operator::not_equal;
}

bool text_holds(std::string_view text, Operator op, const Meaning& meaning) {
    if (op == Operator::equal || op == Operator::not_equal) {
        return matches_glob(meaning.text, text) == (op == Operator::equal);
    }
    if (meaning.number) { // a number that a program logged as text
        const auto number = parse_number(text);
        const auto order = number ? compare(Number{*number}, *meaning.number) : std::nullopt;
        return order && is_ordered(op, *order);
    }
    return is_ordered(op, order_of_texts(text, meaning.text));
}

bool address_holds(const Subject& subject, Operator op, const Meaning& meaning) {
    if (!meaning.network) {
        return false;
    }
    const bool is_inside = meaning.network->contains(subject.address) &&
                           (!meaning.network->port || meaning.network->port == subject.port);
    return op == Operator::equal ? is_inside : op == Operator::not_equal && !is_inside;
}

/// For regular expressions, and for times that are compared with a glob.
std::string_view text_of(const Subject& subject, std::string& scratch) {
    if (subject.kind == Subject::Kind::text) {
        return subject.text;
    }
    scratch.clear();
    switch (subject.kind) {
    case Subject::Kind::number:
        if (subject.number.real) {
            append_float(scratch, *subject.number.real);
        } else {
            scratch.append(subject.number.is_negative ? "-" : "");
            append_decimal(scratch, subject.number.bits);
        }
        break;
    case Subject::Kind::boolean:
        scratch = subject.number.bits != 0 ? "true" : "false";
        break;
    case Subject::Kind::time:
        append_rfc3339(scratch, subject.time);
        break;
    case Subject::Kind::guid:
        append_guid(scratch, subject.guid);
        break;
    case Subject::Kind::text:
    case Subject::Kind::address:
    case Subject::Kind::absent:
        break;
    }
    return scratch;
}

bool regex_holds(const Subject& subject, const Regex& regex, std::string& scratch) {
    if (subject.map != nullptr) {
        return std::ranges::any_of(subject.map->entries, [&](const auto& entry) {
            return entry.first == subject.number.bits && regex.finds(entry.second);
        });
    }
    return regex.finds(text_of(subject, scratch));
}

} // namespace

bool is_ordered(Operator op, int order) noexcept {
    switch (op) {
    case Operator::equal:
        return order == 0;
    case Operator::not_equal:
        return order != 0;
    case Operator::less:
        return order < 0;
    case Operator::less_equal:
        return order <= 0;
    case Operator::greater:
        return order > 0;
    case Operator::greater_equal:
        return order >= 0;
    case Operator::any_bits:
    case Operator::regex:
    case Operator::has:
        break;
    }
    return false;
}

Subject number_subject(std::uint64_t value) noexcept {
    Subject subject;
    subject.kind = Subject::Kind::number;
    subject.number.bits = value;
    return subject;
}

Subject text_subject(std::string_view text) noexcept {
    Subject subject;
    subject.kind = Subject::Kind::text;
    subject.text = text;
    return subject;
}

Subject guid_subject(const Guid& guid) noexcept {
    Subject subject;
    subject.kind = Subject::Kind::guid;
    subject.guid = guid;
    return subject;
}

Subject time_subject(Filetime time) noexcept {
    Subject subject;
    subject.kind = Subject::Kind::time;
    subject.time = time;
    return subject;
}

Subject subject_of(const decode::Value& value, const CodePage* code_page, std::string& scratch) {
    if (is_text(value.form)) {
        return text_subject(text_in(value, code_page, scratch));
    }
    if (schema::is_integer(value.form)) {
        return integer_subject(value);
    }
    if (value.form == Form::float32 || value.form == Form::float64) {
        return real_subject(value);
    }
    if (value.form == Form::boolean) {
        Subject subject = number_subject(
            std::ranges::any_of(value.bytes, [](std::byte byte) { return byte != std::byte{0}; })
                ? 1U
                : 0U);
        subject.kind = Subject::Kind::boolean;
        return subject;
    }
    if (value.form == Form::guid && value.bytes.size() == sizeof(Guid)) {
        return guid_subject(load_le<Guid>(value.bytes.data()));
    }
    if (value.form == Form::ipv4 || value.form == Form::ipv6) {
        Subject subject = address_subject(value.bytes, {});
        subject.text = shown(value, scratch);
        return subject;
    }
    if (value.form == Form::socket_address) {
        if (auto subject = socket_subject(value.bytes)) {
            subject->text = shown(value, scratch);
            return *subject;
        }
    }
    const std::string_view text = shown(value, scratch);
    if (value.form == Form::filetime || value.form == Form::systemtime) {
        const auto time = parse_rfc3339(text);
        return time ? time_subject(*time) : text_subject(text);
    }
    if (const auto number = parse_number(text)) { // ports and ticks
        return number_subject(*number);
    }
    return text == "null" ? Subject{} : text_subject(text);
}

bool holds(const Subject& subject, Operator op, const Meaning& meaning, std::string& scratch) {
    if (subject.kind == Subject::Kind::absent) {
        return false;
    }
    if (op == Operator::regex) {
        return meaning.regex && (subject.kind == Subject::Kind::address
                                     ? meaning.regex->finds(subject.text)
                                     : regex_holds(subject, *meaning.regex, scratch));
    }
    switch (subject.kind) {
    case Subject::Kind::number:
    case Subject::Kind::boolean:
        return number_holds(subject, op, meaning);
    case Subject::Kind::text:
        return text_holds(subject.text, op, meaning);
    case Subject::Kind::time:
        return meaning.time ? is_ordered(op, order_of(subject.time, *meaning.time))
                            : text_holds(text_of(subject, scratch), op, meaning);
    case Subject::Kind::guid:
        return meaning.guid ? (*meaning.guid == subject.guid) == (op == Operator::equal) &&
                                  (op == Operator::equal || op == Operator::not_equal)
                            : text_holds(text_of(subject, scratch), op, meaning);
    case Subject::Kind::address:
        return meaning.network ? address_holds(subject, op, meaning)
                               : text_holds(subject.text, op, meaning);
    case Subject::Kind::absent:
        break;
    }
    return false;
}

namespace {

using flow::Event;
using flow::EventHeader;
using Found = std::optional<std::uint64_t>;

Found processor(const Event& event, const EventHeader& /*header*/) {
    return event.buffer->processor;
}

Found buffer_number(const Event& event, const EventHeader& /*header*/) {
    return event.buffer->number;
}

Found offset(const Event& event, const EventHeader& /*header*/) {
    return event.offset();
}

template <auto member>
Found stored(const Event& /*event*/, const EventHeader& header) {
    return header.*member;
}

template <auto member>
Found id_if_any(const Event& /*event*/, const EventHeader& header) {
    return header.*member == flow::no_id ? std::nullopt : Found(header.*member);
}

Found hook_if_any(const Event& /*event*/, const EventHeader& header) {
    return header.is_kernel ? Found(header.hook_id) : std::nullopt;
}

struct Entry {
    Operand operand;
    HeaderNumber read;
};

constexpr Entry entries[] = {{Operand::cpu, processor},
                             {Operand::pid, id_if_any<&EventHeader::process_id>},
                             {Operand::tid, id_if_any<&EventHeader::thread_id>},
                             {Operand::buffer, buffer_number},
                             {Operand::offset, offset},
                             {Operand::flags, stored<&EventHeader::flags>},
                             {Operand::id, stored<&EventHeader::id>},
                             {Operand::version, stored<&EventHeader::version>},
                             {Operand::channel, stored<&EventHeader::channel>},
                             {Operand::level, stored<&EventHeader::level>},
                             {Operand::opcode, stored<&EventHeader::opcode>},
                             {Operand::task, stored<&EventHeader::task>},
                             {Operand::keyword, stored<&EventHeader::keyword>},
                             {Operand::hook_id, hook_if_any}};

} // namespace

HeaderNumber header_number(Operand operand) noexcept {
    const auto* const found = std::ranges::find(entries, operand, &Entry::operand);
    return found != std::end(entries) ? found->read : nullptr;
}

} // namespace etl::match

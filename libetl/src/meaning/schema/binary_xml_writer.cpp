#include <etl/byte_writer.hpp>

#include "base/text.hpp"
#include "evtx/tokens.hpp"
#include "schema/binary_xml.hpp"
#include "schema/event_schema.hpp"
#include "schema/limits.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

namespace etl::schema {

namespace {

/// The tokens of binary XML: elements, attributes, text and inserts, written one by one.
/// docs/format/decoding.md#event-information
class BinaryXmlTokens {
public:
    BinaryXmlTokens(const EventSchema& schema, ByteWriter& out);

    void begin_fragment();
    void end_fragment();

    /// Gives where the element's size is to be filled in.
    std::size_t open(std::string_view element, bool has_attributes);
    void start_content();
    void close(std::size_t size);
    void close_empty(std::size_t size);

    std::size_t reserve();
    void fill_in(std::size_t size);

    /// Gives the position of its token, for has_more().
    std::size_t attribute(std::string_view text);
    void has_more(std::size_t attribute);

    /// Even when it is empty.
    void text(std::string_view utf8);
    void entity(std::string_view text);
    void substitution(std::uint16_t index);

    const std::vector<std::uint16_t>& top_level() const noexcept { return top_level_; }

private:
    void name(std::string_view utf8);

    const EventSchema& schema_;
    std::vector<std::uint16_t> top_level_;
    ByteWriter& out_;
};

using evtx::Token;
using evtx::ValueType;

template <typename T>
constexpr std::uint8_t byte(T token) noexcept {
    return static_cast<std::uint8_t>(token);
}

// The type that a substitution names: that of .evtx values, which are those of in types as far as
// both know them.
std::uint8_t value_type(const Field& field) noexcept {
    const std::uint8_t flag =
        field.count.kind == Extent::Kind::natural ? std::uint8_t{0} : evtx::array_bit;
    const auto with = [&](auto type) { return static_cast<std::uint8_t>(byte(type) | flag); };
    const InType type = field.in_type;
    if (type == InType::counted_unicode_string) {
        return with(ValueType::string);
    }
    if (type == InType::counted_ansi_string) {
        return with(ValueType::ansi);
    }
    if (type == InType::counted_binary || type == InType::structure) {
        return with(ValueType::binary);
    }
    return type <= InType::hex_int64 ? with(type) : flag;
}

BinaryXmlTokens::BinaryXmlTokens(const EventSchema& schema, ByteWriter& out)
    : schema_(schema), top_level_(schema.top_level()), out_(out) {}

void BinaryXmlTokens::begin_fragment() {
    out_.u8(byte(Token::fragment_header)).u8(1).u8(1).u8(0);
}

void BinaryXmlTokens::end_fragment() {
    out_.u8(byte(Token::end_of_fragment));
}

std::size_t BinaryXmlTokens::open(std::string_view element, bool has_attributes) {
    const auto flag = has_attributes ? evtx::more_bit : std::uint8_t{0};
    out_.u8(static_cast<std::uint8_t>(byte(Token::open_element) | flag)).u16(0xFFFF);
    const std::size_t size = reserve();
    name(element);
    return size;
}

void BinaryXmlTokens::start_content() {
    out_.u8(byte(Token::close_start));
}

void BinaryXmlTokens::close(std::size_t size) {
    out_.u8(byte(Token::end_element));
    fill_in(size);
}

void BinaryXmlTokens::close_empty(std::size_t size) {
    out_.u8(byte(Token::close_empty));
    fill_in(size);
}

std::size_t BinaryXmlTokens::reserve() {
    out_.u32(0);
    return out_.size() - 4;
}

void BinaryXmlTokens::fill_in(std::size_t size) {
    out_.patch(size, static_cast<std::uint32_t>(out_.size() - size - 4));
}

std::size_t BinaryXmlTokens::attribute(std::string_view text) {
    out_.u8(byte(Token::attribute));
    const std::size_t at = out_.size() - 1;
    name(text);
    return at;
}

void BinaryXmlTokens::has_more(std::size_t attribute) {
    out_.patch(attribute, static_cast<std::uint8_t>(byte(Token::attribute) | evtx::more_bit));
}

void BinaryXmlTokens::text(std::string_view utf8) {
    constexpr std::size_t max = 0xFFFF;
    const std::u16string units = to_utf16(utf8);
    std::u16string_view left = units;
    do {
        std::u16string_view part = left.substr(0, max);
        if (part.size() == max && part.back() >= 0xD800 && part.back() < 0xDC00) {
            part.remove_suffix(1); // surrogates stay together
        }
        out_.u8(byte(Token::text))
            .u8(byte(ValueType::string))
            .u16(static_cast<std::uint16_t>(part.size()));
        out_.text16(part);
        left.remove_prefix(part.size());
    } while (!left.empty());
}

void BinaryXmlTokens::entity(std::string_view text) {
    out_.u8(byte(Token::entity));
    name(text);
}

void BinaryXmlTokens::substitution(std::uint16_t index) {
    const std::uint8_t type =
        index < top_level_.size() ? value_type(schema_.fields[top_level_[index]]) : 0;
    out_.u8(byte(Token::substitution)).u16(index).u8(type);
}

void BinaryXmlTokens::name(std::string_view utf8) {
    std::u16string units = to_utf16(utf8);
    units.resize(std::min<std::size_t>(units.size(), 0xFFFF));
    const std::uint32_t hash = evtx::name_hash(units);
    out_.u16(static_cast<std::uint16_t>(hash)).u16(static_cast<std::uint16_t>(units.size()));
    out_.zero_terminated16(units);
}

// Reads XML as read_user_data and the manifest loader spell it, and writes tokens.
class Converter {
public:
    Converter(std::string_view xml, BinaryXmlTokens& to) : in_(xml), to_(to) {}

    bool run() {
        skip_blanks();
        // A root of that name stands for what is in it.
        constexpr std::string_view wrapper = "UserData";
        const bool is_wrapped = name_at(1) == wrapper;
        std::size_t size = 0;
        if (is_wrapped) {
            size = to_.open(wrapper, false);
            to_.start_content();
        }
        if (!element(is_wrapped ? 1 : 0)) {
            return false;
        }
        if (is_wrapped) {
            to_.close(size);
        }
        return true;
    }

private:
    enum class Place : std::uint8_t { content, attribute };

    static bool is_blank(char c) noexcept {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    void skip_blanks() {
        while (!in_.empty() && is_blank(in_.front())) {
            in_.remove_prefix(1);
        }
    }

    bool take(std::string_view text) {
        if (!in_.starts_with(text)) {
            return false;
        }
        in_.remove_prefix(text.size());
        return true;
    }

    /// Up to and without `end`, which is taken too.
    std::optional<std::string_view> take_until(std::string_view end) {
        const std::size_t at = in_.find(end);
        if (at == in_.npos) {
            return std::nullopt;
        }
        const std::string_view taken = in_.substr(0, at);
        in_.remove_prefix(at + end.size());
        return taken;
    }

    std::string_view name_at(std::size_t at) const noexcept {
        const std::string_view rest = in_.substr(std::min(at, in_.size()));
        std::size_t size = 0;
        while (size < rest.size() && evtx::is_name_character(rest[size])) {
            ++size;
        }
        return rest.substr(0, size);
    }

    std::string_view take_name() {
        const std::string_view name = name_at(0);
        in_.remove_prefix(name.size());
        return name;
    }

    bool element(std::size_t depth) {
        if (depth >= limits::user_data_depth || !take("<")) {
            return false;
        }
        const std::string_view name = take_name();
        const bool has_attributes = !in_.empty() && is_blank(in_.front()) && attribute_follows();
        if (name.empty()) {
            return false;
        }
        const std::size_t size = to_.open(name, has_attributes);
        if (has_attributes && !attributes()) {
            return false;
        }
        skip_blanks();
        if (take("/>")) {
            to_.close_empty(size);
            return true;
        }
        if (!take(">")) {
            return false;
        }
        to_.start_content();
        if (take("</")) {
            to_.text({}); // there is content, if nothing in it
        } else if (!content(depth) || !take("</")) {
            return false;
        }
        if (take_name() != name) {
            return false;
        }
        skip_blanks();
        to_.close(size);
        return take(">");
    }

    bool attribute_follows() {
        skip_blanks();
        return !name_at(0).empty();
    }

    bool attributes() {
        const std::size_t size = to_.reserve();
        std::size_t last = 0;
        for (bool is_first = true; attribute_follows(); is_first = false) {
            if (!is_first) {
                to_.has_more(last);
            }
            last = to_.attribute(take_name());
            skip_blanks();
            if (!take("=")) {
                return false;
            }
            skip_blanks();
            const std::string_view quote = in_.substr(0, 1);
            if ((quote != "\"" && quote != "'") || !take(quote)) {
                return false;
            }
            const auto value = take_until(quote);
            if (!value) {
                return false;
            }
            text(*value, Place::attribute);
        }
        to_.fill_in(size);
        return true;
    }

    // Up to the end tag.
    bool content(std::size_t depth) {
        while (!in_.starts_with("</")) {
            if (in_.empty()) {
                return false;
            }
            if (take("<!--")) {
                if (!take_until("-->")) {
                    return false;
                }
            } else if (take("<![CDATA[")) {
                const auto data = take_until("]]>");
                if (!data) {
                    return false;
                }
                to_.text(*data);
            } else if (take("<?")) {
                if (!take_until("?>")) {
                    return false;
                }
            } else if (in_.front() == '<') {
                if (!element(depth + 1)) {
                    return false;
                }
            } else {
                const std::string_view run = in_.substr(0, in_.find('<'));
                in_.remove_prefix(run.size());
                text(run, Place::content);
            }
        }
        return true;
    }

    // Characters, entities and inserts.
    void text(std::string_view from, Place place) {
        std::string plain;
        const auto flush = [&] {
            if (!plain.empty()) {
                to_.text(plain);
                plain.clear();
            }
        };
        while (!from.empty()) {
            std::size_t used = 1;
            if (const auto index = insert_at(from, used)) {
                flush();
                to_.substitution(*index);
            } else if (const std::string_view name = entity_at(from, used); !name.empty()) {
                if (!append_known(plain, name, place)) {
                    flush();
                    to_.entity(name);
                }
            } else {
                plain += from.front();
            }
            from.remove_prefix(used);
        }
        flush();
    }

    // `%1` to `%65536`, as they are written without need.
    static std::optional<std::uint16_t> insert_at(std::string_view text, std::size_t& used) {
        if (text.size() < 2 || text[0] != '%' || text[1] < '1' || text[1] > '9') {
            return std::nullopt;
        }
        std::uint32_t number = 0;
        const auto [end, error] =
            std::from_chars(text.data() + 1, text.data() + text.size(), number);
        if (error != std::errc{} || number > 0x10000) {
            return std::nullopt;
        }
        used = static_cast<std::size_t>(end - text.data());
        return static_cast<std::uint16_t>(number - 1);
    }

    static std::string_view entity_at(std::string_view text, std::size_t& used) {
        const std::size_t end = text[0] == '&' ? text.find(';') : text.npos;
        if (end == text.npos) {
            return {};
        }
        const std::string_view name = text.substr(1, end - 1);
        const bool is_number = name.starts_with('#');
        for (const char c : is_number ? name.substr(1) : name) {
            if (!evtx::is_name_character(c)) {
                return {};
            }
        }
        used = end + 1;
        return name;
    }

    // What reading escapes again, there, and numbers.
    static bool append_known(std::string& to, std::string_view name, Place place) {
        if (name == "amp") {
            to += '&';
        } else if (name == "lt") {
            to += '<';
        } else if (name == "gt") {
            to += '>';
        } else if (name == "quot" && place == Place::attribute) {
            to += '"';
        } else if (name.starts_with('#')) {
            const bool is_hex = name.substr(1, 1) == "x" || name.substr(1, 1) == "X";
            const std::string_view digits = name.substr(is_hex ? 2 : 1);
            std::uint32_t code = 0;
            std::from_chars(digits.data(), digits.data() + digits.size(), code, is_hex ? 16 : 10);
            append_code_point(to, code);
        } else {
            return false;
        }
        return true;
    }

    std::string_view in_;
    BinaryXmlTokens& to_;
};

} // namespace

void write_event_data(const EventSchema& schema, ByteWriter& to) {
    BinaryXmlTokens tokens(schema, to);
    tokens.begin_fragment();
    const std::size_t root = tokens.open("EventData", false);
    tokens.start_content();
    for (std::size_t i = 0; i < tokens.top_level().size() && i <= 0xFFFF; ++i) {
        const Field& field = schema.fields[tokens.top_level()[i]];
        const bool is_complex = field.in_type == InType::structure;
        const std::size_t data = tokens.open(is_complex ? "ComplexData" : "Data", true);
        const std::size_t attributes = tokens.reserve();
        tokens.attribute("Name");
        tokens.text(field.name);
        tokens.fill_in(attributes);
        tokens.start_content();
        tokens.substitution(static_cast<std::uint16_t>(i));
        tokens.close(data);
    }
    tokens.close(root);
    tokens.end_fragment();
}

bool write_user_data(std::string_view xml, const EventSchema& schema, ByteWriter& to) {
    ByteWriter fragment;
    BinaryXmlTokens tokens(schema, fragment);
    tokens.begin_fragment();
    if (!Converter(xml, tokens).run()) {
        return false;
    }
    tokens.end_fragment();
    to.bytes(fragment.view());
    return true;
}

} // namespace etl::schema

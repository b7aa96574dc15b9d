#include "schema/binary_xml.hpp"

#include "base/cursor.hpp"
#include "base/text.hpp"
#include "evtx/tokens.hpp"
#include "schema/limits.hpp"

#include <vector>

namespace etl::schema {

namespace {

using evtx::Token;
using evtx::token_of;

constexpr auto utf16_text = static_cast<std::uint8_t>(evtx::ValueType::string);

enum class Place : std::uint8_t { content, attribute };

void append_escaped(std::string& to, std::string_view text, Place place) {
    for (const char c : text) {
        if (c == '&') {
            to += "&amp;";
        } else if (c == '<') {
            to += "&lt;";
        } else if (c == '>') {
            to += "&gt;";
        } else if (c == '"' && place == Place::attribute) {
            to += "&quot;";
        } else {
            to += c;
        }
    }
}

class XmlReader {
public:
    XmlReader(Bytes fragment, FileOffset where)
        : fragment_(fragment), where_(where), in_(fragment, where) {}

    Result<std::string> read() {
        if (next() != Token::fragment_header) {
            return std::unexpected(malformed("header of binary XML"));
        }
        in_.bytes("header of binary XML", 3); // version and flags
        if (next() != Token::open_element) {
            return std::unexpected(malformed("root of binary XML"));
        }
        open_element();
        while (!open_.empty() && !failed_ && in_) {
            step();
        }
        if (failed_ || !in_) {
            return std::unexpected(failed_ ? error_ : in_.error());
        }
        return root_ == "UserData" ? xml_.substr(child_begin_, child_end_ - child_begin_) : xml_;
    }

private:
    struct Element {
        std::string name;
        bool has_content = false;
    };

    Token next() {
        token_ = in_.u8("token of binary XML");
        return token_of(token_);
    }

    Token peek() const noexcept {
        const Bytes rest = clamped(fragment_, in_.position(), 1);
        return rest.empty() ? Token::end_of_fragment
                            : token_of(std::to_integer<std::uint8_t>(rest[0]));
    }

    Error malformed(const char* what) const noexcept {
        return in_ ? Error{ErrorCode::malformed, what, where_ + in_.position(), 0, 0, 0}
                   : in_.error();
    }

    void lose(ErrorCode code, const char* what) {
        if (!failed_) {
            failed_ = true;
            error_ = malformed(what);
            error_.code = in_ ? code : error_.code;
        }
    }

    // One token of an element's content.
    void step() {
        switch (next()) {
        case Token::open_element:
            begin_content();
            open_element();
            break;
        case Token::end_element:
            close_element();
            break;
        case Token::text:
        case Token::character:
        case Token::entity:
        case Token::substitution:
        case Token::optional_substitution:
            begin_content();
            value(Place::content);
            break;
        case Token::cdata:
            begin_content();
            append_escaped(xml_, counted_text(), Place::content);
            break;
        case Token::instruction:
            name();
            break;
        case Token::instruction_data:
            counted_text();
            break;
        case Token::end_of_fragment:
        case Token::close_start:
        case Token::close_empty:
        case Token::attribute:
        case Token::fragment_header:
            lose(ErrorCode::malformed, "token of binary XML");
            break;
        case Token::template_instance:
            lose(ErrorCode::unsupported, "token of binary XML");
            break;
        }
    }

    // The token is read.
    void open_element() {
        if (open_.size() == limits::user_data_depth) {
            return lose(ErrorCode::limit, "nesting of binary XML");
        }
        const bool attributes_follow = (token_ & evtx::more_bit) != 0;
        in_.u16("dependency of an element");
        in_.u32("size of an element");
        Element element{name()};
        if (open_.empty()) {
            root_ = element.name;
        } else if (open_.size() == 1 && child_end_ == 0) {
            child_begin_ = xml_.size();
        }
        xml_ += '<';
        xml_ += element.name;
        if (attributes_follow) {
            in_.u32("size of attributes");
            while (in_ && !failed_ && peek() == Token::attribute) {
                attribute();
            }
        }
        open_.push_back(std::move(element));
        const Token end = next();
        if (end == Token::close_empty) {
            close_element();
        } else if (end != Token::close_start) {
            lose(ErrorCode::malformed, "start of an element of binary XML");
        }
    }

    void close_element() {
        const Element element = std::move(open_.back());
        open_.pop_back();
        if (element.has_content) {
            xml_ += "</";
            xml_ += element.name;
            xml_ += '>';
        } else {
            xml_ += "/>";
        }
        if (open_.size() == 1 && child_end_ == 0) {
            child_end_ = xml_.size();
        }
    }

    void begin_content() {
        if (!open_.back().has_content) {
            open_.back().has_content = true;
            xml_ += '>';
        }
    }

    void attribute() {
        next();
        xml_ += ' ';
        xml_ += name();
        xml_ += "=\"";
        while (in_ && !failed_ && evtx::is_value(peek())) {
            next();
            value(Place::attribute);
        }
        xml_ += '"';
    }

    // The token is read.
    void value(Place place) {
        const Token token = token_of(token_);
        if (token == Token::text) {
            if (in_.u8("type of a text") != utf16_text) {
                return lose(ErrorCode::unsupported, "type of a text of binary XML");
            }
            append_escaped(xml_, counted_text(), place);
        } else if (token == Token::character) {
            std::string character;
            append_code_point(character, in_.u16("character"));
            append_escaped(xml_, character, place);
        } else if (token == Token::entity) {
            xml_ += '&';
            xml_ += name();
            xml_ += ';';
        } else {
            const std::uint16_t index = in_.u16("index of a field");
            in_.u8("type of a field");
            xml_ += '%';
            append_decimal(xml_, index + 1U);
        }
    }

    std::string counted_text() {
        std::string text;
        append_utf16le(text, in_.bytes("text", std::size_t{in_.u16("size of a text")} * 2));
        return text;
    }

    std::string name() {
        in_.u16("hash of a name");
        std::string text = counted_text();
        in_.u16("end of a name");
        if (in_ && !evtx::is_xml_name(text)) {
            lose(ErrorCode::malformed, "name of binary XML");
        }
        return text;
    }

    Bytes fragment_;
    FileOffset where_;
    Cursor in_;
    std::uint8_t token_ = 0;
    std::vector<Element> open_;
    std::string xml_;
    std::string root_;
    std::size_t child_begin_ = 0; // of the root's first child, in xml_
    std::size_t child_end_ = 0;
    bool failed_ = false;
    Error error_{};
};

} // namespace

Result<std::string> read_user_data(Bytes fragment, FileOffset where) {
    return XmlReader(fragment, where).read();
}

} // namespace etl::schema

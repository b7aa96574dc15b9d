#include "sink/windows/user_data.hpp"

#include "base/text.hpp"
#include "schema/limits.hpp"

#include <algorithm>

namespace etl::sink {

namespace {

constexpr bool is_name_start(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

constexpr bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

/// Copies an element while checking it. Names are those that every parser accepts: ASCII, with
/// prefixes that are declared.
class TemplateReader {
public:
    using Piece = UserDataTemplate::Piece;
    using Node = UserDataTemplate::Node;

    TemplateReader(std::string_view xml, char quote) : left_(trimmed(xml)), quote_(quote) {}

    bool read() { return is_valid_utf8(left_) && element(0) && left_.empty(); }

    std::vector<Piece> take() {
        pieces_.push_back({std::move(text_)});
        return std::move(pieces_);
    }

    std::vector<Node> take_nodes() { return std::move(nodes_); }

private:
    bool take(std::string_view word) {
        if (!left_.starts_with(word)) {
            return false;
        }
        left_.remove_prefix(word.size());
        return true;
    }

    void skip_blanks() {
        left_.remove_prefix(std::min(left_.find_first_not_of(blanks), left_.size()));
    }

    std::string_view take_name() {
        std::size_t size = 0;
        while (size < left_.size() && (is_name_start(left_[size]) ||
                                       (size > 0 && (is_digit(left_[size]) || left_[size] == '-' ||
                                                     left_[size] == '.')))) {
            ++size;
        }
        const std::string_view name = left_.substr(0, size);
        left_.remove_prefix(size);
        return name;
    }

    /// `Name` or `prefix:Name`.
    std::string take_qualified_name() {
        std::string name(take_name());
        if (!name.empty() && take(":")) {
            const std::string_view local = take_name();
            name = local.empty() ? std::string() : name.append(":").append(local);
        }
        return name;
    }

    /// Whether the prefix of a name, if it has one, is declared.
    bool is_declared(std::string_view name) const noexcept {
        const std::size_t colon = name.find(':');
        return colon == name.npos ||
               std::ranges::find(prefixes_, name.substr(0, colon)) != prefixes_.end();
    }

    bool element(std::size_t depth) {
        const std::size_t before = prefixes_.size();
        const bool is_good = scoped_element(depth);
        prefixes_.resize(before);
        return is_good;
    }

    bool scoped_element(std::size_t depth) {
        if (depth >= schema::limits::user_data_depth || !take("<")) {
            return false;
        }
        const std::string name = take_qualified_name();
        if (name.empty()) {
            return false;
        }
        text_.append("<").append(name);
        nodes_.push_back({Node::Kind::element, name});
        if (!attributes() || !is_declared(name)) {
            return false;
        }
        if (take("/>")) {
            text_.append("/>");
            nodes_.push_back({Node::Kind::end});
            return true;
        }
        if (!take(">")) {
            return false;
        }
        text_.append(">");
        if (!content(depth) || !take("</") || take_qualified_name() != name) {
            return false;
        }
        skip_blanks();
        text_.append("</").append(name).append(">");
        nodes_.push_back({Node::Kind::end});
        return take(">");
    }

    bool attributes() {
        std::vector<std::string> names;
        for (;;) {
            const std::size_t before = left_.size();
            skip_blanks();
            if (left_.starts_with('/') || left_.starts_with('>')) {
                return std::ranges::all_of(names, [this](const std::string& name) {
                    return name.starts_with("xmlns:") || is_declared(name);
                });
            }
            std::string name = take_qualified_name();
            constexpr std::string_view declaration = "xmlns:";
            if (name.starts_with(declaration)) {
                prefixes_.push_back(name.substr(declaration.size()));
                if (prefixes_.back().starts_with("xml")) {
                    return false;
                }
            }
            const bool is_new = std::ranges::find(names, name) == names.end();
            if (name.empty() || left_.size() == before || !is_new || !attribute(name)) {
                return false;
            }
            names.push_back(std::move(name));
        }
    }

    /// Prefixes need a name, and those of XML itself cannot be declared.
    static bool is_namespace(std::string_view name, std::string_view value) noexcept {
        return (!value.empty() || name == "xmlns") &&
               value != "http://www.w3.org/XML/1998/namespace" &&
               value != "http://www.w3.org/2000/xmlns/" && !value.contains('&');
    }

    bool attribute(std::string_view name) {
        skip_blanks();
        if (!take("=")) {
            return false;
        }
        skip_blanks();
        const std::string_view quote = left_.substr(0, 1);
        if ((quote != "\"" && quote != "'") || !take(quote)) {
            return false;
        }
        const std::string_view value = left_.substr(0, left_.find(quote));
        if (value.size() == left_.size() || value.contains('<') ||
            (name.starts_with("xmlns") && !is_namespace(name, value))) {
            return false;
        }
        left_.remove_prefix(value.size() + 1);
        text_.append(" ").append(name).append("=").push_back(quote_);
        nodes_.push_back({Node::Kind::attribute, std::string(name)});
        if (!text(value, XmlPlace::attribute)) {
            return false;
        }
        text_.push_back(quote_);
        return true;
    }

    /// Up to the end tag. Comments are dropped.
    bool content(std::size_t depth) {
        while (!left_.empty() && !left_.starts_with("</")) {
            if (take("<!--")) {
                const std::size_t end = left_.find("-->");
                if (end == left_.npos) {
                    return false;
                }
                left_.remove_prefix(end + 3);
            } else if (left_.starts_with('<')) {
                if (!element(depth + 1)) {
                    return false;
                }
            } else {
                const std::string_view content =
                    left_.substr(0, std::min(left_.find('<'), left_.size()));
                left_.remove_prefix(content.size());
                if (!text(content, XmlPlace::content)) {
                    return false;
                }
            }
        }
        return !left_.empty();
    }

    /// The attribute that has begun, or a text of the element.
    Node& content_node(XmlPlace place) {
        return place == XmlPlace::attribute ? nodes_.back()
                                            : nodes_.emplace_back(Node{Node::Kind::text});
    }

    /// `%12`, with blanks around it: the number of a field. Everything else is text.
    bool text(std::string_view escaped, XmlPlace place) {
        const std::string_view insert = trimmed(escaped);
        if (insert.size() >= 2 && insert.size() <= 5 && insert.front() == '%' && insert[1] != '0' &&
            std::ranges::all_of(insert.substr(1), is_digit)) {
            const auto number = static_cast<std::uint32_t>(*parse_number(insert.substr(1)) - 1);
            pieces_.push_back({std::move(text_), number, place});
            text_.clear();
            content_node(place).field = number;
            return true;
        }
        std::string unescaped;
        if (!unescape(unescaped, escaped)) {
            return false;
        }
        append_xml_escaped(text_, unescaped, place);
        if (place == XmlPlace::attribute || !trimmed(unescaped).empty()) {
            content_node(place).text = std::move(unescaped);
        }
        return true;
    }

    /// False: a reference that is not one of XML's own.
    static bool unescape(std::string& to, std::string_view escaped) {
        constexpr std::pair<std::string_view, char> names[] = {
            {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
        for (;;) {
            const std::size_t mark = escaped.find('&');
            to.append(escaped.substr(0, mark));
            if (mark == escaped.npos) {
                return true;
            }
            const std::size_t end = escaped.find(';', mark);
            if (end == escaped.npos) {
                return false;
            }
            const std::string_view name = escaped.substr(mark + 1, end - mark - 1);
            escaped.remove_prefix(end + 1);
            const auto* const known =
                std::ranges::find(names, name, &std::pair<std::string_view, char>::first);
            if (known != std::end(names)) {
                to.push_back(known->second);
            } else if (!append_character(to, name)) {
                return false;
            }
        }
    }

    /// `#10` or `#xA`.
    static bool append_character(std::string& to, std::string_view reference) {
        if (!reference.starts_with('#')) {
            return false;
        }
        std::string number(reference.substr(1));
        if (number.starts_with('x')) {
            number.insert(0, "0");
        }
        const auto code = parse_number(number);
        if (!code || *code > 0x10FFFF) {
            return false;
        }
        append_code_point(to, static_cast<std::uint32_t>(*code));
        return true;
    }

    std::string_view left_;
    char quote_;
    std::vector<std::string> prefixes_; // declared by the elements that are open
    std::string text_;                  // since the last insert
    std::vector<Piece> pieces_;
    std::vector<Node> nodes_;
};

} // namespace

std::optional<UserDataTemplate> UserDataTemplate::parse(std::string_view xml, char quote) {
    TemplateReader reader(xml, quote);
    if (!reader.read()) {
        return std::nullopt;
    }
    UserDataTemplate result;
    result.pieces_ = reader.take();
    result.nodes_ = reader.take_nodes();
    return result;
}

} // namespace etl::sink

// A strict check of XML as event XML uses it: elements, attributes, text. Written from the
// recommendation, independently of the writers.
#pragma once

#include "base/text.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace etl::test {

/// Reads one document, or a sequence of elements.
class XmlChecker {
public:
    explicit XmlChecker(std::string_view text) : left_(text) {}

    /// Empty: the text is well-formed. Otherwise what is wrong.
    std::string problem() {
        if (!is_valid_utf8(left_)) {
            return "not UTF-8";
        }
        while (problem_.empty() && !left_.empty()) {
            left_.starts_with('<') ? tag() : text();
        }
        return problem_.empty() && !open_.empty() ? "open: " + open_.back() : problem_;
    }

private:
    void fail(std::string_view why) {
        problem_ = std::string(why) + " at: " + std::string(left_.substr(0, 60));
    }

    bool take(std::string_view word) {
        const bool is_next = left_.starts_with(word);
        left_.remove_prefix(is_next ? word.size() : 0);
        return is_next;
    }

    std::string name() {
        const auto is_name = [](char c, bool first) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
                   (!first && ((c >= '0' && c <= '9') || c == '-' || c == '.' || c == ':'));
        };
        std::size_t size = 0;
        while (size < left_.size() && is_name(left_[size], size == 0)) {
            ++size;
        }
        std::string result(left_.substr(0, size));
        left_.remove_prefix(size);
        if (result.empty()) {
            fail("name expected");
        }
        return result;
    }

    void blanks() {
        while (!left_.empty() && (left_.front() == ' ' || left_.front() == '\n')) {
            left_.remove_prefix(1);
        }
    }

    void tag() {
        if (take("</")) {
            const std::string closed = name();
            if (open_.empty() || open_.back() != closed || !take(">")) {
                fail("end tag of " + closed);
                return;
            }
            open_.pop_back();
            return;
        }
        take("<");
        open_.push_back(name());
        std::set<std::string> attributes;
        for (;;) {
            blanks();
            if (!problem_.empty() || take(">")) {
                return;
            }
            if (take("/>")) {
                open_.pop_back();
                return;
            }
            const std::string attribute = name();
            if (!attributes.insert(attribute).second || !take("=")) {
                fail("attribute " + attribute);
                return;
            }
            value();
        }
    }

    void value() {
        const std::string_view quote = take("'") ? "'" : take("\"") ? "\"" : "";
        while (!quote.empty() && !left_.empty() && problem_.empty()) {
            if (take(quote)) {
                return;
            }
            if (left_.starts_with('<')) {
                break;
            }
            character();
        }
        fail("attribute value");
    }

    void text() {
        while (problem_.empty() && !left_.empty() && !left_.starts_with('<')) {
            if (left_.starts_with("]]>")) {
                fail("]]>");
            }
            if (open_.empty() && !left_.starts_with('\n')) {
                fail("text outside of elements");
            }
            character();
        }
    }

    void character() {
        if (take("&")) {
            for (const std::string_view known :
                 {"lt;", "gt;", "amp;", "quot;", "apos;", "#9;", "#10;", "#13;"}) {
                if (take(known)) {
                    return;
                }
            }
            fail("reference");
            return;
        }
        const auto c = static_cast<unsigned char>(left_.front());
        const bool is_forbidden = (c < 0x20 && c != '\t' && c != '\n') ||
                                  left_.starts_with("\xEF\xBF\xBE") ||
                                  left_.starts_with("\xEF\xBF\xBF");
        if (is_forbidden) {
            fail("forbidden character");
            return;
        }
        left_.remove_prefix(1);
    }

    std::string_view left_;
    std::vector<std::string> open_;
    std::string problem_;
};

inline std::string xml_problem(std::string_view text) {
    return XmlChecker(text).problem();
}

} // namespace etl::test

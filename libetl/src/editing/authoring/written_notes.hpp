// What a written manifest leaves out. Private to authoring.
#pragma once

#include "authoring/xml_text.hpp"
#include "schema/limits.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace etl::authoring {

class WrittenNotes {
public:
    void add(std::string text) {
        if (list_.size() < schema::limits::manifest_notes) {
            list_.push_back(std::move(text));
        } else if (list_.size() == schema::limits::manifest_notes) {
            list_.emplace_back("more remarks omitted");
        }
    }

    /// The text as XML can hold it; remembers that something was replaced.
    std::string safe(std::string_view text) {
        std::string result = xml_safe(text);
        replaced_ = replaced_ || result != text;
        return result;
    }

    std::vector<std::string> take() {
        if (replaced_) {
            add("characters not allowed in XML were replaced by U+FFFD");
        }
        return std::move(list_);
    }

private:
    std::vector<std::string> list_;
    bool replaced_ = false;
};

} // namespace etl::authoring

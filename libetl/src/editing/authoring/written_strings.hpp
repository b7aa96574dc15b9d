// The string table of a manifest under way. One thread. Private to authoring.
#pragma once

#include "authoring/unique_names.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etl::authoring {

class WrittenStrings {
public:
    /// `$(string.ID)` for a text, so that the parser gives exactly this text back. Equal texts of
    /// one kind have one id; `name` says what a new one is called behind the kind.
    std::string reference(std::string_view kind, std::string_view name, const std::string& text);

    struct Entry {
        std::string id;
        std::string value;
    };

    /// In the order in which they were first needed.
    const std::vector<Entry>& entries() const noexcept { return entries_; }

private:
    std::map<std::pair<std::string, std::string>, std::size_t> by_text_; // kind and text
    UniqueNames ids_;
    std::vector<Entry> entries_;
};

} // namespace etl::authoring

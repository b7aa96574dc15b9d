// The string tables of a manifest in validation. Views into the document. One thread. Private to
// schema.
#pragma once

#include "authoring/validate/findings.hpp"

#include <string_view>
#include <unordered_map>

namespace etl::authoring {

class ValidatedStrings {
public:
    /// Checks all `localization` of a document.
    ValidatedStrings(const pugi::xml_document& document, Findings& findings);

    /// Checks an attribute that must refer to a string, if the node has it.
    void check_reference(const pugi::xml_node& node, const char* attribute_name);

    /// The text that an attribute refers to; empty: none.
    std::string_view text(std::string_view value) const noexcept;

private:
    struct String {
        std::string_view text;
        std::size_t cultures = 0; // that have it
        std::size_t last_table = 0;
    };

    void read_table(const pugi::xml_node& table);

    Findings& findings_;
    std::unordered_map<std::string_view, String> strings_;
    std::size_t tables_ = 0;
    bool has_told_missing_ = false; // that there is no table at all
};

} // namespace etl::authoring

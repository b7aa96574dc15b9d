// The templates of one provider of a manifest in validation. Views into the document. One thread.
// Private to authoring.
#pragma once

#include "authoring/validate/names.hpp"

#include <optional>
#include <string_view>
#include <unordered_map>

namespace etl::authoring {

class ValidatedTemplates {
public:
    /// Checks all templates of a provider.
    ValidatedTemplates(const pugi::xml_node& provider, ValidatedNames& names, Findings& findings);

    /// How many inserts a message may have; empty: there is no such template. Also notes that the
    /// template is in use.
    std::optional<std::size_t> use(std::string_view id);
    /// Warnings for templates that nothing uses.
    void check_unused() const;

private:
    struct Template {
        pugi::xml_node node;
        std::size_t items = 0; // of the top level
        bool used = false;
    };

    Findings& findings_;
    std::unordered_map<std::string_view, Template> templates_;
};

} // namespace etl::authoring

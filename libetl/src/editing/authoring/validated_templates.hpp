// The `%n` of messages, as far as validation wants to know. Private to authoring.
#pragma once

#include "authoring/validated_names.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace etl::authoring {

/// The highest number behind a single `%`, of up to two digits; 0: none. `%%` is a percent sign.
inline std::size_t highest_insert(std::string_view text) noexcept {
    std::size_t highest = 0;
    for (std::size_t at = text.find('%'); at != text.npos; at = text.find('%', at)) {
        ++at;
        if (at < text.size() && text[at] == '%') {
            ++at;
            continue;
        }
        std::size_t number = 0;
        for (int digits = 0; digits < 2 && at < text.size() && text[at] >= '0' && text[at] <= '9';
             ++digits, ++at) {
            number = number * 10 + static_cast<std::size_t>(text[at] - '0');
        }
        highest = std::max(highest, number);
    }
    return highest;
}

/// The templates of one provider of a manifest in validation. Views into the document. One thread.
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

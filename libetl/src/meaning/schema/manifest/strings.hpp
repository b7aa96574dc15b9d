// The localized texts of a manifest. Views into the XML document; immutable after construction.
// docs/format/decoding.md#manifest-strings
#pragma once

#include <pugixml.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace etl::schema {

class ManifestStrings {
public:
    /// Reads all `localization` of a document. Each string is taken from the best of the cultures
    /// that have it, in the order of CultureChain.
    ManifestStrings(const pugi::xml_document& document, std::string_view culture);

    /// The text of an attribute that may be `$(string.ID)`: the string; the id when there is no
    /// such string; the attribute itself when it is no reference.
    std::string_view text(std::string_view value) const noexcept;

    /// The same, but empty when a reference leads nowhere.
    std::optional<std::string_view> resolved(std::string_view value) const noexcept;

private:
    std::unordered_map<std::string_view, std::string_view> strings_;
};

} // namespace etl::schema

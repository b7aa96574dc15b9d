// Templates of a manifest: what a payload holds. One thread.
// docs/format/decoding.md#manifest-templates
#pragma once

#include "schema/field_scopes.hpp"
#include "schema/manifest/names.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace etl::schema {

struct Template {
    std::vector<Field> fields;
    std::vector<std::shared_ptr<const ValueMap>> maps;
    std::string user_data;
    std::size_t bytes = 0; // that a copy of all this takes

    /// Gives the event what its payload holds.
    void copy_to(EventSchema& event) const;
};

class ManifestTemplates {
public:
    ManifestTemplates(const pugi::xml_node& provider, const ManifestNames& names,
                      ManifestReading& reading);

    /// Null: not defined.
    const Template* find(std::string_view id) const noexcept;

private:
    std::unordered_map<std::string_view, Template> templates_;
};

} // namespace etl::schema

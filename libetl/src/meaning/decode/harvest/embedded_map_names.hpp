// The names that embedded maps go by. Private to decode.
#pragma once

#include "schema/event_schema.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace etl::decode {

/// Maps that were embedded. A trace knows them by (provider, name).
class EmbeddedMapNames {
public:
    /// The name that the map goes by, which is another than its own when that is taken by one that
    /// differs; and whether the map is new.
    std::pair<std::string, bool> name(const Guid& provider,
                                      const std::shared_ptr<const schema::ValueMap>& map) {
        std::string name = map->name;
        for (unsigned number = 2;; ++number) {
            const auto [known, is_new] = maps_.try_emplace({provider, name}, map);
            if (is_new || known->second == map || is_same(*known->second, *map)) {
                return {std::move(name), is_new};
            }
            name = map->name + '#' + std::to_string(number);
        }
    }

private:
    static bool is_same(const schema::ValueMap& a, const schema::ValueMap& b) {
        return a.kind == b.kind && a.entries == b.entries;
    }

    std::map<std::pair<Guid, std::string>, std::shared_ptr<const schema::ValueMap>> maps_;
};

} // namespace etl::decode

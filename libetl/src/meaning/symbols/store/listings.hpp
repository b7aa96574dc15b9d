// Names in directories, found ignoring case: stores made on Windows mix cases. Private to symbols.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace etl::symbols {

class Listings {
public:
    /// Returns the path of an entry below a directory: at each level the exact name if it exists,
    /// otherwise one that differs in case only. Empty names are not found.
    std::optional<std::string> find(const std::string& directory,
                                    std::initializer_list<std::string_view> names);

private:
    using Names = std::unordered_map<std::string, std::string>; // lowercase -> as stored

    std::optional<std::string> find_one(const std::string& directory, std::string_view name);
    const Names& names_in(const std::string& directory);

    std::unordered_map<std::string, Names> known_; // by directory
};

} // namespace etl::symbols

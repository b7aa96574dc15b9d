#include "symbols/store/listings.hpp"

#include "base/text.hpp"
#include "io/find_files.hpp"

namespace etl::symbols {

std::optional<std::string> Listings::find(const std::string& directory,
                                          std::initializer_list<std::string_view> names) {
    std::optional<std::string> path = directory;
    for (const std::string_view name : names) {
        path = find_one(*path, name);
        if (!path) {
            return std::nullopt;
        }
    }
    return path;
}

std::optional<std::string> Listings::find_one(const std::string& directory, std::string_view name) {
    if (name.empty()) {
        return std::nullopt;
    }
    std::string path = directory + "/" + std::string(name);
    if (io::is_regular_file(path) || io::is_directory(path)) {
        return path;
    }
    const Names& names = names_in(directory);
    const auto found = names.find(to_lower_ascii(name));
    return found == names.end() ? std::nullopt : std::optional(directory + "/" + found->second);
}

const Listings::Names& Listings::names_in(const std::string& directory) {
    const auto [known, is_new] = known_.try_emplace(directory);
    if (is_new) {
        for (std::string& name : io::names_in(directory)) {
            known->second.try_emplace(to_lower_ascii(name), name);
        }
    }
    return known->second;
}

} // namespace etl::symbols

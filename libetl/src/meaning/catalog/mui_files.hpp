// Where Windows keeps the texts of an executable: LANGUAGE/NAME.mui beside it. Folders are listed
// once. One thread. docs/format/images.md#mui
#pragma once

#include "base/culture.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace etl::catalog {

struct MuiFile {
    std::string path;
    std::size_t rank = 0; // of its language, CultureChain::rank
};

class MuiFiles {
public:
    explicit MuiFiles(const CultureChain& cultures) : cultures_(cultures) {}

    /// The .mui file of an executable in the best language that there is. Case does not count: the
    /// folder may be a copy of one on NTFS.
    std::optional<MuiFile> find(const std::string& image_path);

private:
    struct LanguageFolder {
        std::string path;
        std::size_t rank = 0;
        std::optional<std::unordered_map<std::string, std::string>> files{}; // lower case -> name
    };

    std::vector<LanguageFolder>& languages_in(const std::string& folder);

    CultureChain cultures_;
    std::unordered_map<std::string, std::vector<LanguageFolder>> folders_; // best language first
};

/// For members of archives: the name of the executable that `name` is the .mui file of, in lower
/// case, and its language; none: it is none.
struct MuiName {
    std::string image;
    std::string culture;
};

std::optional<MuiName> parse_mui_name(std::string_view name);

} // namespace etl::catalog

#include "catalog/mui_files.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <filesystem>

namespace etl::catalog {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".mui";

// What cannot be listed has nothing to give.
template <typename Visit>
void for_each_entry(const fs::path& folder, Visit visit) {
    std::error_code error;
    auto entry = fs::directory_iterator(folder, error);
    while (!error && entry != fs::directory_iterator()) {
        visit(*entry);
        entry.increment(error);
    }
}

std::unordered_map<std::string, std::string> files_in(const std::string& folder) {
    std::unordered_map<std::string, std::string> files;
    for_each_entry(folder, [&](const fs::directory_entry& entry) {
        const std::string name = entry.path().filename().string();
        const auto [known, is_new] = files.try_emplace(to_lower_ascii(name), name);
        if (!is_new) {
            known->second = std::min(known->second, name); // whatever order the system has
        }
    });
    return files;
}

} // namespace

std::vector<MuiFiles::LanguageFolder>& MuiFiles::languages_in(const std::string& folder) {
    const auto [known, is_new] = folders_.try_emplace(folder);
    std::vector<LanguageFolder>& languages = known->second;
    if (!is_new) {
        return languages;
    }
    for_each_entry(folder.empty() ? "." : folder, [&](const fs::directory_entry& entry) {
        const std::string name = entry.path().filename().string();
        std::error_code gone;
        if (is_culture_name(name) && entry.is_directory(gone)) {
            languages.push_back({entry.path().string(), cultures_.rank(name)});
        }
    });
    std::ranges::sort(languages, {}, [](const LanguageFolder& language) {
        return std::pair(language.rank, std::string_view(language.path));
    });
    return languages;
}

std::optional<MuiFile> MuiFiles::find(const std::string& image_path) {
    const fs::path image(image_path);
    const std::string wanted = to_lower_ascii(image.filename().string()) + std::string(ending);
    for (LanguageFolder& language : languages_in(image.parent_path().string())) {
        if (!language.files) {
            language.files = files_in(language.path);
        }
        if (const auto found = language.files->find(wanted); found != language.files->end()) {
            return MuiFile{(fs::path(language.path) / found->second).string(), language.rank};
        }
    }
    return std::nullopt;
}

std::optional<MuiName> parse_mui_name(std::string_view name) {
    std::string lower = to_lower_ascii(name);
    if (!lower.ends_with(ending)) {
        return std::nullopt;
    }
    lower.resize(lower.size() - ending.size());
    const std::size_t file = lower.rfind('/');
    if (file == std::string::npos) {
        return std::nullopt;
    }
    const std::size_t before = lower.substr(0, file).rfind('/');
    const std::size_t folder = before == std::string::npos ? 0 : before + 1;
    const std::string culture = lower.substr(folder, file - folder);
    if (!is_culture_name(culture)) {
        return std::nullopt;
    }
    return MuiName{lower.substr(0, folder) + lower.substr(file + 1), culture};
}

} // namespace etl::catalog

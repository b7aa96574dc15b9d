#include "rewrite/numbered_files.hpp"

#include "base/file_name.hpp"
#include "io/find_files.hpp"

namespace etl::rewrite {

std::string_view number_between(std::string_view file, std::string_view before,
                                std::string_view after) noexcept {
    const std::string_view name = file_name_of(file);
    before = file_name_of(before);
    const bool matches = name.size() > before.size() + after.size() && name.starts_with(before) &&
                         name.ends_with(after);
    const std::string_view number =
        matches ? name.substr(before.size(), name.size() - before.size() - after.size())
                : std::string_view{};
    return number.find_first_not_of("0123456789") == std::string_view::npos ? number
                                                                            : std::string_view{};
}

std::vector<std::string> numbered_files(const std::string& pattern) {
    const std::size_t at = pattern.rfind("%d");
    const std::size_t name = pattern.find_last_of('/') + 1; // 0 if there is no directory
    if (at == std::string::npos || at < name) {
        return {};
    }
    const std::string before = pattern.substr(0, at);
    const std::string after = pattern.substr(at + 2);
    auto files = io::find_files(before + "*" + after, io::Recursion::no,
                                [](std::string_view) { return true; });
    if (!files) { // none, or an unreadable directory
        return {};
    }
    std::erase_if(*files, [&](const std::string& file) {
        return number_between(file, before, after).empty();
    });
    return *std::move(files);
}

} // namespace etl::rewrite

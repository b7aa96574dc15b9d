// Real symbol files, where they are at hand. They are found by what lies next to them, never by
// name.
#pragma once

#include "io/input_file.hpp"
#include "symbols/symbol_file.hpp"
#include "tests/support/folders.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace etl::symbols {

inline const std::filesystem::path& corpus() {
    static const std::filesystem::path path =
        std::filesystem::path(test::shared_corpus()) / "symbols";
    return path;
}

/// All files whose names end so.
inline std::vector<std::filesystem::path> files_ending(std::string_view end) {
    std::vector<std::filesystem::path> result;
    if (std::filesystem::is_directory(corpus())) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus())) {
            if (entry.path().string().ends_with(end)) {
                result.push_back(entry.path());
            }
        }
    }
    std::ranges::sort(result);
    return result;
}

/// The first file with this stem and one of the extensions, in this order.
inline std::filesystem::path find_file(const std::string& stem,
                                       const std::vector<std::string>& extensions) {
    for (const std::string& extension : extensions) {
        for (const auto& path : files_ending("/" + stem + extension)) {
            return path;
        }
    }
    return {};
}

inline std::vector<std::string> lines_of(const std::filesystem::path& path) {
    std::ifstream in(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
        if (line.ends_with('\r')) {
            line.pop_back();
        }
        lines.push_back(line);
    }
    return lines;
}

inline std::vector<std::string> split(const std::string& line, char separator) {
    std::vector<std::string> parts{""};
    for (const char c : line) {
        if (c == separator) {
            parts.emplace_back();
        } else {
            parts.back().push_back(c);
        }
    }
    return parts;
}

/// What different spellings of a name have in common.
inline std::string letters_of(std::string_view name) {
    std::string result;
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            result.push_back(c);
        }
    }
    return result;
}

inline std::shared_ptr<const SymbolFile> opened(const std::filesystem::path& path) {
    const auto file = io::InputFile::map(path.string());
    if (!file) {
        ADD_FAILURE() << path << ": " << describe(file.error());
        return nullptr;
    }
    auto symbols = SymbolFile::open(*file);
    if (!symbols) {
        ADD_FAILURE() << path << ": " << describe(symbols.error());
        return nullptr;
    }
    return *symbols;
}

} // namespace etl::symbols

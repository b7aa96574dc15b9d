#include "verbs/export/earlier_tables.hpp"

#include "cli/console.hpp"
#include "verbs/export/column_tables.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <filesystem>
#include <optional>
#include <system_error>

namespace cli {

namespace {

namespace fs = std::filesystem;
namespace json = simdjson::ondemand;

/// Names without a directory: a list can come from elsewhere.
bool is_name_of_table(std::string_view name) noexcept {
    return (name.ends_with(".parquet") || name.ends_with(".arrow")) && !name.starts_with('.') &&
           name.find_first_of("/\\:") == name.npos && name.find('\0') == name.npos;
}

/// Nothing: not a list of tables.
std::optional<std::vector<std::string>> read_list(const std::string& path) {
    simdjson::padded_string text;
    json::parser parser;
    json::document document;
    json::array tables;
    std::string_view maker;
    if (simdjson::padded_string::load(path).get(text) != simdjson::SUCCESS ||
        parser.iterate(text).get(document) != simdjson::SUCCESS ||
        document["creator"].get(maker) != simdjson::SUCCESS || !maker.starts_with("etl ") ||
        document["tables"].get(tables) != simdjson::SUCCESS) {
        return std::nullopt;
    }
    std::vector<std::string> names;
    for (auto table : tables) {
        std::string_view name;
        if (table["file"].get(name) != simdjson::SUCCESS) {
            return std::nullopt;
        }
        if (is_name_of_table(name)) {
            names.emplace_back(name);
        }
    }
    return names;
}

} // namespace

std::vector<std::string> earlier_tables(const std::string& folder) {
    const fs::path path = fs::path(folder) / ColumnTables::list_name;
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) {
        return {};
    }
    auto names = read_list(path.string());
    if (!names) {
        say(fmt::format("warning: {}: not a list of tables; files of an earlier export may remain "
                        "beside the new ones",
                        printable(path.string())));
    }
    return std::move(names).value_or(std::vector<std::string>());
}

} // namespace cli

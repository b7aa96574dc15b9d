#include "verbs/dump/tables.hpp"

#include <etl/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <set>
#include <system_error>

namespace cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t table_bytes = 256U << 10U; // of rows that wait for one file,
constexpr std::size_t held_bytes = 64U << 20U;   // and for all of them
constexpr std::size_t longest_part = 64; // of a name: two make a file name that all systems accept

bool is_alphanumeric(char c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

etl::Result<void> failure(const std::error_code& code) {
    return std::unexpected(etl::Error{.code = etl::ErrorCode::io_failure,
                                      .what = "cannot write the tables",
                                      .os_code = code.value()});
}

/// A part of a file name without characters that are special to a shell or another system.
std::string name_part(std::string_view text) {
    constexpr std::string_view plain = "-_+().";
    std::string part;
    for (const char c : text.substr(0, longest_part)) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_kept =
            is_alphanumeric(c) || byte >= 0x80 || plain.find(c) != std::string_view::npos;
        part.push_back(is_kept ? c : c == '/' ? '-' : '_');
    }
    while (text.size() > longest_part && !part.empty() &&
           (static_cast<unsigned char>(part.back()) & 0x80U) != 0) {
        part.pop_back(); // perhaps half a character
    }
    return part;
}

std::string name_of_table(const etl::sink::EventKind& kind) {
    std::string name = name_part(kind.provider);
    if (name.starts_with('.')) {
        name.front() = '_'; // not hidden
    }
    if (!kind.event.empty()) {
        name += "." + name_part(kind.event);
    }
    if (kind.id != 0 || kind.event.empty()) {
        name += fmt::format(".{}", kind.id);
    }
    return name + fmt::format(".v{}", kind.version);
}

etl::Result<void> append_to_file(const fs::path& path, std::string_view text) {
    std::FILE* const file = std::fopen(path.string().c_str(), "ab");
    if (file == nullptr) {
        return failure({errno, std::generic_category()});
    }
    const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const int why = errno;
    const bool is_closed = std::fclose(file) == 0;
    return is_written && is_closed ? etl::Result<void>{}
                                   : failure({is_written ? errno : why, std::generic_category()});
}

} // namespace

std::vector<std::string> names_of_tables(const std::vector<etl::sink::EventKind>& kinds,
                                         std::string_view ending) {
    std::vector<std::string> names;
    std::set<std::string> taken;
    for (const etl::sink::EventKind& kind : kinds) {
        const std::string base = name_of_table(kind);
        std::string name = base;
        for (unsigned i = 2; !taken.insert(etl::to_lower_ascii(name)).second; ++i) {
            name = fmt::format("{}.{}", base, i);
        }
        names.push_back(name.append(ending));
    }
    return names;
}

std::vector<std::string> table_files(const DumpOptions& options,
                                     const std::vector<etl::sink::EventKind>& kinds) {
    const char* const ending = options.format == DumpFormat::csv ? ".csv" : ".tsv";
    std::vector<std::string> names = names_of_tables(kinds, ending);
    names.push_back(std::string("index").append(ending)); // no table has a name without a version
    return names;
}

std::string index_of_tables(const std::vector<etl::sink::EventKind>& kinds,
                            const std::vector<std::string>& names,
                            const etl::sink::CsvOptions& options) {
    std::string text = options.byte_order_mark ? "\xEF\xBB\xBF" : "";
    const bool is_csv = options.style == etl::sink::CsvOptions::Style::csv;
    const auto add_row = [&](const std::vector<std::string>& cells) {
        for (const std::string& cell : cells) {
            append_cell(text, options.style, cell);
            text.push_back(is_csv ? ',' : '\t');
        }
        text.pop_back();
        text.append(is_csv ? "\r\n" : "\n");
    };
    add_row({"file", "provider", "provider_guid", "id", "version", "event", "events"});
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const etl::sink::EventKind& kind = kinds[i];
        add_row({names[i], kind.provider, kind.provider_guid, std::to_string(kind.id),
                 std::to_string(kind.version), kind.event, std::to_string(kind.events)});
    }
    return text;
}

TableFiles::TableFiles(fs::path folder, fs::path stage, bool is_new, std::vector<Table> tables)
    : folder_(std::move(folder)), stage_(std::move(stage)), is_new_folder_(is_new),
      tables_(std::move(tables)), rows_(tables_.size()) {
    for (std::size_t i = 0; i < tables_.size(); ++i) {
        rows_[i] = tables_[i].head;
        held_ += rows_[i].size();
    }
}

etl::Result<std::unique_ptr<TableFiles>> TableFiles::create(const std::string& folder,
                                                            std::vector<Table> tables) {
    std::error_code code;
    const bool is_new = fs::create_directories(folder, code);
    if (code) {
        return std::unexpected(failure(code).error());
    }
    fs::path stage;
    unsigned number = 0;
    do { // another run may use the same directory
        stage = fs::path(folder) / fmt::format(".etl-tables-{}.tmp", number++);
    } while (!fs::create_directory(stage, code) && !code);
    if (code) {
        return std::unexpected(failure(code).error());
    }
    return std::unique_ptr<TableFiles>(
        new TableFiles(folder, std::move(stage), is_new, std::move(tables)));
}

TableFiles::~TableFiles() {
    std::error_code ignored;
    fs::remove_all(stage_, ignored);
    if (is_new_folder_) {
        fs::remove(folder_, ignored); // if it is empty: nothing was committed
    }
}

etl::Result<void> TableFiles::write(std::string_view rows) {
    etl::Result<void> result;
    etl::sink::CsvTables::for_each_row(rows, [&](std::size_t table, std::string_view row) {
        rows_[table].append(row);
        held_ += row.size();
        if (result && rows_[table].size() >= table_bytes) {
            result = flush(table);
        }
    });
    return result && held_ >= held_bytes ? flush_all() : result;
}

etl::Result<void> TableFiles::flush(std::size_t table) {
    std::string& rows = rows_[table];
    held_ -= rows.size();
    const auto written = append_to_file(stage_ / tables_[table].name, rows);
    rows = {};
    return written;
}

etl::Result<void> TableFiles::flush_all() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (!rows_[i].empty()) {
            if (auto written = flush(i); !written) {
                return written;
            }
        }
    }
    return {};
}

etl::Result<void> TableFiles::commit() {
    if (auto written = flush_all(); !written) {
        return written;
    }
    for (const Table& table : tables_) { // all or none, as far as can be known
        std::error_code ignored;
        if (fs::is_directory(folder_ / table.name, ignored)) {
            return failure(std::make_error_code(std::errc::is_a_directory));
        }
    }
    for (const Table& table : tables_) {
        std::error_code code;
        fs::rename(stage_ / table.name, folder_ / table.name, code);
        if (code) {
            return failure(code);
        }
    }
    return {};
}

} // namespace cli

#include "verbs/dump/tables.hpp"

#include "base/text.hpp"
#include "outputs/output_options.hpp"
#include "outputs/staged_folder.hpp"
#include "verbs/dump/formats.hpp"

namespace cli {

namespace {

constexpr std::size_t table_bytes = 256U << 10U; // of rows that wait for one file,
constexpr std::size_t held_bytes = 64U << 20U;   // and for all of them

} // namespace

std::vector<std::string> table_files(const DumpOptions& options,
                                     const std::vector<etl::sink::EventKind>& kinds) {
    const std::string ending(first_ending(options.format->endings));
    std::vector<std::string> names;
    KindFileNames distinct(ending);
    for (const etl::sink::EventKind& kind : kinds) {
        names.push_back(distinct.name_of(kind));
    }
    names.push_back("index" + ending); // no table has a name without a version
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

TableFiles::TableFiles(std::unique_ptr<StagedFolder> folder, std::vector<Table> tables)
    : folder_(std::move(folder)), tables_(std::move(tables)), rows_(tables_.size()) {
    for (std::size_t i = 0; i < tables_.size(); ++i) {
        rows_[i] = tables_[i].head;
        held_ += rows_[i].size();
    }
}

etl::Result<std::unique_ptr<TableFiles>> TableFiles::create(const std::string& folder,
                                                            std::vector<Table> tables) {
    auto staged = StagedFolder::create(folder);
    if (!staged) {
        return std::unexpected(staged.error());
    }
    return std::unique_ptr<TableFiles>(new TableFiles(*std::move(staged), std::move(tables)));
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
    const auto written = folder_->append(tables_[table].name, rows);
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
    std::vector<std::string> names;
    for (const Table& table : tables_) {
        names.push_back(table.name);
    }
    return folder_->commit(names);
}

} // namespace cli

#include "verbs/export/parquet_tables.hpp"

#include <etl/base/layout.hpp>
#include <etl/base/time.hpp>

#include "cli/json_object.hpp"

#include <algorithm>
#include <utility>

namespace cli {

namespace {

using etl::columnfiles::ParquetFile;
using etl::columnfiles::RowGroup;
using etl::columns::Column;
using etl::columns::Type;

constexpr std::size_t group_rows = 131'072;            // of a row group: whole batches up to this,
constexpr std::size_t group_bytes = 32U << 20U;        // or up to this
constexpr std::size_t all_pending_bytes = 256U << 20U; // of rows of all tables that wait
constexpr const char* creator = "etl version " ETL_VERSION;

const char* name_of(Type type) noexcept {
    switch (type) {
    case Type::boolean:
        return "boolean";
    case Type::int8:
        return "int8";
    case Type::int16:
        return "int16";
    case Type::int32:
        return "int32";
    case Type::int64:
        return "int64";
    case Type::uint8:
        return "uint8";
    case Type::uint16:
        return "uint16";
    case Type::uint32:
        return "uint32";
    case Type::uint64:
        return "uint64";
    case Type::float32:
        return "float32";
    case Type::float64:
        return "float64";
    case Type::time:
        return "time";
    case Type::guid:
        return "guid";
    case Type::text:
        return "text";
    case Type::binary:
        return "binary";
    case Type::label:
        return "label";
    }
    return "";
}

ParquetFile::Properties properties_of(const TableOfKind& table) {
    if (!table.is_decoded) {
        return {};
    }
    return {{"provider", table.kind.provider},
            {"provider_guid", table.kind.provider_guid},
            {"event", table.kind.event},
            {"id", std::to_string(table.kind.id)},
            {"version", std::to_string(table.kind.version)}};
}

std::optional<etl::Filetime> time_of(std::optional<std::int64_t> nanoseconds) {
    constexpr std::int64_t ns_per_tick = 100;
    return nanoseconds ? std::optional(
                             etl::Filetime{*nanoseconds / ns_per_tick + etl::Filetime::unix_epoch})
                       : std::nullopt;
}

std::string columns_json(const std::vector<Column>& columns) {
    JsonList list;
    for (const Column& column : columns) {
        JsonObject json;
        json.text("name", column.name);
        json.text("type", name_of(column.type));
        if (column.is_list) {
            json.boolean("list", true);
        }
        list.raw(json.take());
    }
    return list.take();
}

} // namespace

ParquetTables::Table& ParquetTables::table_of(const std::shared_ptr<const TableOfKind>& shared) {
    const auto known = tables_.find(shared->key);
    if (known != tables_.end()) {
        return known->second;
    }
    omitted_ += shared->omitted;
    return tables_
        .emplace(shared->key,
                 Table{.shared = shared,
                       .name = shared->is_decoded ? names_.name_of(shared->kind)
                                                  : names_.name_of("undecoded"),
                       .file = ParquetFile(shared->columns, properties_of(*shared), creator)})
        .first->second;
}

etl::Result<void> ParquetTables::add(TableParts& parts) {
    for (TablePart& part : parts.parts) {
        Table& table = table_of(part.table);
        const std::size_t bytes = memory_of(part.rows);
        rows_ += part.rows.rows;
        append(table.shared->columns, table.pending, std::move(part.rows));
        table.pending_bytes += bytes;
        pending_bytes_ += bytes;
        if (table.pending.rows >= group_rows || table.pending_bytes >= group_bytes) {
            flush(table);
        }
        const std::size_t most_encodings = std::size_t{2} * pool_->threads();
        if (auto written = write_encoded(most_encodings); !written) {
            return written;
        }
    }
    if (pending_bytes_ >= all_pending_bytes) {
        flush_largest();
        return write_encoded(0);
    }
    return {};
}

/// Starts to encode the rows that wait.
void ParquetTables::flush(Table& table) {
    pending_bytes_ -= std::exchange(table.pending_bytes, 0);
    auto task = std::make_shared<std::packaged_task<RowGroup()>>(
        [shared = table.shared,
         rows = std::make_shared<etl::columns::Batch>(std::exchange(table.pending, {}))] {
            return etl::columnfiles::encode_row_group(shared->columns, *rows);
        });
    encodings_.push_back({&table, task->get_future()});
    pool_->submit([task] { (*task)(); });
}

/// Flushes tables with at least an average share of the memory.
void ParquetTables::flush_largest() {
    const std::size_t share = pending_bytes_ / tables_.size();
    for (auto& [key, table] : tables_) {
        if (table.pending_bytes >= share && table.pending.rows > 0) {
            flush(table);
        }
    }
}

/// Writes row groups until at most `most` are under way.
etl::Result<void> ParquetTables::write_encoded(std::size_t most) {
    while (encodings_.size() > most) {
        Encoding oldest = std::move(encodings_.front());
        encodings_.pop_front();
        if (auto written = write(*oldest.table, oldest.rows.get()); !written) {
            return written;
        }
    }
    return {};
}

etl::Result<void> ParquetTables::write(Table& table, const RowGroup& rows) {
    const etl::columnfiles::Bounds& times = rows.chunks.front().bounds; // of the column `time`
    if (times.is_known) {
        const auto at = [](const std::string& bytes) {
            return etl::load_le<std::int64_t>(std::as_bytes(std::span(bytes)).data());
        };
        table.first = std::min(table.first.value_or(at(times.least)), at(times.least));
        table.last = std::max(table.last.value_or(at(times.greatest)), at(times.greatest));
    }
    const bool is_first = table.file.groups() == 0;
    table.file.add(rows);
    return folder_->append(table.name,
                           is_first ? std::string(ParquetFile::head()) + rows.bytes : rows.bytes);
}

std::string ParquetTables::list_of_tables(const std::vector<std::string>& traces) const {
    std::vector<const Table*> sorted;
    for (const auto& [key, table] : tables_) {
        sorted.push_back(&table);
    }
    std::ranges::sort(sorted, {}, [](const Table* table) { return table->name; });
    JsonList names;
    for (const std::string& trace : traces) {
        names.text(utf8_text(trace));
    }
    JsonObject head;
    head.text("format", "parquet").text("creator", creator).raw("traces", names.take());
    std::string text = head.number("rows", rows_).take();
    text.back() = ',';
    text.append("\"tables\":[");
    for (const Table* const table : sorted) {
        JsonObject json;
        json.text("file", table->name);
        if (table->shared->is_decoded) {
            const etl::sink::EventKind& kind = table->shared->kind;
            json.text("provider", kind.provider).text("provider_guid", kind.provider_guid);
            json.text("event", kind.event).number("id", kind.id).number("version", kind.version);
        }
        json.number("rows", table->file.rows()).number("row_groups", table->file.groups());
        json.number("bytes", table->bytes);
        json.time("first_time", time_of(table->first)).time("last_time", time_of(table->last));
        json.raw("columns", columns_json(table->shared->columns));
        text.append(table == sorted.front() ? "\n" : ",\n").append(json.take());
    }
    return text.append("]}\n");
}

etl::Result<void> ParquetTables::commit(const std::vector<std::string>& traces) {
    for (auto& [key, table] : tables_) {
        if (table.pending.rows > 0) {
            flush(table);
        }
        const std::size_t most_encodings = std::size_t{2} * pool_->threads();
        if (auto written = write_encoded(most_encodings); !written) {
            return written;
        }
    }
    auto written = write_encoded(0);
    std::vector<std::string> names;
    for (auto& [key, table] : tables_) {
        const std::string tail = table.file.tail();
        table.bytes = table.file.size() + tail.size();
        written = written ? folder_->append(table.name, tail) : written;
        names.push_back(table.name);
    }
    written = written ? folder_->append(list_name, list_of_tables(traces)) : written;
    names.emplace_back(list_name);
    return written ? folder_->commit(names) : written;
}

} // namespace cli

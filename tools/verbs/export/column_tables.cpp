#include "verbs/export/column_tables.hpp"

#include <etl/time.hpp>

#include "cli/json_object.hpp"
#include "columnfiles/arrow.hpp"
#include "columnfiles/parquet.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace cli {

namespace {

using etl::columnfiles::ArrowFile;
using etl::columnfiles::ParquetFile;
using etl::columnfiles::TableFile;
using etl::columns::Batch;
using etl::columns::BatchColumn;
using etl::columns::Type;

constexpr std::size_t group_rows = 131'072;            // of a row group: whole batches up to this,
constexpr std::size_t group_bytes = 32U << 20U;        // or up to this
constexpr std::size_t all_pending_bytes = 256U << 20U; // of rows of all tables that wait
constexpr std::size_t all_kept_bytes = 64U << 20U;     // of labels of all files
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

etl::columnfiles::Properties properties_of(const TableOfKind& table) {
    if (!table.is_decoded) {
        return {};
    }
    return {{"provider", table.kind.provider},
            {"provider_guid", table.kind.provider_guid},
            {"event", table.kind.event},
            {"id", std::to_string(table.kind.id)},
            {"version", std::to_string(table.kind.version)}};
}

std::shared_ptr<TableFile> file_of(std::string_view format, const TableOfKind& table) {
    if (format == "arrow") {
        return std::make_shared<ArrowFile>(table.columns, properties_of(table), creator);
    }
    return std::make_shared<ParquetFile>(table.columns, properties_of(table), creator);
}

/// Without what each column has even if it is empty: of many small tables, that would be most.
std::size_t bytes_of(const Batch& batch) noexcept {
    return memory_of(batch) - batch.columns.size() * sizeof(etl::columns::Array);
}

/// The first and the last time of the first column, `time`.
void add_times(const Batch& batch, std::optional<std::pair<std::int64_t, std::int64_t>>& found) {
    const etl::columns::Array& times = batch.columns.front();
    const std::size_t count =
        times.repeats ? times.bytes.size() / sizeof(std::int64_t) : times.size;
    for (std::size_t i = 0; i < count; ++i) {
        if (!times.validity.empty() && (times.validity[i / 8] >> i % 8 & 1U) == 0) {
            continue;
        }
        std::int64_t time = 0;
        std::memcpy(&time, times.bytes.data() + i * sizeof time, sizeof time);
        found = found ? std::pair(std::min(found->first, time), std::max(found->second, time))
                      : std::pair(time, time);
    }
}

std::optional<std::pair<std::int64_t, std::int64_t>> times_of(const std::vector<Batch>& batches) {
    std::optional<std::pair<std::int64_t, std::int64_t>> found;
    for (const Batch& batch : batches) {
        add_times(batch, found);
    }
    return found;
}

std::optional<etl::Filetime> time_of(std::optional<std::int64_t> nanoseconds) {
    constexpr std::int64_t ns_per_tick = 100;
    return nanoseconds ? std::optional(
                             etl::Filetime{*nanoseconds / ns_per_tick + etl::Filetime::unix_epoch})
                       : std::nullopt;
}

std::string columns_json(const std::vector<BatchColumn>& columns) {
    JsonList list;
    for (const BatchColumn& column : columns) {
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

ColumnTables::ColumnTables(StagedFolder& folder, etl::TaskPool& pool, std::string_view format)
    : folder_(&folder), pool_(&pool), format_(format), names_("." + std::string(format)) {}

ColumnTables::Table& ColumnTables::table_of(const std::shared_ptr<const TableOfKind>& shared) {
    const auto known = tables_.find(shared->key);
    if (known != tables_.end()) {
        return known->second;
    }
    omitted_ += shared->omitted;
    return tables_
        .emplace(shared->key, Table{.shared = shared,
                                    .name = shared->is_decoded ? names_.name_of(shared->kind)
                                                               : names_.name_of("undecoded"),
                                    .file = file_of(format_, *shared)})
        .first->second;
}

etl::Result<void> ColumnTables::add(TableParts& parts) {
    for (TablePart& part : parts.parts) {
        Table& table = table_of(part.table);
        const std::size_t bytes = bytes_of(part.rows);
        rows_ += part.rows.rows;
        keep(table, std::move(part.rows));
        table.pending_bytes += bytes;
        pending_bytes_ += bytes;
        if (table.pending_rows >= group_rows || table.pending_bytes >= group_bytes) {
            if (auto flushed = flush(table); !flushed) {
                return flushed;
            }
        }
        const std::size_t most_encodings = std::size_t{2} * pool_->threads();
        if (auto written = write_encoded(most_encodings); !written) {
            return written;
        }
    }
    if (pending_bytes_ >= all_pending_bytes) {
        if (auto flushed = flush_largest(); !flushed) {
            return flushed;
        }
    }
    return kept_bytes_ >= all_kept_bytes ? spill_largest() : etl::Result<void>{};
}

/// Few rows are joined at once, in a cache, because each batch has a cost; many are copied only
/// when they are encoded.
void ColumnTables::keep(Table& table, Batch&& rows) {
    constexpr std::size_t few = 4096;
    table.pending_rows += rows.rows;
    if (!table.pending.empty() && table.pending.back().rows < few) {
        etl::columns::append(table.shared->columns, table.pending.back(), std::move(rows));
    } else {
        table.pending.push_back(std::move(rows));
    }
}

/// Starts to encode the rows that wait.
etl::Result<void> ColumnTables::flush(Table& table) {
    pending_bytes_ -= std::exchange(table.pending_bytes, 0);
    table.pending_rows = 0;
    auto rows = std::make_shared<std::vector<Batch>>(std::exchange(table.pending, {}));
    const std::size_t kept = table.file->memory();
    for (Batch& batch : *rows) {
        if (auto prepared = table.file->prepare(batch); !prepared) {
            return prepared;
        }
    }
    kept_bytes_ += table.file->memory() - kept;
    encodings_.push_back({&table, pool_->start([file = table.file, rows = std::move(rows)] {
                              return Encoded{.rows = file->encode(*rows), .times = times_of(*rows)};
                          })});
    return {};
}

/// Flushes tables with at least an average share of the memory, and writes them.
etl::Result<void> ColumnTables::flush_largest() {
    const std::size_t share = pending_bytes_ / tables_.size();
    for (auto& [key, table] : tables_) {
        if (table.pending_bytes >= share && table.pending_rows > 0) {
            if (auto flushed = flush(table); !flushed) {
                return flushed;
            }
        }
    }
    return write_encoded(0);
}

/// Writes what files with at least an average share of the memory keep. The place in the file does
/// not depend on the number of threads.
etl::Result<void> ColumnTables::spill_largest() {
    auto written = write_encoded(0);
    const std::size_t share = kept_bytes_ / tables_.size();
    for (auto& [key, table] : tables_) {
        const std::size_t kept = table.file->memory();
        if (written && kept >= share && kept > 0) {
            written = append(table, table.file->spill());
            kept_bytes_ -= kept - table.file->memory();
        }
    }
    return written;
}

/// Writes row groups until at most `most` are under way.
etl::Result<void> ColumnTables::write_encoded(std::size_t most) {
    while (encodings_.size() > most) {
        Encoding oldest = std::move(encodings_.front());
        encodings_.pop_front();
        if (auto written = write(*oldest.table, oldest.rows.get()); !written) {
            return written;
        }
    }
    return {};
}

etl::Result<void> ColumnTables::write(Table& table, const Encoded& encoded) {
    if (encoded.times) {
        const auto& [first, last] = *encoded.times;
        table.first = std::min(table.first.value_or(first), first);
        table.last = std::max(table.last.value_or(last), last);
    }
    table.file->add(encoded.rows);
    return append(table, encoded.rows.bytes);
}

/// Appends to the file of a table, after its first bytes.
etl::Result<void> ColumnTables::append(Table& table, std::string_view bytes) {
    if (std::exchange(table.has_begun, true)) {
        return folder_->append(table.name, bytes);
    }
    return folder_->append(table.name, table.file->head().append(bytes));
}

etl::Result<void> ColumnTables::write_list(const std::vector<std::string>& traces) {
    constexpr std::size_t block_bytes = 1U << 20U;
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
    head.text("format", format_).text("creator", creator).raw("traces", names.take());
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
        json.number("rows", table->file->rows()).number("row_groups", table->file->groups());
        json.number("bytes", table->file->size());
        json.time("first_time", time_of(table->first)).time("last_time", time_of(table->last));
        json.raw("columns", columns_json(table->shared->columns));
        text.append(table == sorted.front() ? "\n" : ",\n").append(json.take());
        if (text.size() >= block_bytes) {
            if (auto written = folder_->append(list_name, std::exchange(text, {})); !written) {
                return written;
            }
        }
    }
    return folder_->append(list_name, text.append("]}\n"));
}

etl::Result<void> ColumnTables::commit(const std::vector<std::string>& traces,
                                       const std::vector<std::string>& outdated) {
    for (auto& [key, table] : tables_) {
        if (table.pending_rows > 0) {
            if (auto flushed = flush(table); !flushed) {
                return flushed;
            }
        }
        const std::size_t most_encodings = std::size_t{2} * pool_->threads();
        if (auto written = write_encoded(most_encodings); !written) {
            return written;
        }
    }
    auto written = write_encoded(0);
    std::vector<std::string> names;
    for (auto& [key, table] : tables_) {
        written = written ? append(table, table.file->tail()) : written;
        names.push_back(table.name);
    }
    written = written ? write_list(traces) : written;
    names.emplace_back(list_name);
    written = written ? folder_->commit(names) : written;
    return written ? folder_->remove_outdated(outdated, names) : written;
}

} // namespace cli

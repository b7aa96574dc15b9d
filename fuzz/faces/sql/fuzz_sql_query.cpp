// Any text as a query, against any trace after its first NUL. Beyond "does not crash": a query that
// is wrong says why, at a place inside its text, the columns of rows are those of the query, and
// rows that do not pass through SQLite are those that do.
#include "base/text.hpp"
#include "fuzz/require.hpp"
#include "fuzz/small_trace.hpp"
#include "rows/writer.hpp"
#include "sql/database.hpp"

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

std::unique_ptr<etl::rows::RowEncoder> encoder_of(const etl::sql::Query& query) {
    std::vector<etl::rows::RowColumn> columns;
    for (const std::string& name : query.columns()) {
        columns.push_back({.name = name});
    }
    return etl::rows::make_encoder(std::move(columns), {.format = etl::rows::Format::jsonl});
}

/// The rows of a query that threads encode; none: it is no such query, or it failed.
std::optional<std::string> scanned(etl::sql::Database& database, std::string_view text) {
    auto query = database.prepare(text);
    if (!query || !*query) {
        return std::nullopt;
    }
    const auto encoder = encoder_of(**query);
    std::string rows;
    const auto is_scan = (*query)->scan(*encoder, [&](std::string_view some) {
        rows += some;
        return true;
    });
    return is_scan && *is_scan ? std::optional(rows) : std::nullopt;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    const void* const nul = size == 0 ? nullptr : std::memchr(data, 0, size);
    const std::size_t text_size =
        nul == nullptr ? size
                       : static_cast<std::size_t>(static_cast<const std::uint8_t*>(nul) - data);
    const std::string_view text = as_text(std::as_bytes(std::span(data, text_size)));
    const fuzz::File file =
        text_size < size ? fuzz::small_trace(data + text_size + 1, size - text_size - 1) : nullptr;
    unsigned questions = 0;
    constexpr unsigned most_questions = 50; // of 10,000 steps each
    constexpr std::int64_t memory = std::int64_t{32} << 20;
    dataset::Inputs inputs;
    if (file != nullptr) {
        inputs.files.push_back({file});
    }
    dataset::Dataset traces(std::move(inputs), {.threads = 1});
    const auto database =
        sql::Database::open({.traces = &traces,
                             .schemas = {},
                             .is_stopped = [&] { return ++questions > most_questions; },
                             .memory = memory});
    fuzz::require(database.has_value());
    const auto scan = scanned(**database, text);
    questions = 0;
    auto query = (*database)->prepare(text);
    if (!query) {
        fuzz::require(!query.error().what.empty());
        fuzz::require(query.error().offset.value_or(0) <= text.size());
        return 0;
    }
    constexpr unsigned most_rows = 1000;
    const auto encoder = *query && scan ? encoder_of(**query) : nullptr;
    std::vector<rows::Value> values(*query ? (*query)->columns().size() : 0);
    std::string stepped;
    for (unsigned row = 0; *query && row < most_rows; ++row) {
        const auto has_row = (*query)->next();
        if (!has_row || !*has_row) {
            fuzz::require(has_row || !has_row.error().what.empty());
            fuzz::require(!has_row || !scan || *scan == stepped);
            break;
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] =
                std::visit([](auto value) { return rows::Value(value); }, (*query)->value(i));
        }
        if (encoder) {
            encoder->encode(values, stepped);
            fuzz::require(scan->starts_with(stepped));
        }
    }
    return 0;
}

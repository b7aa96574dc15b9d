// A database over one small trace.
#pragma once

#include "gather/schemas.hpp"
#include "sql/database.hpp"
#include "trace/inputs.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace etl::test {

/// Values as text; NULL is `NULL`, text is in quotes.
inline std::string shown(const sql::Value& value) {
    if (const auto* const number = std::get_if<std::int64_t>(&value)) {
        return std::to_string(*number);
    }
    if (const auto* const real = std::get_if<double>(&value)) {
        return std::to_string(*real);
    }
    if (const auto* const text = std::get_if<std::string_view>(&value)) {
        return "'" + std::string(*text) + "'";
    }
    return std::holds_alternative<std::monostate>(value) ? "NULL" : "bytes";
}

/// The traces of queries, and how they were read.
class Queried {
public:
    explicit Queried(std::vector<std::shared_ptr<const io::InputFile>> files)
        : files_(std::move(files)) {
        const auto readers = open({});
        schemas_ = gather::schemas_of(readers, {}, [](const gather::Remark&) {})->by_trace;
    }

    sql::Readers open(const sql::Selection& select) {
        ++passes_;
        sql::Readers readers;
        for (const auto& file : files_) {
            readers.push_back(
                *trace::Reader::open(file, {.file = static_cast<std::uint32_t>(readers.size()),
                                            .select = [this, select](const flow::Event& event) {
                                                const bool is_selected = !select || select(event);
                                                selected_ += is_selected ? 1U : 0U;
                                                return is_selected;
                                            }}));
        }
        return readers;
    }

    /// With `has_indexes`, the events from the start of the window on.
    sql::Sources open_window(const flow::TimeFilter::Window& window, const sql::Selection& select) {
        sql::Sources sources;
        if (has_indexes) {
            ++windows_;
            for (auto& reader : open([window, select](const flow::Event& event) {
                     return (!window.from || event.time() >= *window.from) &&
                            (!select || select(event));
                 })) {
                sources.push_back(std::move(reader));
            }
        }
        return sources;
    }

    sql::Inputs inputs() {
        return {.open = [this](sql::Pass, const sql::Selection& select) { return open(select); },
                .open_window =
                    [this](const flow::TimeFilter::Window& window, const sql::Selection& select) {
                        return open_window(window, select);
                    },
                .schemas = schemas_,
                .on_no_match = [this](const match::Condition&) { has_no_match_ = true; }};
    }

    sql::Database& database() {
        if (database_ == nullptr) {
            database_ = *sql::Database::open(inputs());
        }
        return *database_;
    }

    /// The rows of a query, `a|b`.
    std::vector<std::string> rows(const std::string& text) {
        passes_ = 0;
        selected_ = 0;
        windows_ = 0;
        has_no_match_ = false;
        std::vector<std::string> rows;
        auto query = database().prepare(text);
        if (!query || !*query) {
            ADD_FAILURE() << text << ": " << (query ? "empty" : query.error().what);
            return rows;
        }
        for (;;) {
            const auto has_row = (*query)->next();
            if (!has_row) {
                ADD_FAILURE() << text << ": " << has_row.error().what;
            }
            if (!has_row || !*has_row) {
                return rows;
            }
            std::string row;
            for (std::size_t i = 0; i < (*query)->columns().size(); ++i) {
                row += (i > 0 ? "|" : "") + shown((*query)->value(i));
            }
            rows.push_back(row);
        }
    }

    /// Why a query fails.
    sql::QueryError error(const std::string& text) {
        auto query = database().prepare(text);
        if (!query) {
            return query.error();
        }
        while (*query) {
            const auto has_row = (*query)->next();
            if (!has_row) {
                return has_row.error();
            }
            if (!*has_row) {
                break;
            }
        }
        ADD_FAILURE() << text << ": succeeds";
        return {};
    }

    std::size_t passes() const noexcept { return passes_; }

    /// Passes of the last query over windows.
    std::size_t windows() const noexcept { return windows_; }

    bool has_indexes = false;

    /// Whether the last query had a pass in which no event matched what it took over.
    bool has_no_match() const noexcept { return has_no_match_; }

    /// Events that the last query did not reject by their headers.
    std::size_t selected() const noexcept { return selected_; }

private:
    std::vector<std::shared_ptr<const io::InputFile>> files_;
    schema::SchemasByTrace schemas_;
    std::unique_ptr<sql::Database> database_;
    std::size_t passes_ = 0, selected_ = 0, windows_ = 0;
    bool has_no_match_ = false;
};

inline std::shared_ptr<const io::InputFile> corpus_file(const std::string& name) {
    return *trace::open_input(ETL_SOURCE_DIR "/corpus/good/" + name);
}

} // namespace etl::test

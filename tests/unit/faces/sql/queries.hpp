// A database over one small trace.
#pragma once

#include "sql/database.hpp"
#include "tests/support/folders.hpp"
#include "trace/inputs.hpp"

#include <gtest/gtest.h>

#include <atomic>
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
    explicit Queried(const std::vector<std::shared_ptr<const io::InputFile>>& files)
        : traces_(inputs_of(files)) {
        context_ = *traces_.context({.schemas = gather::SchemaScope::everything});
    }

    std::shared_ptr<dataset::Dataset> open(const dataset::Window& window) {
        ++passes_;
        windows_ += traces_.reads_window(window) ? 1U : 0U;
        return std::make_shared<dataset::Dataset>(*traces_.again(
            [this, select = *window.select](const flow::Event& event) {
                const bool is_selected = !select || select(event);
                selected_ += is_selected ? 1U : 0U;
                return is_selected;
            },
            {}));
    }

    void use_indexes(bool uses_them) {
        traces_.complete_indexes();
        traces_.options().uses_indexes = uses_them;
    }

    sql::Inputs inputs() {
        return {.traces = &traces_,
                .open = [this](const dataset::Window& window) { return open(window); },
                .schemas = context_.schemas,
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

    /// Whether the last query had a pass in which no event matched what it took over.
    bool has_no_match() const noexcept { return has_no_match_; }

    /// Events that the last query did not reject by their headers.
    std::size_t selected() const noexcept { return selected_; }

private:
    static dataset::Inputs
    inputs_of(const std::vector<std::shared_ptr<const io::InputFile>>& files) {
        dataset::Inputs inputs;
        for (const auto& file : files) {
            inputs.files.push_back({file});
        }
        return inputs;
    }

    dataset::Dataset traces_;
    dataset::Context context_;
    std::unique_ptr<sql::Database> database_;
    std::size_t passes_ = 0, windows_ = 0;
    std::atomic<std::size_t> selected_ = 0; // by threads that read
    bool has_no_match_ = false;
};

inline std::shared_ptr<const io::InputFile> corpus_file(const std::string& name) {
    return *trace::open_input(test::source_dir() + "/corpus/good/" + name);
}

} // namespace etl::test

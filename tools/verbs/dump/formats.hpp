// The formats of `etl dump` and `etl live`. Each is described once, in formats.cpp: --format, its
// help and completion, the tool of `etl mcp`, and extensions of files are made of the descriptions.
#pragma once

#include "flow/sink.hpp"
#include "sink/csv.hpp"
#include "verbs/dump/options.hpp"

#include <atomic>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cli {

struct DumpFormat {
    std::string_view name;    // of --format
    std::string_view endings; // of -o, separated by blanks; empty: only --format selects it
    /// Returns what writes events. `has_truncated` is set when a value is shortened.
    std::unique_ptr<etl::flow::Encoder> (*make)(
        const DumpOptions& options, const std::shared_ptr<std::atomic<bool>>& has_truncated);
    std::optional<etl::sink::CsvOptions::Style> table{}; // a row of cells for each event
    bool is_array = false;                               // what parts write does not add up
    bool is_for_terminals = false;                       // text that may contain escapes
};

/// Returns all of them; the first is the default.
std::span<const DumpFormat> dump_formats() noexcept;

/// Adds --format.
void add_dump_format(Verb& verb, DumpOptions& options);

/// --format, else by the extension of -o. Errors: text for messages, if options contradict the
/// format.
std::expected<const DumpFormat*, std::string> format_of(const DumpOptions& options);

/// The cells of a format that is a table.
etl::sink::CsvOptions csv_options(const DumpOptions& options);

} // namespace cli

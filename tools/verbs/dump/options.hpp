// The options of `etl dump`.
#pragma once

#include "cli/console.hpp"
#include "cli/event_filter.hpp"
#include "cli/option_values.hpp"
#include "decode/event_keys.hpp"
#include "inputs/schemas.hpp"
#include "inputs/symbol_path.hpp"
#include "inputs/traces.hpp"
#include "sink/options.hpp"
#include "trace/parts.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace cli {

struct DumpFormat; // verbs/dump/formats.hpp
enum class DumpColumns : unsigned char { data, automatic };
enum class ColorWhen : unsigned char { automatic, always, never };

struct DumpOptions {
    TraceOptions traces;
    SchemaOptions schemas;
    SymbolPathOptions symbols;
    FilterOptions filters;
    etl::sink::Options sink;
    const DumpFormat* asked_format = nullptr; // null: by the ending of the output
    const DumpFormat* format = nullptr;       // which run_dump() finds
    std::optional<std::string> wpp_prefix;    // none: that of the environment, else tracefmt's
    std::string output = "-";
    DumpColumns columns = DumpColumns::data;
    bool split_by_event = false; // the output is a directory
    bool byte_order_mark = false;
    BigNumbers big_numbers = BigNumbers::number;
    bool with_pager = true; // if available
    bool full_values = false;
    bool force = false;
    bool strict = false;
    bool local = false;
    bool no_decode = false;
    bool enrich = false;
    bool spool = false;
    bool follow = false;
    std::optional<etl::trace::Part> part; // none: all
    ColorWhen color = ColorWhen::automatic;
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;

    /// The columns require a pass over all events.
    bool needs_kinds() const noexcept {
        return split_by_event || columns == DumpColumns::automatic;
    }
};

/// Whether a field is a key for the origin of events.
inline bool names_origin(const std::vector<std::string>& fields) {
    return std::ranges::any_of(fields, [](const std::string& field) {
        const auto key = etl::decode::find_key(field);
        return key && etl::decode::is_origin_key(*key);
    });
}

} // namespace cli

// The results of a survey. Private to dumper.
#pragma once

#include "dumper/column.hpp"
#include "dumper/dumper.hpp"
#include "dumper/limits.hpp"
#include "dumper/lines.hpp"

#include <array>
#include <bitset>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace etl::dumper {

/// Which events are printed.
class Selection {
public:
    explicit Selection(const Options& options) : options_(&options) {}

    bool has(const flow::Event& event, const decode::DecodedEvent& decoded) const noexcept;

private:
    const Options* options_;
};

/// The code at which a thread starts.
struct ThreadStart {
    std::uint32_t scope = 0; // facts::FactsByTrace::number_of
    std::uint32_t thread = 0;
    std::int64_t time = 0;
    std::uint64_t address = 0;
    bool is_start = false; // the thread did not exist before

    auto operator<=>(const ThreadStart&) const = default;
};

struct Survey::State {
    explicit State(const Options& how)
        : options(how), selection(options),
          decoder(how.schemas, {.pointer_size = how.pointer_size}) {}

    void count(const decode::DecodedEvent& event);
    void count_known(const decode::DecodedEvent& event, const Line& line);
    void count_counters(const decode::DecodedEvent& event);
    void count_time(const flow::Event& event, bool is_switch);

    /// The latest of the times at which the processors of a trace have their first event.
    std::int64_t first_reliable(const flow::TraceInfo& trace, bool is_switch) const;
    void append_schemas(std::string& to, bool is_64_bit) const;

    Options options;
    Selection selection;
    decode::Decoder decoder;
    Lines lines;
    Values values;
    FieldTexts texts;

    std::array<bool, no_kind> known{};                    // by kind
    std::array<ShownColumns, no_kind> shown{};            // by kind
    std::set<std::pair<std::string, std::string>> others; // name and columns
    bool has_stacks = false;
    std::size_t counters = 0; // most in one event
    std::vector<std::string> counter_names;
    std::vector<ThreadStart> starts; // sorted by combine()
    /// First times by file and processor: of all events, and of context switches.
    std::map<std::pair<std::uint32_t, std::uint16_t>, std::int64_t> first_events, first_switches;
    std::map<std::uint32_t, std::int64_t> last_events; // by file
    std::uint64_t dropped_kinds = 0, wpp_messages = 0;
    std::string scratch;
};

/// Returns the address at which a thread was started, as far as recorded by then or in a later
/// rundown. `starts` is sorted.
std::optional<std::uint64_t> start_of(const std::vector<ThreadStart>& starts, std::uint32_t file,
                                      std::uint32_t thread, std::int64_t time);

/// Returns the names of the columns of counters: those of the trace, then `Counter3`.
std::vector<std::string> counter_columns(const Survey::State& survey);

} // namespace etl::dumper

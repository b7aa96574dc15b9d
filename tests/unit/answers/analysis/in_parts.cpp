// Every table of a test is also computed from parts, and must be equal.
#include "analysis/parts.hpp"
#include "tests/unit/answers/analysis/analyzed.hpp"

#include <set>

namespace etl::analysis {
namespace {

/// The events of a trace from one time up to another; each counts by the latest time up to it.
class PartOfEvents final : public flow::Source {
public:
    PartOfEvents(flow::Source& events, std::int64_t from, std::int64_t to)
        : events_(&events), from_(from), to_(to) {}

    flow::Run next_run() override {
        for (flow::Run run = events_->next_run(); !run.empty(); run = events_->next_run()) {
            const auto begin = find(run, from_);
            const auto end = find({begin, run.end()}, to_);
            if (begin != end) {
                return {begin, end};
            }
        }
        return {};
    }

    flow::Pin pin() const override { return events_->pin(); }

    const Error* error() const noexcept override { return events_->error(); }

private:
    /// The first event that counts by a time at or after `limit`.
    flow::Run::iterator find(flow::Run run, std::int64_t limit) {
        return std::ranges::find_if(run, [&](const flow::Event& event) {
            latest_ = std::max(latest_, event.raw_time);
            return latest_ >= limit;
        });
    }

    flow::Source* events_;
    std::int64_t from_, to_, latest_ = std::numeric_limits<std::int64_t>::min();
};

/// The times at which a trace can be cut: those of its events but the first.
std::vector<std::int64_t> cuts_of(const test::Image& image) {
    std::set<std::int64_t> times;
    const auto reader = reader_of(image);
    reader->for_each_buffer(1, [&](unsigned, const trace::BufferEntry&, flow::Run events) {
        for (const flow::Event& event : events) {
            times.insert(event.raw_time);
        }
    });
    return {std::next(times.begin()), times.end()};
}

/// The part of a trace from one time up to another, as a file contains it.
TablePart part_of(const test::Image& image, const Asked& asked, std::int64_t from,
                  std::int64_t to) {
    const auto reader = reader_of(image);
    PassOptions options = options_of(*reader, asked);
    options.range = range_of(*reader);
    const PartPlace place{.begin = from,
                          .reached_to = asked.to && options.range->second >= *asked.to,
                          .show_earlier = [&](FunctionRef<void(flow::Run)> show) {
                              reader->for_each_buffer(1, [&](unsigned, const trace::BufferEntry&,
                                                             flow::Run events) { show(events); });
                          }};
    PartOfEvents source(*reader, from, to);
    const auto analyzer = find_table(asked.table, asked.by)->make(table_options_of(asked));
    PartFile file;
    auto part = run_part(source, reader->info(), *analyzer, options, place);
    EXPECT_TRUE(part);
    file.traces.push_back(*std::move(part));
    const auto read = parse_part_file(encode(file));
    EXPECT_TRUE(read);
    return read ? read->traces.front() : TablePart{};
}

/// The table of a trace that is cut at these times.
Result<Table> table_of_parts(const test::Image& image, const Asked& asked,
                             const std::vector<std::int64_t>& cuts) {
    using Limits = std::numeric_limits<std::int64_t>;
    std::vector<TablePart> parts;
    for (std::size_t i = 0; i <= cuts.size(); ++i) {
        parts.push_back(part_of(image, asked, i == 0 ? Limits::min() : cuts[i - 1],
                                i == cuts.size() ? Limits::max() : cuts[i]));
    }
    const TableForm& form = *find_table(asked.table, asked.by);
    auto table = combine(form, table_options_of(asked), parts);
    return table ? Result<Table>(finished(*std::move(table))) : table;
}

/// All that a table says, as text.
Rows content_of(const Table& table) {
    std::vector<std::string_view> columns;
    for (const Column& column : table.columns) {
        columns.push_back(column.name);
    }
    Rows content = rows_of(table, columns);
    std::string total;
    for (const Cell& cell : table.total) {
        total += shown(cell) + ' ';
    }
    content.push_back("total " + total);
    content.push_back("sorted by " + std::to_string(table.sort_column));
    const Coverage& coverage = table.coverage;
    content.push_back("events " + std::to_string(coverage.events) + " used " +
                      std::to_string(coverage.used_events));
    for (const std::string_view source : missing_of(table)) {
        content.push_back("missing " + std::string(source));
    }
    for (const Remainder& one : coverage.remainders) {
        content.push_back(std::string(one.name) + ' ' + std::to_string(one.value));
    }
    return content;
}

} // namespace

/// Cut in two at each time, and at all of them.
void expect_same_in_parts(const test::Image& image, const Asked& asked, const Table& whole) {
    constexpr std::size_t most = 40; // cuts: the events of larger traces are alike
    const auto cuts = cuts_of(image);
    if (find_table(asked.table, asked.by)->parts == PartsOf::none || cuts.size() > most ||
        asked.options.excludes_interrupts) {
        return;
    }
    std::vector<std::vector<std::int64_t>> divisions{{}, cuts};
    for (const std::int64_t cut : cuts) {
        divisions.push_back({cut});
    }
    for (const auto& division : divisions) {
        const auto table = table_of_parts(image, asked, division);
        ASSERT_TRUE(table) << describe(table.error());
        EXPECT_EQ(content_of(*table), content_of(whole))
            << asked.table << ' ' << asked.by << ", " << division.size() + 1 << " parts"
            << (division.size() == 1 ? ", cut at " + std::to_string(division[0] - t0) : "");
    }
}

} // namespace etl::analysis

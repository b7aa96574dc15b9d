// Questions that pages of events answer.
#include "analysis/event_counts.hpp"
#include "explore/event_rows.hpp"
#include "explore/explorer_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace etl::explore {

namespace {

using dataset::Dataset;
using flow::TimeFilter;

/// Batches begin small, because most pages are.
constexpr std::size_t first_batch = 256, largest_batch = 4096;

/// Rows of events by the numbers in the indexes: without an expression, rows are events.
class RowIndex {
public:
    /// Nothing: the rows of the window are found by reading it from its beginning.
    static std::optional<RowIndex> of(Dataset& traces, const TimeFilter::Window& window) {
        const bool is_usual = traces.options().order == trace::Order::time &&
                              !traces.options().select && traces.is_indexed();
        RowIndex index(traces);
        for (std::size_t i = 0; is_usual && i < traces.readers().size(); ++i) {
            auto counts = analysis::event_counts_of(*traces.indexes()[i]);
            const bool has_window = window.from || window.to;
            if (!counts || (has_window && counts->irregular != 0)) {
                return std::nullopt;
            }
            index.all_ += counts->events;
            index.counts_.push_back(*std::move(counts));
        }
        return is_usual ? std::optional(std::move(index)) : std::nullopt;
    }

    /// Number of events before a time; none: of the end.
    std::expected<std::uint64_t, TraceError> before(const std::optional<Filetime>& time) {
        if (!time) {
            return all_;
        }
        std::uint64_t events = 0;
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            auto some = before(*time, i);
            if (!some) {
                return some;
            }
            events += *some;
        }
        return events;
    }

    /// A time with no more events before it than a row has, and few between it and the row.
    struct Start {
        std::optional<Filetime> time{}; // none: the beginning
        std::uint64_t events = 0;       // before it
    };

    std::expected<Start, TraceError> last_up_to(std::uint64_t row) {
        std::vector<Filetime> times;
        for (const analysis::EventCounts& counts : counts_) {
            for (const auto& cut : counts.cuts) {
                times.push_back(cut.cut.time);
            }
        }
        std::ranges::sort(times);
        // As many events as cuts count are certainly before a time; fewer than two spacings more
        // are, for each trace.
        auto after = std::ranges::partition_point(
            times, [&](Filetime time) { return certainly_before(time) <= row; });
        while (after != times.begin()) {
            const Filetime time = *--after;
            const auto events = before(time);
            if (!events) {
                return std::unexpected(events.error());
            }
            if (*events <= row) {
                return Start{time, *events};
            }
        }
        return Start{};
    }

private:
    explicit RowIndex(Dataset& traces) : traces_(&traces) {}

    std::uint64_t certainly_before(Filetime time) const {
        std::uint64_t events = 0;
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            const auto cut = counts_[i].last_before(raw(time, i));
            events += cut ? cut->events : 0;
        }
        return events;
    }

    std::int64_t raw(Filetime time, std::size_t input) const {
        return traces_->readers()[input]->info().clock.to_raw(time);
    }

    std::expected<std::uint64_t, TraceError> before(Filetime time, std::size_t input) {
        const auto cut = counts_[input].last_before(raw(time, input));
        if (cut && cut->cut.time == time) {
            return cut->events;
        }
        TimeFilter::Window window{.from = {}, .to = time};
        if (cut) {
            window.from = cut->cut.time;
        }
        auto reader = traces_->open_window(input, window, {.is_silent = true});
        if (!reader) {
            return std::unexpected(std::move(reader.error()));
        }
        std::uint64_t events = cut ? cut->events : 0;
        for (flow::Run run = (*reader)->next_run(); !run.empty(); run = (*reader)->next_run()) {
            events += run.size();
        }
        return events;
    }

    Dataset* traces_;
    std::vector<analysis::EventCounts> counts_; // by number of the trace
    std::uint64_t all_ = 0;
};

/// What a page of events is.
struct Page {
    std::uint64_t first_row = 0, count = 0;
    std::optional<match::Condition> found{}; // of `count` events; none: of rows
    std::vector<std::string> fields{};       // with columns of their own
};

/// The events of a question from a row on. Members refer to each other: not moved.
class EventsFrom {
public:
    /// If rows are events, begins with the first of the page; otherwise with the window.
    static std::expected<std::unique_ptr<EventsFrom>, TraceError>
    open(Asked& asked, const dataset::Context& context, const Page& page, bool are_rows_events) {
        std::unique_ptr<EventsFrom> events(new EventsFrom);
        const TimeFilter::Window& window = asked.filters.window;
        if (!are_rows_events && !window.from && !window.to) {
            asked.traces.skip_kinds(
                asked.filters.condition,
                {.schemas = context.schemas,
                 .decoder = {.pointer_size = asked.traces.options().pointer_size},
                 .origins = context.origins});
        }
        auto index =
            are_rows_events ? RowIndex::of(asked.traces, asked.filters.window) : std::nullopt;
        auto opened =
            index ? events->open_at(asked, *index, page.first_row) : events->open_all(asked);
        if (!opened) {
            return std::unexpected(std::move(opened.error()));
        }
        if (are_rows_events) {
            events->begin_at(page);
        }
        return events;
    }

    flow::Source& source() noexcept { return *source_; }

    /// Of the first event of source().
    std::uint64_t first_row() const noexcept { return first_row_; }

    /// All rows of the question; none: unknown.
    std::optional<std::uint64_t> rows() const noexcept { return rows_; }

private:
    EventsFrom() = default;

    void begin_at(const Page& page) {
        flow::CountFilter::Range range{
            .skip = page.first_row - std::min(page.first_row, first_row_), .limit = {}};
        if (!page.found) {
            range.limit = page.count + 1; // the last one shows that the page is not the last
        }
        counted_.emplace(*source_, range);
        source_ = &*counted_;
        first_row_ = page.first_row;
    }

    std::expected<void, TraceError> open_all(Asked& asked) {
        auto events = asked.traces.events({.time = asked.filters.window});
        if (!events) {
            return std::unexpected(std::move(events.error()));
        }
        all_ = *std::move(events);
        source_ = &all_->source();
        return {};
    }

    std::expected<void, TraceError> open_at(Asked& asked, RowIndex& index, std::uint64_t row) {
        const TimeFilter::Window& window = asked.filters.window;
        const auto first =
            window.from ? index.before(window.from) : std::expected<std::uint64_t, TraceError>(0);
        const auto end = first ? index.before(window.to) : first;
        const auto start =
            end ? index.last_up_to(*first + std::min(row, *end - std::min(*first, *end)))
                : std::unexpected(end.error());
        if (!start) {
            return std::unexpected(start.error());
        }
        rows_ = *end - std::min(*first, *end);
        TimeFilter::Window read = window;
        if (start->time && (!window.from || *start->time > *window.from)) {
            read.from = start->time;
            first_row_ = start->events - *first;
        }
        auto sources = asked.traces.window_sources({.time = read});
        if (!sources) {
            return std::unexpected(std::move(sources.error()));
        }
        window_ = *std::move(sources);
        std::vector<flow::Source*> readers;
        for (const auto& reader : window_.readers) {
            readers.push_back(reader.get());
        }
        joined_ = asked.traces.join(std::move(readers));
        source_ = joined_.get();
        if (window.from || window.to) {
            timed_.emplace(*source_, window, asked.traces.upstream());
            source_ = &*timed_;
        }
        return {};
    }

    std::optional<dataset::Events> all_; // one of these
    dataset::WindowSources window_;
    std::unique_ptr<flow::Source> joined_;
    std::optional<TimeFilter> timed_;
    std::optional<flow::CountFilter> counted_;
    flow::Source* source_ = nullptr; // the last of the chain
    std::uint64_t first_row_ = 0;
    std::optional<std::uint64_t> rows_;
};

std::shared_ptr<const RowOptions>
row_options_of(const Asked& asked, const dataset::Context& context, const Page& page) {
    const dataset::Options& options = asked.traces.options();
    auto rows = std::make_shared<RowOptions>();
    rows->context = context;
    rows->decoder = {.pointer_size = options.pointer_size};
    rows->code_page = options.code_page;
    if (!asked.filters.condition.is_always_true()) {
        rows->where = asked.filters.condition;
    }
    rows->found = page.found;
    rows->fields = page.fields;
    return rows;
}

/// Takes rows out of batches until the page is full.
void fill(Answer& answer, flow::BatchReader& batches, std::uint64_t next_row, const Page& page,
          const Stop* stop) {
    std::vector<analysis::Row>& rows = answer.table.rows;
    while (!is_stopped(stop)) {
        const auto result = batches.next();
        if (result == nullptr) {
            const bool is_beyond = rows.empty() && page.first_row > 0;
            answer.rows = is_beyond ? std::nullopt : std::optional(next_row);
            return;
        }
        auto& batch = static_cast<RowBatch&>(*result);
        for (analysis::Row& row : batch.rows) {
            std::uint64_t& number = number_of(row);
            number += next_row;
            if (number < page.first_row) {
                continue;
            }
            if (rows.size() == page.count) {
                answer.next_row = number;
                return;
            }
            rows.push_back(std::move(row));
        }
        next_row += batch.events;
    }
}

std::expected<Answer, TraceError> page_of(OpenedTraces& opened, const Selection& selection,
                                          const Page& page, const Stop* stop) {
    auto asked = opened.ask(selection, stop, ProcessFilter::events);
    if (!asked) {
        return std::unexpected(std::move(asked.error()));
    }
    const auto context = asked->traces.context(usual_needs());
    if (!context) {
        return std::unexpected(context.error());
    }
    const bool are_rows_events = asked->filters.condition.is_always_true();
    auto events = EventsFrom::open(*asked, *context, page, are_rows_events);
    if (!events) {
        return std::unexpected(std::move(events.error()));
    }
    Answer answer{.table = events_table(page.fields), .first_row = page.first_row};
    const unsigned threads = asked->traces.options().worker_threads();
    const bool is_small = are_rows_events && !page.found && page.count <= first_batch;
    TaskPool pool(is_small ? 0 : threads);
    const RowWorker worker(row_options_of(*asked, *context, page));
    flow::BatchReader batches((*events)->source(), worker, pool,
                              {.events = largest_batch, .first_events = first_batch});
    fill(answer, batches, (*events)->first_row(), page, stop);
    if (is_stopped(stop)) {
        return std::unexpected(stopped_error());
    }
    if (const Error* const error = (*events)->source().error()) {
        return std::unexpected(TraceError{*error, asked->traces.inputs().front().name(), {}});
    }
    answer.rows = (*events)->rows() ? (*events)->rows() : answer.rows;
    answer.remarks = asked->messages->take();
    return answer;
}

/// A literal of the expression language that finds a text in any place.
std::string containing(const std::string& text) {
    std::string pattern = "\\Q";
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool is_end = text.compare(at, 2, "\\E") == 0;
        pattern.append(is_end ? "\\E\\\\\\Q" : std::string(1, text[at]));
    }
    return quoted(pattern + "\\E");
}

/// An answer with fields must not be larger than one without.
std::expected<void, TraceError> check_fields(const EventsQuestion& question) {
    const std::set<std::string> names(question.fields.begin(), question.fields.end());
    if (question.fields.size() > max_fields || names.size() != question.fields.size()) {
        return wrong(ErrorCode::invalid_option, "fields",
                     fmt::format("expected at most {} different fields", max_fields));
    }
    const std::uint64_t most = max_rows / (question.fields.size() + 1);
    if (question.rows.count > most) {
        return wrong(ErrorCode::invalid_option, "count",
                     fmt::format("expected at most {} events with so many fields", most));
    }
    return {};
}

} // namespace

std::string search_expression(const std::string& text) {
    return fmt::format("provider ~ {0} or event ~ {0} or task_name ~ {0} or data ~ {0} or "
                       "message ~ {0}",
                       containing(text));
}

std::expected<Answer, TraceError> Explorer::events(const EventsQuestion& question,
                                                   const Stop* stop) const {
    if (auto checked = check_count(question.rows.count); !checked) {
        return std::unexpected(std::move(checked.error()));
    }
    if (auto checked = check_fields(question); !checked) {
        return std::unexpected(std::move(checked.error()));
    }
    return page_of(
        state_->traces, question.selection,
        {.first_row = question.rows.first, .count = question.rows.count, .fields = question.fields},
        stop);
}

std::expected<Answer, TraceError> Explorer::search(const SearchQuestion& question,
                                                   const Stop* stop) const {
    if (auto checked = check_count(question.count); !checked) {
        return std::unexpected(std::move(checked.error()));
    }
    if (question.text.empty()) {
        return wrong(ErrorCode::invalid_option, "text", "a text to search for is required");
    }
    auto found =
        dataset::compile_where(search_expression(question.text), state_->traces.traces().bounds());
    if (!found) {
        return wrong(ErrorCode::invalid_option, "text", "the text is too long");
    }
    return page_of(
        state_->traces, question.selection,
        {.first_row = question.from_row, .count = question.count, .found = *std::move(found)},
        stop);
}

} // namespace etl::explore

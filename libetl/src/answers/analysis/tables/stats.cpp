// etl stats. docs/analysis.md#stats
#include "analysis/groups.hpp"
#include "analysis/names.hpp"
#include "analysis/parts/archive.hpp"
#include "analysis/table_list.hpp"
#include "analysis/times/slices.hpp"

#include <algorithm>

namespace etl::analysis {

namespace {

enum class StatsBy : std::uint8_t { provider, event, process, processor, slice };

class Stats final : public Analyzer {
public:
    Stats(StatsBy by, const TableOptions& options) : by_(by), slices_(options.slices) {}

    void subscribe(Subscriptions& subscriptions) override { subscriptions.sums(sums_by()); }

    void start(Context& context) override {
        Analyzer::start(context);
        slices_.start(context);
        kinds_.emplace(*context.schemas);
    }

    void add(const Record& /*record*/) override {}

    void add_sums(const EventSums& sums) override {
        const GroupKey key = key_of(sums);
        if (by_ == StatsBy::process &&
            !(*context().owners)[static_cast<OwnerRef>(key[0])].is_selected) {
            return;
        }
        std::uint64_t* const row = groups_.find(key, sums.events);
        if (by_ == StatsBy::processor) {
            row[lost] += sums.lost;
        }
        if (sums.event->has_time) {
            add_times(row, sums);
        }
        row[events] += sums.events;
        row[bytes] += sums.bytes;
    }

    bool may_sum(std::int64_t from, std::int64_t to) const override {
        return by_ != StatsBy::slice || slices_.are_together(from, to);
    }

    Table finish() override {
        std::vector<Column> columns{
            sum_column("events"),
            sum_column("bytes", Unit::bytes),
            {.name = "first", .unit = Unit::time, .adding = Adding::minimum},
            {.name = "last", .unit = Unit::time, .adding = Adding::maximum}};
        if (by_ == StatsBy::processor) {
            columns.push_back(sum_column("lost"));
            columns.push_back(ticks_column("max_gap_ns", Adding::maximum));
        }
        Table table = table_of("stats", groups_, *context().owners, texts_, keys(), columns);
        std::ranges::for_each(table.rows, [](Row& row) { row.in_total = true; });
        convert_times(table);
        constexpr std::uint64_t hundredths_per_second = 100'000'000'000;
        const std::uint32_t count = *table.find("events");
        table.sort_column = count;
        table.columns.push_back(
            {.name = "events_per_second",
             .unit = Unit::hundredths,
             .adding = Adding::ratio,
             .ratio = {.numerator = count, .denominator = {}, .scale = hundredths_per_second}});
        std::ranges::for_each(table.rows, [](Row& row) { row.cells.emplace_back(); });
        if (by_ == StatsBy::event) {
            split_event_keys(table);
        } else if (by_ == StatsBy::slice) {
            add_begins(table);
        }
        return table;
    }

    /// Of processors: when their first and their last event were, for the gaps between parts.
    void save(Archive& to) override {
        if (by_ != StatsBy::processor) {
            return;
        }
        std::vector<Span> spans;
        for (std::size_t i = 0; i < groups_.size(); ++i) {
            const std::uint64_t* const row = groups_.values(i);
            spans.push_back({groups_.key(i)[0], row[first], row[last]});
        }
        visit(to, spans);
    }

    void stitch(Archive& from) override {
        if (by_ != StatsBy::processor) {
            return;
        }
        std::vector<Span> spans;
        visit(from, spans);
        for (const Span& span : spans) {
            const std::size_t known = groups_.size();
            std::uint64_t* const row = groups_.find({span.processor, 0, 0});
            const bool is_new = groups_.size() > known;
            if (span.first == 0) {
                continue;
            }
            const bool is_first = is_new || row[first] == 0;
            row[first] = is_first ? span.first : std::min(row[first], span.first);
            row[gap] =
                std::max(row[gap], is_first || span.first < row[last] ? 0 : span.first - row[last]);
            row[last] = std::max(row[last], span.last);
        }
    }

private:
    enum Value : std::size_t { events, bytes, first, last, lost, gap, values };

    /// Ticks after the one before T.begin; 0: no event has a time.
    struct Span {
        std::uint64_t processor = 0, first = 0, last = 0;
    };

    static void visit(Archive& archive, std::vector<Span>& spans) {
        archive.list(spans, [&](Span& span) {
            archive.number(span.processor);
            archive.number(span.first);
            archive.number(span.last);
        });
    }

    SumsBy sums_by() const noexcept {
        switch (by_) {
        case StatsBy::provider:
        case StatsBy::event:
            return SumsBy::kind;
        case StatsBy::process:
            return SumsBy::process;
        case StatsBy::processor:
            return SumsBy::processor;
        case StatsBy::slice:
            break;
        }
        return SumsBy::nothing;
    }

    std::uint64_t ticks_of(std::int64_t raw) const noexcept {
        return static_cast<std::uint64_t>(raw) - static_cast<std::uint64_t>(context().begin) + 1;
    }

    void add_times(std::uint64_t* row, const EventSums& sums) const {
        const std::uint64_t begin = ticks_of(sums.first());
        const bool is_first = row[first] == 0;
        if (by_ == StatsBy::processor) {
            row[gap] = std::max(
                {row[gap], sums.gap, is_first || begin < row[last] ? 0 : begin - row[last]});
        }
        row[first] = is_first ? begin : std::min(row[first], begin);
        row[last] = std::max(row[last], ticks_of(sums.last));
    }

    std::vector<KeyColumn> keys() const {
        switch (by_) {
        case StatsBy::provider:
            return {{KeyPart::text, "provider"}};
        case StatsBy::event:
            return {{KeyPart::text, "provider"}, {KeyPart::text, "event"}, {KeyPart::number, "id"}};
        case StatsBy::process:
            return {{KeyPart::owner, {}}};
        case StatsBy::processor:
            return {{KeyPart::number, "cpu"}};
        case StatsBy::slice:
            return {{KeyPart::number, "slice"}};
        }
        return {};
    }

    GroupKey key_of(const EventSums& sums) {
        switch (by_) {
        case StatsBy::provider:
        case StatsBy::event:
            return kinds_->find(
                *sums.event, [&](const decode::DecodedEvent& decoded) { return new_key(decoded); });
        case StatsBy::process:
            return {context().owners->process(sums.about, sums.first()), 0, 0};
        case StatsBy::processor:
            return {sums.event->buffer->processor, 0, 0};
        case StatsBy::slice:
            return {slices_.of(sums.first()), 0, 0};
        }
        return {};
    }

    GroupKey new_key(const decode::DecodedEvent& decoded) {
        GroupKey key{texts_.number_of(provider_of(decoded)), 0, 0};
        if (by_ == StatsBy::event) {
            const flow::EventHeader& header = decoded.header;
            const format::RecordKind kind = decoded.event->kind;
            const bool is_classic = header.is_kernel || format::has_class(kind);
            const std::uint64_t id = is_classic ? header.opcode : header.id;
            key[1] = decoded.kind->event ? texts_.number_of(*decoded.kind->event) : 0;
            key[2] = id << 8U | header.version;
        }
        return key;
    }

    /// Ticks after the one before T.begin become times.
    void convert_times(Table& table) const {
        for (const std::uint32_t column : {*table.find("first"), *table.find("last")}) {
            for (Row& row : table.rows) {
                auto& ticks = std::get<std::uint64_t>(row.cells[column]);
                if (ticks == 0) {
                    row.cells[column] = Cell{};
                    continue;
                }
                const auto raw = static_cast<std::int64_t>(
                    ticks - 1 + static_cast<std::uint64_t>(context().begin));
                ticks = static_cast<std::uint64_t>(context().trace->clock.to_filetime(raw).ticks);
            }
        }
    }

    static void split_event_keys(Table& table) {
        constexpr std::size_t id = 2;
        table.columns.insert(table.columns.begin() + id + 1, key_column("version", Unit::id));
        for (Row& row : table.rows) {
            if (auto* const both = std::get_if<std::uint64_t>(&row.cells[id])) {
                const std::uint64_t version = *both & 0xFFU;
                *both >>= 8U;
                row.cells.insert(row.cells.begin() + id + 1, Cell{version});
            } else {
                row.cells.insert(row.cells.begin() + id + 1, Cell{});
            }
        }
        ++table.sort_column;
        ++table.columns.back().ratio.numerator;
    }

    /// A row for each slice, in order.
    void add_begins(Table& table) const {
        table.is_ordered = true;
        table.columns.insert(table.columns.begin() + 1, key_column("begin", Unit::time));
        table.columns.back().ratio.numerator = *table.find("events");
        std::vector<Row> rows(slices_.count());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows[i].cells = {
                std::uint64_t{i}, begin_of(i), std::uint64_t{0}, std::uint64_t{0}, Cell{},
                Cell{},           Cell{}};
        }
        for (Row& row : table.rows) {
            const std::uint64_t slice = std::get<std::uint64_t>(row.cells[0]);
            row.cells.insert(row.cells.begin() + 1, begin_of(slice));
            rows[slice] = std::move(row);
        }
        table.rows = std::move(rows);
    }

    Cell begin_of(std::uint64_t slice) const {
        return static_cast<std::uint64_t>(
            context().trace->clock.to_filetime(slices_.begin(slice)).ticks);
    }

    StatsBy by_;
    Slices slices_;
    std::optional<KeysByKind> kinds_;
    Groups groups_{values};
    Texts texts_;
};

constexpr std::string_view stats_sums[] = {"events", "bytes"};

constexpr auto stats_forms =
    forms_of(stats_table,
             {
                 {.by = "provider",
                  .needs = TableNeeds::schemas,
                  .has_processes = false,
                  .make = make<Stats, StatsBy::provider>,
                  .parts = PartsOf::added,
                  .kept_as = "event",
                  .window_sums = stats_sums,
                  .is_order_free = true,
                  .title = "Events by provider",
                  .events = "provider == {provider}",
                  .places = {.report = 120, .brief = 90, .top = 5, .tracerpt = 20}},
                 {.by = "event",
                  .needs = TableNeeds::schemas,
                  .has_processes = false,
                  .make = make<Stats, StatsBy::event>,
                  .parts = PartsOf::added,
                  .kept_as = "event",
                  .window_sums = stats_sums,
                  .is_order_free = true,
                  .title = "Events by kind",
                  .events = "provider == {provider} && event == {event} && version == {version}",
                  .places = {.report = 121, .brief = 91, .top = 6, .tracerpt = 10}},
                 {.by = "process",
                  .needs = TableNeeds::processes,
                  .make = make<Stats, StatsBy::process>,
                  .parts = PartsOf::added,
                  .window_sums = stats_sums,
                  .is_order_free = true,
                  .title = "Events by process",
                  .events = "process == {process}",
                  .places = {.report = 122}},
                 {.by = "processor",
                  .has_processes = false,
                  .make = make<Stats, StatsBy::processor>,
                  .parts = PartsOf::carried,
                  .window_sums = stats_sums,
                  .title = "Events by processor",
                  .events = "cpu == {cpu}",
                  .places = {.report = 123}},
                 {.by = "slice",
                  .has_processes = false,
                  .make = make<Stats, StatsBy::slice>,
                  .parts = PartsOf::added,
                  .has_slices = true},
             });

} // namespace

constinit const TableKind stats_table{
    .name = "stats",
    .summary = "Count events and bytes",
    .question = "Which providers and events are in the trace?",
    .examples = R"(  etl stats trace.etl
  etl stats --by event --provider 'Tea-*' trace.etl
  etl stats --by slice --slices 100 --format csv trace.etl)",
    .options = {TableOption::slices},
    .is_compared = true,
    .mcp_options = "sort limit format by slices",
    .mcp_place = 3,
    .forms = stats_forms,
};

} // namespace etl::analysis

#include "sql/event_table.hpp"

#include <etl/time.hpp>

#include "flow/event.hpp"
#include "sql/collations.hpp"
#include "sql/limits.hpp"
#include "sql/names.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace etl::sql {

namespace {

/// All tests that compile: what does not compile is left to SQLite.
std::optional<match::Condition> condition_of(const EventTable& table, EventPlan& plan) {
    std::vector<match::Expression> all;
    if (table.where()) {
        all.push_back(*table.where());
    }
    for (match::Expression& test : plan.tests) {
        if (match::Condition::compile(test, {})) {
            all.push_back(std::move(test));
        }
    }
    if (all.empty()) {
        return std::nullopt;
    }
    auto condition = match::Condition::compile(match::Expression::all_of(std::move(all)), {});
    return condition ? std::optional(*std::move(condition)) : std::nullopt;
}

} // namespace

int EventCursor::start(std::string_view plan_text, std::span<sqlite3_value*> values) {
    EventPlan plan = read_plan(plan_text, values, table_->sources());
    if (!plan.problem.empty()) {
        problem = std::move(plan.problem);
        return SQLITE_ERROR;
    }
    auto where = condition_of(*table_, plan);
    if (!where && table_->where()) {
        problem = "the table has too many kinds of events";
        return SQLITE_ERROR;
    }
    forget_events();
    has_match_ = is_stopped_ = false;
    untimed_ = 0;
    where_ = where;
    if (!open_events(plan, where)) {
        return SQLITE_ERROR;
    }
    options_ = options_of(plan, std::move(where));
    if (!pool_) {
        const unsigned threads = table_->inputs().threads;
        pool_ = std::make_unique<TaskPool>(threads > 1 ? threads : 0);
    }
    worker_.emplace(options_);
    reader_.emplace(source_->source(), *worker_, *pool_,
                    flow::BatchOptions{.events = limits::batch_events,
                                       .first_events = limits::first_batch_events});
    if (options_->encoder != nullptr) {
        return pass_on(*table_->watch->scan);
    }
    rows_ = std::make_unique<RowBatch>(); // the first row is in the next batch
    return next();
}

/// All rows, which SQLite then does not see.
int EventCursor::pass_on(RowScan& scan) {
    while (const auto result = next_batch()) {
        const auto& batch = static_cast<const TextBatch&>(*result);
        has_match_ = has_match_ || !batch.ends.empty();
        table_->watch->has_event = table_->watch->has_event || has_match_;
        if (!scan.add(batch)) {
            return SQLITE_OK;
        }
    }
    return is_stopped_ ? SQLITE_INTERRUPT : fail_at_end();
}

void EventCursor::forget_events() {
    reader_.reset();
    worker_.reset();
    source_.reset();
    traces_.reset();
    rows_.reset();
    groups_.clear();
    row_ = 0;
    events_ = 0;
}

bool EventCursor::open_events(const EventPlan& plan, const std::optional<match::Condition>& where) {
    const Inputs& inputs = table_->inputs();
    dataset::Window window{.time = plan.window, .untimed = &untimed_};
    window.select = where ? selection_of(*where, plan) : dataset::Selection();
    if (inputs.open) {
        traces_ = inputs.open(window);
    } else if (auto again = inputs.traces->again(*window.select, {})) {
        traces_ = std::make_shared<dataset::Dataset>(*std::move(again));
    }
    if (traces_ && where && !plan.window.from && !plan.window.to) {
        traces_->skip_kinds(*where, {.schemas = inputs.schemas, .origins = inputs.origins});
    }
    auto opened = traces_ ? traces_->events(window) : std::unexpected(TraceError());
    if (!opened) {
        problem = "the traces can no longer be read";
        return false;
    }
    source_ = *std::move(opened);
    return true;
}

/// Rejects, while buffers are read, what the condition cannot match. With a window, not by kind:
/// the first event after the window ends it. Not by header if the condition only asks for the kind.
dataset::Selection EventCursor::selection_of(const match::Condition& where, const EventPlan& plan) {
    const bool has_window = plan.window.from || plan.window.to;
    const bool is_of_kind = table_->where() && plan.tests.empty();
    dataset::Selection by_header;
    if (where.may_reject_by_header() && (has_window || !is_of_kind)) {
        by_header = [where](const flow::Event& event) { return where.may_match(event); };
    }
    if (has_window) {
        return by_header;
    }
    const Inputs& inputs = table_->inputs();
    kinds_ = std::make_unique<match::KindFilter>();
    kinds_->start(where, {.schemas = inputs.schemas, .origins = inputs.origins});
    return [this, by_header = std::move(by_header)](const flow::Event& event) {
        return (!by_header || by_header(event)) && kinds_->may_match(event);
    };
}

namespace {

/// Adds a column to what distinguishes groups of events by their kinds; false: events of a kind
/// differ in it.
bool add_to_key(GroupKey& key, const ColumnSource& source) {
    constexpr std::array<std::string_view, 20> of_kinds{
        "provider",   "provider_guid", "id",       "version",    "channel",
        "level",      "opcode",        "task",     "keyword",    "event",
        "task_name",  "opcode_name",   "keywords", "level_name", "channel_name",
        "qualifiers", "computer",      "source",   "wpp",        "schema_from"};
    constexpr std::array<std::string_view, 4> of_origins{"trace", "file", "machine", "boot"};
    const auto is_one_of = [&](const auto& names) {
        return std::ranges::find(names, source.name) != names.end();
    };
    if (source.is_field || source.is_time_number) {
        return false;
    }
    const bool is_of_kind = is_one_of(of_kinds), is_of_origin = is_one_of(of_origins);
    key.has_kind = key.has_kind || is_of_kind;
    key.has_origin = key.has_origin || is_of_origin;
    key.has_process = key.has_process || source.name == "pid";
    key.has_thread = key.has_thread || source.name == "tid";
    key.has_processor = key.has_processor || source.name == "cpu";
    return is_of_kind || is_of_origin || source.name == "pid" || source.name == "tid" ||
           source.name == "cpu";
}

} // namespace

std::shared_ptr<RowOptions> EventCursor::options_of(const EventPlan& plan,
                                                    std::optional<match::Condition> where) {
    Inputs& inputs = table_->inputs();
    auto options = std::make_shared<RowOptions>();
    sink::Options& encoding = options->encoding;
    encoding.schemas = inputs.schemas;
    encoding.origins = inputs.origins;
    bool has_fields = false, has_times = false, are_of_kinds = true;
    values_.assign(table_->columns().size(), {});
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const ColumnSource& source = table_->sources()[i];
        const bool is_time = source.comparison == Comparison::time && !source.is_field;
        if (!plan.uses(i) || (is_time && plan.counting == Counting::equal_but_time)) {
            continue;
        }
        has_times = has_times || is_time || source.is_time_number;
        are_of_kinds = add_to_key(options->key, source) && are_of_kinds;
        values_[i].is_time_number = source.is_time_number;
        if (source.is_time_number) {
            options->has_nanoseconds = true;
            continue;
        }
        values_[i].is_time_field = source.is_field && table_->columns()[i].type == "time";
        values_[i].member = options->members.add(source.name, source.is_field);
        encoding.fields.push_back(source.is_field ? "data." + source.name : source.name);
        has_fields =
            has_fields || source.is_field || source.name == "data" || source.name == "message";
    }
    if (options->members.is_empty()) {
        encoding.fields.emplace_back("id"); // no name would mean all
        options->key.has_kind = options->key.has_kind || where;
    }
    if (plan.counting != Counting::none && !has_times) { // with times, each event is a row
        options->grouping = are_of_kinds ? Grouping::by_kind : Grouping::by_text;
    }
    if (plan.counting == Counting::equal_but_time) {
        options->exact = plan.window;
    }
    if (plan.is_scan) {
        add_scan(plan, *options);
    }
    encoding.where = std::move(where);
    encoding.tally = has_fields ? std::exchange(inputs.tally, nullptr) : nullptr;
    return options;
}

/// What the pass does exactly, and whether its rows become text.
void EventCursor::add_scan(const EventPlan& plan, RowOptions& options) const {
    options.exact = plan.window;
    for (const ColumnTest& one : plan.exact_tests) {
        options.tests.push_back(one.test);
        options.tests.back().member = values_[one.column].member;
    }
    const RowScan* const scan = table_->watch->scan;
    if (scan == nullptr) {
        return;
    }
    options.encoder = scan->encoder;
    for (const std::size_t column : scan->columns) {
        options.encoded.push_back(values_[column]);
    }
}

/// Null: at the end, or stopped.
std::unique_ptr<flow::BatchResult> EventCursor::next_batch() {
    const auto& is_stopped = table_->inputs().is_stopped;
    is_stopped_ = is_stopped_ || (is_stopped && is_stopped());
    return is_stopped_ ? nullptr : reader_->next();
}

/// The rows of the next events; null: at the end, or stopped.
std::unique_ptr<RowBatch> EventCursor::next_rows() {
    auto result = next_batch();
    return std::unique_ptr<RowBatch>(static_cast<RowBatch*>(result.release()));
}

/// The rows of as many groups as are counted at a time; null: at the end, or stopped.
std::unique_ptr<RowBatch> EventCursor::next_groups() {
    while (groups_.size() < limits::groups && groups_.bytes() < limits::group_bytes) {
        const auto result = next_batch();
        if (result == nullptr) {
            break;
        }
        const auto& batch = static_cast<const GroupBatch&>(*result);
        for (const auto& [object, count] : batch.groups.counts()) {
            groups_.add(object, count.count, events_ + count.first);
        }
        events_ += batch.events;
    }
    return is_stopped_ || groups_.is_empty() ? nullptr : rows_of_groups();
}

/// In the order of their first events: of a column that is neither grouped nor calculated, SQLite
/// returns the first value.
std::unique_ptr<RowBatch> EventCursor::rows_of_groups() {
    using Group = std::pair<const std::string, CountedTexts::Count>;
    std::vector<const Group*> ordered;
    for (const Group& group : groups_.counts()) {
        ordered.push_back(&group);
    }
    std::ranges::sort(ordered, {}, [](const Group* group) { return group->second.first; });
    Members members = options_->members;
    auto rows = std::make_unique<RowBatch>(members.size());
    for (const Group* const group : ordered) {
        const std::size_t begin = rows->text().size();
        rows->text() += group->first;
        members.find(std::string_view(rows->text()).substr(begin));
        rows->add({.events = group->second.count}, members);
    }
    groups_.clear();
    return rows;
}

int EventCursor::next() {
    for (++row_; row_ >= rows_->size(); row_ = 0) {
        rows_ = options_->grouping == Grouping::none ? next_rows() : next_groups();
        if (rows_ == nullptr) {
            return is_stopped_ ? SQLITE_INTERRUPT : fail_at_end();
        }
        has_match_ = has_match_ || rows_->size() > 0;
    }
    table_->watch->has_event = true;
    return SQLITE_OK;
}

int EventCursor::fail_at_end() {
    const flow::Source& source = source_->source();
    if (const Error* const error = source.error()) {
        problem = describe(*error);
        return SQLITE_IOERR;
    }
    traces_->report_truncation();
    reader_.reset(); // its workers add their counts to the tally
    worker_.reset();
    Watch& watch = *table_->watch;
    watch.untimed = std::max(watch.untimed, untimed_.load());
    if (where_ && !has_match_ && !watch.unmatched) {
        watch.unmatched = where_;
    }
    return SQLITE_OK;
}

void EventCursor::value(sqlite3_context* to, std::size_t column) {
    if (rows_ == nullptr) {
        return sqlite3_result_null(to);
    }
    const BatchRow& row = rows_->row(row_);
    if (column >= values_.size()) { // events_column
        return pass_integer(to, row.events);
    }
    const ValueSource& source = values_[column];
    const std::string_view json = rows_->value(row_, source.member);
    pass_value(to, source.value(json, row.time, scratch_));
}

namespace {

struct KnownColumn {
    std::string_view name; // as the key
    std::string_view type;
    bool is_of_kinds = false; // also a column of tables of kinds
};

constexpr std::array known_columns{
    KnownColumn{"time", "time", true},
    KnownColumn{time_as_number, "integer", true},
    KnownColumn{"cpu", "integer", true},
    KnownColumn{"pid", "integer", true},
    KnownColumn{"tid", "integer", true},
    KnownColumn{"trace", "integer"},
    KnownColumn{"file", "text"},
    KnownColumn{"machine", "text"},
    KnownColumn{"boot", "time"},
    KnownColumn{"provider", "text"},
    KnownColumn{"provider_guid", "text"},
    KnownColumn{"id", "integer", true},
    KnownColumn{"version", "integer", true},
    KnownColumn{"channel", "integer"},
    KnownColumn{"level", "integer", true},
    KnownColumn{"opcode", "integer", true},
    KnownColumn{"task", "integer"},
    KnownColumn{"keyword", "hex", true},
    KnownColumn{"event", "text"},
    KnownColumn{"task_name", "text"},
    KnownColumn{"opcode_name", "text"},
    KnownColumn{"level_name", "text"},
    KnownColumn{"channel_name", "text"},
    KnownColumn{"keywords", "json"},
    KnownColumn{"activity_id", "text", true},
    KnownColumn{"related_activity_id", "text", true},
    KnownColumn{"qualifiers", "integer"},
    KnownColumn{"computer", "text"},
    KnownColumn{"user", "text"},
    KnownColumn{"record_id", "integer"},
    KnownColumn{"source", "text"},
    KnownColumn{"schema_from", "text"},
    KnownColumn{"wpp", "json"},
    KnownColumn{"data", "json"},
    KnownColumn{"message", "text"},
    KnownColumn{"stack", "json"},
    KnownColumn{"ext", "json"},
    KnownColumn{"payload", "text"},
    KnownColumn{"decode_error", "text"},
    KnownColumn{"decode_note", "text", true},
};

} // namespace

EventTable::EventTable(Inputs& inputs) : inputs_(&inputs) {
    for (const KnownColumn& column : known_columns) {
        add(std::string(column.name), column.type, source_of(column.name));
    }
}

EventTable::EventTable(Inputs& inputs, const Kind& kind)
    : inputs_(&inputs), where_(condition_of(kind)) {
    UniqueNames names;
    names.take(events_column); // it stands behind the others
    for (const KnownColumn& column : known_columns) {
        if (column.is_of_kinds) {
            add(names.take(column.name), column.type, source_of(column.name));
        }
    }
    const UniqueNames of_header = names;
    for (const Kind::Field& field : kind.fields) {
        const bool is_taken = of_header.has(field.name);
        add(names.take(is_taken ? "data." + field.name : field.name), field.type,
            source_of_field(field.name, field.comparison));
    }
}

std::string EventTable::plan(sqlite3_index_info& index) const {
    watch->scanned.is_scanned = is_scan_of(index, sources_, watch->scanned);
    return choose_plan(
        index, sources_, watch->counted, watch->scanned.is_scanned,
        {.is_indexed = inputs_->traces->is_indexed(), .is_of_kind = where_.has_value()});
}

void EventTable::add(std::string name, std::string_view type, ColumnSource source) {
    columns_.push_back({std::move(name), type});
    sources_.push_back(std::move(source));
}

std::unique_ptr<Cursor> EventTable::open() {
    return std::make_unique<EventCursor>(*this);
}

} // namespace etl::sql

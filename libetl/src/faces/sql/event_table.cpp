#include "sql/event_table.hpp"

#include <etl/time.hpp>

#include "flow/event.hpp"
#include "sql/collations.hpp"
#include "sql/names.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace etl::sql {

namespace {

constexpr std::uint64_t events_per_question = 4096; // whether to stop

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

/// The parts of a SYSTEMTIME are written as they are stored.
bool is_time(std::string_view json) noexcept {
    return json.size() > 2 && time_of_text(json.substr(1, json.size() - 2)).has_value();
}

void pass_nanoseconds(sqlite3_context* to, Filetime time) noexcept {
    if (const auto nanoseconds = unix_nanoseconds(time)) {
        return sqlite3_result_int64(to, *nanoseconds);
    }
    sqlite3_result_null(to); // no 64-bit number
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
    event_ = nullptr;
    has_match_ = false;
    untimed_ = 0;
    where_ = where;
    if (!open_events(plan, where)) {
        return SQLITE_ERROR;
    }
    choose_columns(plan, std::move(where));
    return next();
}

bool EventCursor::open_events(const EventPlan& plan, const std::optional<match::Condition>& where) {
    const Inputs& inputs = table_->inputs();
    events_.reset();
    source_.reset();
    traces_.reset();
    dataset::Window window{.time = plan.window, .untimed = &untimed_};
    window.select =
        where ? selection_of(*where, plan.window.from || plan.window.to) : dataset::Selection();
    if (inputs.open) {
        traces_ = inputs.open(window);
    } else if (auto again = inputs.traces->again(*window.select, {})) {
        traces_ = std::make_shared<dataset::Dataset>(*std::move(again));
    }
    auto opened = traces_ ? traces_->events(window) : std::unexpected(TraceError());
    if (!opened) {
        problem = "the traces can no longer be read";
        return false;
    }
    source_ = *std::move(opened);
    events_.emplace(source_->source());
    return true;
}

/// Rejects, while buffers are read, what the condition cannot match. With a window, not by kind:
/// the first event after the window ends it.
dataset::Selection EventCursor::selection_of(const match::Condition& where, bool has_window) {
    dataset::Selection by_header;
    if (where.may_reject_by_header()) {
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

void EventCursor::choose_columns(const EventPlan& plan, std::optional<match::Condition> where) {
    Inputs& inputs = table_->inputs();
    sink::Options options;
    options.schemas = inputs.schemas;
    options.origins = inputs.origins;
    options.largest_integer = std::numeric_limits<std::int64_t>::max(); // of INTEGER
    bool has_fields = false;
    members_ = {};
    member_of_.assign(table_->columns().size(), no_member);
    for (std::size_t i = 0; i < member_of_.size(); ++i) {
        const ColumnSource& source = table_->sources()[i];
        if (source.is_time_number || !plan.uses(i)) {
            continue;
        }
        member_of_[i] = members_.add(source.name, source.is_field);
        options.fields.push_back(source.is_field ? "data." + source.name : source.name);
        has_fields =
            has_fields || source.is_field || source.name == "data" || source.name == "message";
    }
    encoder_.reset();
    if (members_.is_empty() && !where) {
        return;
    }
    if (members_.is_empty()) {
        options.fields.emplace_back("cpu"); // no name would mean all
    }
    options.where = std::move(where);
    options.tally = has_fields ? std::exchange(inputs.tally, nullptr) : nullptr;
    encoder_.emplace(std::move(options));
}

int EventCursor::next() {
    const auto& is_stopped = table_->inputs().is_stopped;
    while (const flow::Event* const event = events_->next()) {
        if (seen_++ % events_per_question == 0 && is_stopped && is_stopped()) {
            return SQLITE_INTERRUPT;
        }
        if (encoder_) {
            object_.clear();
            if (!encoder_->encode(*event, object_)) {
                continue;
            }
            if (!members_.is_empty()) {
                members_.find(object_);
            }
        }
        event_ = event;
        has_match_ = true;
        table_->watch->has_event = true;
        return SQLITE_OK;
    }
    event_ = nullptr;
    return fail_at_end();
}

int EventCursor::fail_at_end() {
    const flow::Source& source = source_->source();
    if (const Error* const error = source.error()) {
        problem = describe(*error);
        return SQLITE_IOERR;
    }
    traces_->report_truncation();
    encoder_.reset(); // adds its counts to the tally
    Watch& watch = *table_->watch;
    watch.untimed = std::max(watch.untimed, untimed_.load());
    if (where_ && !has_match_ && !watch.unmatched) {
        watch.unmatched = where_;
    }
    return SQLITE_OK;
}

void EventCursor::value(sqlite3_context* to, std::size_t column) {
    if (column >= member_of_.size() || event_ == nullptr) {
        return sqlite3_result_null(to);
    }
    if (member_of_[column] != no_member) {
        const std::string_view json = members_.value(member_of_[column]);
        const bool is_time_field =
            table_->sources()[column].is_field && table_->columns()[column].type == "time";
        if (is_time_field && !is_time(json)) {
            return sqlite3_result_null(to);
        }
        return pass_json(to, json, scratch_);
    }
    if (!table_->sources()[column].is_time_number) {
        return sqlite3_result_null(to);
    }
    if (const auto time = flow::wall_time(*event_)) {
        return pass_nanoseconds(to, *time);
    }
    sqlite3_result_null(to);
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

void EventTable::add(std::string name, std::string_view type, ColumnSource source) {
    columns_.push_back({std::move(name), type});
    sources_.push_back(std::move(source));
}

std::unique_ptr<Cursor> EventTable::open() {
    return std::make_unique<EventCursor>(*this);
}

} // namespace etl::sql

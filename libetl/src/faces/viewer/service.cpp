#include "viewer/service.hpp"

#include "analysis/limits.hpp"
#include "base/json_object.hpp"
#include "pages/flame_data.hpp"
#include "rows/tables.hpp"
#include "viewer/comparison.hpp"
#include "viewer/picture.hpp"
#include "viewer/replies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <tuple>
#include <utility>

namespace etl::viewer {

namespace {

/// How long `wait` waits: less than what proxies and browsers wait for an answer.
constexpr auto patience = std::chrono::seconds(20);

constexpr int interface_version = 1;

/// Questions at a time; others wait. Each uses all processors.
constexpr std::size_t max_questions = 8;

/// A question under way, by its number.
struct Asked {
    std::uint64_t number = 0;
    std::chrono::steady_clock::time_point since{};
    Stop stop{};
};

/// What the trace to compare with was opened with.
OpenedWith before(OpenedWith with) {
    with.traces = with.against;
    with.is_one = true;
    return with;
}

/// Opened traces.
struct Opened {
    Opened() = default;

    explicit Opened(explore::Explorer opened) : facts(opened.overview(1)) {
        facts.series.clear();
        explorer = std::make_shared<const explore::Explorer>(std::move(opened));
    }

    Side side() const noexcept { return {explorer.get(), facts.begin, facts.end}; }

    std::shared_ptr<const explore::Explorer> explorer{}; // null: not opened
    explore::Overview facts{};                           // without series
};

} // namespace

struct Service::State {
    explicit State(OpenedWith opened_with)
        : with(std::move(opened_with)), with_before(before(with)) {}

    OpenedWith with, with_before; // of the traces of the page, and of the one to compare with
    std::mutex mutex{};           // of what follows
    std::condition_variable changed{};
    Opened traces{}, other{}; // those of the page, and what they are compared with
    std::optional<Progress> progress{};
    std::optional<Growth> growth{}; // nothing: the traces do not grow
    std::uint64_t revision = 1;
    bool is_stopping = false;
    std::list<Asked> asked{};

    /// One question, as long as it lives.
    class Question {
    public:
        /// Waits until there are less than max_questions.
        Question(State& all, std::uint64_t number) : all_(&all) {
            std::unique_lock lock(all.mutex);
            all.changed.wait(lock, [&] { return all.asked.size() < max_questions; });
            at_ = all.asked.emplace(all.asked.end());
            at_->number = number;
            at_->since = std::chrono::steady_clock::now();
            traces_ = all.traces;
            other_ = all.other;
            if (all.is_stopping) {
                at_->stop.request();
            }
        }

        Question(const Question&) = delete;
        Question& operator=(const Question&) = delete;

        ~Question() {
            const std::scoped_lock lock(all_->mutex);
            all_->asked.erase(at_);
            all_->changed.notify_all();
        }

        const Stop* stop() const noexcept { return &at_->stop; }

        /// Without an explorer: the traces are not opened yet.
        Side traces() const noexcept { return traces_.side(); }

        /// Without an explorer: there is nothing to compare with.
        Side other() const noexcept { return other_.side(); }

    private:
        State* all_;
        std::list<Asked>::iterator at_;
        Opened traces_, other_;
    };

    std::string opened_json() const;
    template <class Member>
    void set(Member State::* which, Member value);
    Reply wait(const Request& request);
    Reply cancel(const Request& request);
};

namespace {

std::string progress_json(const std::optional<Progress>& progress) {
    if (!progress) {
        return "null";
    }
    JsonObject json;
    json.text("what", progress->what);
    json.raw("part", progress->part ? fmt::format("{:.4f}", *progress->part) : "null");
    return json.take();
}

std::string growth_json(const std::optional<Growth>& growth) {
    if (!growth) {
        return "null";
    }
    JsonObject json;
    json.boolean("has_ended", growth->has_ended).text("why", growth->why);
    return json.take();
}

/// Tables that no analyzer makes.
constexpr std::string_view packets_table = "packets", flows_table = "flows";

std::string tables_json() {
    using analysis::TableOption;
    JsonList list;
    for (const analysis::TableForm* const form : analysis::table_forms()) {
        if (form->kind->name == "flame" || form->kind->name == "tracks" ||
            form->kind->summary.empty()) {
            continue;
        }
        JsonObject json;
        json.text("name", form->kind->name).text("by", form->by).text("title", form->title);
        json.text("summary", form->kind->summary).text("question", form->kind->question);
        json.boolean("has_processes", form->has_processes);
        json.boolean("is_compared", form->kind->is_compared);
        json.boolean("has_slices", form->has_slices);
        json.boolean("has_sources", form->kind->options.contains(TableOption::source));
        list.raw(json.take());
    }
    for (const auto& [name, title, question] :
         {std::tuple(packets_table, "Packets",
                     "Which packets were captured, and which were dropped?"),
          std::tuple(flows_table, "Flows", "Who talked to whom?")}) {
        JsonObject json;
        json.text("name", name).text("by", "").text("title", title);
        json.text("summary", title).text("question", question);
        json.boolean("has_processes", false).boolean("is_compared", false);
        json.boolean("has_slices", false).boolean("has_sources", false);
        list.raw(json.take());
    }
    return list.take();
}

std::string flames_json() {
    JsonList list;
    for (const pages::FlameKind& kind : pages::flame_kinds()) {
        JsonObject json;
        json.text("name", kind.name).text("title", kind.title);
        list.raw(json.take());
    }
    return list.take();
}

std::string quoted_ticks(Filetime time) {
    return fmt::format(R"("{}")", time.ticks);
}

/// Leaves the last components of paths that are not to be shown.
void hide_paths(std::vector<std::string>& remarks, const OpenedWith& with) {
    for (std::string& remark : remarks) {
        for (const std::string& path : with.hidden_paths) {
            const std::string name = path.substr(path.find_last_of("/\\") + 1);
            for (std::size_t at = remark.find(path); at != remark.npos && path != name;
                 at = remark.find(path, at + name.size())) {
                remark.replace(at, path.size(), name);
            }
        }
    }
}

template <typename Answer>
Answer shown(Answer answer, const OpenedWith& with) {
    if (answer) {
        hide_paths(answer->remarks, with);
    }
    return answer;
}

explore::TableQuestion table_question(const Request& request) {
    return {.name = request.name,
            .by = request.by,
            .selection = request.selection,
            .slices = request.slices,
            .per_kind = request.per_kind,
            .source = request.source,
            .excludes_interrupts = request.excludes_interrupts,
            .sort = request.sort,
            .is_reversed = request.is_reversed,
            .rows = request.rows};
}

/// What a question is answered with.
struct Context {
    Side traces, other; // with an explorer each; the other one only if the request compares
    const Stop* stop;
};

/// Calls `compare(selections)` with what is selected of both traces.
template <typename Compare>
std::expected<explore::Answer, TraceError> compared(const Context& context, const Request& request,
                                                    Compare&& compare) {
    const auto selections = selections_of(request, context.traces.begin);
    return selections ? compare(*selections) : std::unexpected(selections.error());
}

/// The request, with times as commands that compare need them.
Request for_command(const Request& request, const Context& context) {
    Request asked = request;
    if (request.is_compared) {
        asked.selection = selections_of(request, context.traces.begin).value().after;
    }
    return asked;
}

bool is_of_packets(const Request& request) noexcept {
    return request.by.empty() && (request.name == packets_table || request.name == flows_table);
}

std::expected<explore::Answer, TraceError>
packets_of(const Context& context, const Request& request, const explore::Rows& rows) {
    return context.traces.explorer->packets({.selection = request.selection,
                                             .are_flows = request.name == flows_table,
                                             .sort = request.sort,
                                             .is_reversed = request.is_reversed,
                                             .rows = rows},
                                            context.stop);
}

std::expected<explore::Answer, TraceError> table_of(const Context& context, const Request& request,
                                                    const explore::TableQuestion& question) {
    if (is_of_packets(request) && !request.is_compared) {
        return packets_of(context, request, question.rows);
    }
    return request.is_compared
               ? compared(context, request,
                          [&](const Selections& selections) {
                              return compared_table(context.other, context.traces, selections,
                                                    question, context.stop);
                          })
               : context.traces.explorer->table(question, context.stop);
}

Reply answer_table(Context context, const Request& request, const OpenedWith& with) {
    const auto answer = shown(table_of(context, request, table_question(request)), with);
    if (!answer) {
        return refused(answer.error());
    }
    if (is_of_packets(request)) {
        return reply_of(table_json(*answer, packets_command(request, with)));
    }
    const auto& form = *analysis::find_table(request.name, request.by);
    return reply_of(table_json(*answer, form,
                               table_command(for_command(request, context), form, with),
                               request.is_compared ? RowEvents::unknown : RowEvents::known));
}

Reply answer_export(Context context, const Request& request, const OpenedWith& /*with*/) {
    explore::TableQuestion question = table_question(request);
    question.rows = {.first = 0, .count = explore::max_rows};
    const auto answer = table_of(context, request, question);
    if (!answer) {
        return refused(answer.error());
    }
    if (answer->rows && *answer->rows > answer->table.rows.size()) {
        return refused(Status::wrong,
                       fmt::format("the table has {} rows, more than {}; the command prints all",
                                   *answer->rows, explore::max_rows),
                       "export");
    }
    return {.type = "text/plain; charset=utf-8",
            .body = rows::text_of({.table = &answer->table, .rows = answer->table.rows.size()},
                                  request.format)};
}

Reply answer_flame(Context context, const Request& request, const OpenedWith& with) {
    const explore::FlameQuestion question{.kind = request.kind,
                                          .selection = request.selection,
                                          .source = request.source,
                                          .smallest_share = request.smallest_share,
                                          .largest_depth = request.largest_depth,
                                          .nodes = request.nodes,
                                          .grouping = request.grouping,
                                          .folding = request.folding,
                                          .include = request.include,
                                          .exclude = request.exclude,
                                          .fold_percent = request.fold_percent,
                                          .is_inverted = request.is_inverted,
                                          .focus = request.focus};
    const auto answer =
        shown(request.is_compared ? compared(context, request,
                                             [&](const Selections& selections) {
                                                 return compared_flame(context.other,
                                                                       context.traces, selections,
                                                                       question, context.stop);
                                             })
                                  : context.traces.explorer->flame(question, context.stop),
              with);
    return answer ? reply_of(flame_json(*answer, request,
                                        flame_command(for_command(request, context), with)))
                  : refused(answer.error());
}

/// Whether a track has a name of a request.
bool is_named(const analysis::Track& track, const TrackName& name) {
    return analysis::name(track.kind) == name.kind && track.pid == name.pid &&
           track.id == name.id && track.process == name.process && track.name == name.name;
}

std::function<bool(const analysis::Track&)> wanted_tracks(const Request& request) {
    if (!request.tracks) {
        return {};
    }
    return [&names = *request.tracks](const analysis::Track& track) {
        return std::ranges::any_of(names,
                                   [&](const TrackName& name) { return is_named(track, name); });
    };
}

explore::LodQuestion lod_question(const Request& request, std::uint32_t columns) {
    return {.selection = request.selection, .columns = columns, .kinds = request.kinds};
}

Reply answer_tracks(Context context, const Request& request, const OpenedWith& with) {
    const auto answer =
        shown(context.traces.explorer->tracks(lod_question(request, 1), context.stop), with);
    return answer ? reply_of(tracks_json(*answer)) : refused(answer.error());
}

Reply answer_lod(Context context, const Request& request, const OpenedWith& with) {
    const auto answer =
        shown(context.traces.explorer->tracks(lod_question(request, request.columns), context.stop,
                                              wanted_tracks(request)),
              with);
    return answer ? Reply{.type = "application/octet-stream",
                          .body = picture_of(*answer, context.traces.begin)}
                  : refused(answer.error());
}

Reply answer_events(Context context, const Request& request, const OpenedWith& with) {
    const auto answer =
        shown(context.traces.explorer->events(
                  {.selection = request.selection, .rows = request.rows, .fields = request.fields},
                  context.stop),
              with);
    return answer ? reply_of(events_json(*answer, events_command(request, with)))
                  : refused(answer.error());
}

Reply answer_search(Context context, const Request& request, const OpenedWith& with) {
    const auto answer = shown(context.traces.explorer->search({.text = request.text,
                                                               .selection = request.selection,
                                                               .from_row = request.from_row,
                                                               .count = request.rows.count},
                                                              context.stop),
                              with);
    return answer ? reply_of(events_json(*answer, events_command(request, with)))
                  : refused(answer.error());
}

Reply answer_event(Context context, const Request& request, const OpenedWith& with) {
    const auto answer = context.traces.explorer->event(request.place, context.stop);
    return answer
               ? reply_of(event_json(
                     *answer, event_command(request.place, with, context.traces.explorer->inputs()),
                     with.hides_bytes ? EventBytes::hidden : EventBytes::shown))
               : refused(answer.error());
}

Reply answer_follow(Context context, const Request& request, const OpenedWith& with) {
    const auto answer = shown(context.traces.explorer->follow({.tid = request.tid,
                                                               .at = request.at,
                                                               .input = request.place.input,
                                                               .from = request.selection.from,
                                                               .to = request.selection.to},
                                                              context.stop),
                              with);
    return answer ? reply_of(table_json(*answer)) : refused(answer.error());
}

Reply answer_overview(Context context, const Request& request, const OpenedWith& /*with*/) {
    const explore::Overview overview = context.traces.explorer->overview(request.columns);
    JsonList series;
    for (const explore::Overview::Series& one : overview.series) {
        JsonList values;
        for (const std::uint64_t bytes : one.bytes) {
            values.raw(std::to_string(bytes));
        }
        JsonObject json;
        json.text("name", fmt::format("CPU {}", one.processor)).raw("values", values.take());
        series.raw(json.take());
    }
    JsonObject json;
    json.text("from", std::to_string(overview.begin.ticks));
    json.text("to", std::to_string(overview.end.ticks));
    json.number("columns", overview.series.empty() ? 0 : overview.series.front().bytes.size());
    json.boolean("is_sampled", false).raw("series", series.take());
    return reply_of(json.take());
}

/// What answers the requests of a name.
struct Handler {
    std::string_view name;
    Reply (*answer)(Context context, const Request& request, const OpenedWith& with);
};

constexpr auto handlers = std::to_array<Handler>({{"overview", answer_overview},
                                                  {"tracks", answer_tracks},
                                                  {"lod", answer_lod},
                                                  {"table", answer_table},
                                                  {"export", answer_export},
                                                  {"flame", answer_flame},
                                                  {"events", answer_events},
                                                  {"search", answer_search},
                                                  {"event", answer_event},
                                                  {"follow", answer_follow}});

} // namespace

std::string Service::State::opened_json() const {
    const bool is_open = traces.explorer != nullptr;
    const explore::Overview& facts = traces.facts;
    using Texts = std::vector<std::string>;
    const auto kinds = analysis::track_kind_names();
    JsonObject limits;
    limits.number("rows", explore::max_rows).number("columns", analysis::limits::analysis_slices);
    JsonObject json;
    json.number("version", interface_version).number("revision", revision);
    json.text("state", is_open ? "ready" : "preparing");
    json.raw("inputs", lines_json(is_open ? traces.explorer->inputs() : Texts()));
    json.raw("begin", is_open ? quoted_ticks(facts.begin) : "null");
    json.raw("end", is_open ? quoted_ticks(facts.end) : "null");
    json.number("processors", facts.processors).number("bytes", facts.bytes);
    json.raw("events", facts.events ? std::to_string(*facts.events) : "null");
    json.boolean("is_indexed", is_open && traces.explorer->is_indexed());
    json.raw("progress", progress_json(progress)).raw("growth", growth_json(growth));
    json.raw("problems", lines_json(is_open ? traces.explorer->problems() : Texts()));
    const bool has_other = other.explorer != nullptr;
    json.raw("against", lines_json(has_other ? other.explorer->inputs() : Texts()));
    json.raw("against_begin", has_other ? quoted_ticks(other.facts.begin) : "null");
    json.raw("against_end", has_other ? quoted_ticks(other.facts.end) : "null");
    json.raw("tables", tables_json()).raw("flames", flames_json());
    json.raw("track_kinds", lines_json({kinds.begin(), kinds.end()}));
    json.raw("limits", limits.take());
    return json.take();
}

template <class Member>
void Service::State::set(Member State::* which, Member value) {
    const std::scoped_lock lock(mutex);
    std::swap(this->*which, value); // what was there is destroyed later, without the lock
    ++revision;
    changed.notify_all();
}

Reply Service::State::wait(const Request& request) {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, patience, [&] { return revision != request.revision || is_stopping; });
    return reply_of(opened_json());
}

Reply Service::State::cancel(const Request& request) {
    const std::scoped_lock lock(mutex);
    for (Asked& one : asked) {
        if (one.number == request.question && one.number != 0) {
            one.stop.request();
        }
    }
    return {.body = "{}"};
}

Service::Service(explore::Explorer explorer, OpenedWith with)
    : state_(std::make_unique<State>(std::move(with))) {
    state_->set(&State::traces, Opened(std::move(explorer)));
}

Service::Service(OpenedWith with) : state_(std::make_unique<State>(std::move(with))) {}

Service::~Service() = default;

Reply Service::answer(std::string_view name, std::string_view body) {
    const auto request = parse_request(body);
    if (!request) {
        return refused(Status::wrong, request.error().what, request.error().about);
    }
    if (name == "open") {
        const std::scoped_lock lock(state_->mutex);
        return reply_of(state_->opened_json());
    }
    if (name == "wait") {
        return state_->wait(*request);
    }
    if (name == "cancel") {
        return state_->cancel(*request);
    }
    const auto handler = std::ranges::find(handlers, name, &Handler::name);
    if (handler == handlers.end()) {
        return refused(Status::not_found, "no such request", std::string(name));
    }
    const State::Question question(*state_, request->question);
    if (question.traces().explorer == nullptr) {
        return refused(Status::preparing, "the traces are not opened yet", "open");
    }
    if ((request->is_compared || request->is_about_before) &&
        question.other().explorer == nullptr) {
        return refused(Status::wrong, "there is no trace to compare with: open it with --against",
                       request->is_compared ? "is_compared" : "is_about_before");
    }
    if (request->is_compared && request->is_about_before) {
        return refused(Status::wrong, "a comparison is about both traces", "is_about_before");
    }
    return request->is_about_before
               ? handler->answer({question.other(), question.traces(), question.stop()}, *request,
                                 state_->with_before)
               : handler->answer({question.traces(), question.other(), question.stop()}, *request,
                                 state_->with);
}

void Service::show(std::optional<Progress> progress) {
    state_->set(&State::progress, std::move(progress));
}

void Service::show_growth(Growth growth) {
    state_->set(&State::growth, std::optional(std::move(growth)));
}

void Service::replace(explore::Explorer explorer) {
    state_->set(&State::traces, Opened(std::move(explorer)));
}

void Service::compare_with(explore::Explorer explorer) {
    state_->set(&State::other, Opened(std::move(explorer)));
}

void Service::stop_longer_than(std::chrono::seconds limit) {
    const std::scoped_lock lock(state_->mutex);
    const auto now = std::chrono::steady_clock::now();
    for (Asked& one : state_->asked) {
        if (now - one.since > limit) {
            one.stop.request();
        }
    }
}

void Service::stop() noexcept {
    const std::scoped_lock lock(state_->mutex);
    state_->is_stopping = true;
    for (Asked& one : state_->asked) {
        one.stop.request();
    }
    state_->changed.notify_all();
}

} // namespace etl::viewer

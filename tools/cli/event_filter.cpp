#include "cli/event_filter.hpp"

#include "base/similar.hpp"
#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/option_values.hpp"
#include "match/xpath.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <set>
#include <vector>

namespace cli {

namespace {

constexpr auto relaxed = std::memory_order_relaxed;

std::string events(std::uint64_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// `; similar: a.exe, b.exe`, or how to list them all.
std::string suggestion(const std::string& glob, const std::set<std::string>& names) {
    const std::vector<std::string> list(names.begin(), names.end());
    if (const auto similar = etl::similar_words(glob, list); !similar.empty()) {
        return printable(fmt::format("; similar: {}", fmt::join(similar, ", ")));
    }
    return names.empty() ? "; the trace contains no process names; use --process PID"
                         : "; `etl dump --event 'Process/*'` lists the processes";
}

} // namespace

void report_unknown_names(const std::vector<std::string>& words,
                          const etl::facts::FactsByTrace& facts) {
    const auto selection = etl::facts::parse_process_selection(words);
    if (selection.names.empty()) {
        return;
    }
    std::set<std::string> names;
    for (const etl::facts::Facts& of_trace : facts) {
        for (const etl::facts::Process& process : of_trace.processes()) {
            if (!process.name.empty()) {
                names.emplace(process.name);
            }
        }
    }
    for (const std::string& glob : selection.names) {
        const bool is_known = std::ranges::any_of(names, [&](const std::string& name) {
            return etl::facts::matches_process_name(glob, name);
        });
        if (!is_known) {
            say(fmt::format("warning: no process is named '{}'{}", printable(glob),
                            suggestion(glob, names)));
        }
    }
}

void report(const etl::match::Notes& notes) {
    if (const std::uint64_t count = notes.unattributed.load(relaxed); count > 0) {
        say(fmt::format("warning: {} not be attributed to a process and did not match --process; "
                        "`etl split --by process` writes them to a separate part",
                        events(count, "event could", "events could")));
    }
    if (const std::uint64_t count = notes.unnamed.load(relaxed); count > 0) {
        say(fmt::format("warning: {} without a recorded name and did not match --process NAME; use "
                        "--process PID",
                        events(count, "event is about a process", "events are about processes")));
    }
    if (const std::uint64_t count = notes.untimed.load(relaxed); count > 0) {
        say(fmt::format("note: {} no usable timestamp and cannot match a time window",
                        events(count, "event has", "events have")));
    }
    const auto report_header = [](std::uint64_t count, std::string_view option,
                                  std::string_view id) {
        if (count > 0) {
            say(fmt::format("note: {} no {} ID in the header and cannot match {}; "
                            "--process PID matches the process that an event is about",
                            events(count, "event stores", "events store"), id, option));
        }
    };
    report_header(notes.without_pid.load(relaxed), "--pid", "process");
    report_header(notes.without_tid.load(relaxed), "--tid", "thread");
}

namespace {

/// A window in raw times of the trace of the last event.
class Window {
public:
    explicit Window(const etl::flow::TimeFilter::Window& window) : window_(window) {}

    bool has(const etl::flow::Event& event) {
        if (trace_ != &event.trace()) {
            trace_ = &event.trace();
            raw_ = window_.raw(trace_->clock);
        }
        return raw_.contains(event);
    }

private:
    etl::flow::TimeFilter::Window window_;
    const etl::flow::TraceInfo* trace_ = nullptr;
    etl::flow::RawWindow raw_;
};

/// `; similar: a, b`, or nothing.
std::string similar_part(const std::vector<std::string>& similar) {
    return similar.empty() ? "" : printable(fmt::format("; similar: {}", fmt::join(similar, ", ")));
}

bool has_window(const etl::flow::TimeFilter::Window& window) noexcept {
    return window.from || window.to;
}

} // namespace

struct EventFilter::State {
    State(CompiledFilters filters, FurtherCondition also)
        : window(filters.window), is_windowed(has_window(filters.window)),
          notes(&filters.condition.notes()),
          matches(std::move(filters.condition), std::move(filters.inputs)),
          further(std::move(also)), skip(filters.skip), left(filters.limit) {}

    bool match(const etl::flow::Event& event) {
        if (left == 0 || !is_in_window(event) || !matches(event) || (further && !further(event))) {
            return false;
        }
        if (skip > 0) {
            --skip;
            return false;
        }
        if (left) {
            --*left;
        }
        return true;
    }

    bool is_in_window(const etl::flow::Event& event) {
        if (!is_windowed) {
            return true;
        }
        notes->untimed += event.has_time ? 0U : 1U;
        return window.has(event);
    }

    Window window;
    bool is_windowed = false;
    etl::match::Notes* notes; // of `matches`
    etl::match::Matcher matches;
    FurtherCondition further;
    std::uint64_t skip = 0;
    std::optional<std::uint64_t> left; // none: unlimited
};

EventFilter::EventFilter(CompiledFilters filters, FurtherCondition further)
    : state_(std::make_shared<State>(std::move(filters), std::move(further))) {}

bool EventFilter::operator()(const etl::flow::Event& event) {
    return state_->match(event);
}

FilterChain::FilterChain(etl::flow::Source& source, const CompiledFilters& filters,
                         etl::flow::TimeFilter::Upstream order, FurtherCondition further)
    : end_(&source) {
    const auto add = [this](std::unique_ptr<etl::flow::Source> filter) {
        end_ = filter.get();
        filters_.push_back(std::move(filter));
    };
    if (has_window(filters.window)) {
        add(std::make_unique<etl::flow::TimeFilter>(*end_, filters.window, order,
                                                    &filters.condition.notes().untimed));
    }
    if (!filters.condition.is_always_true()) {
        auto matcher = std::make_shared<etl::match::Matcher>(filters.condition, filters.inputs);
        add(std::make_unique<etl::flow::WhereFilter>(
            *end_, [matcher](const etl::flow::Event& event) { return (*matcher)(event); }));
    }
    if (further) {
        add(std::make_unique<etl::flow::WhereFilter>(*end_, std::move(further)));
    }
    if (filters.skip != 0 || filters.limit) {
        add(std::make_unique<etl::flow::CountFilter>(
            *end_, etl::flow::CountFilter::Range{filters.skip, filters.limit}));
    }
}

void report_unmatched_fields(const std::vector<etl::match::UnmatchedName>& fields) {
    for (const etl::match::UnmatchedName& field : fields) {
        say(fmt::format("warning: --fields: no key or field is named '{}'{}", printable(field.name),
                        similar_part(field.similar)));
    }
}

bool report_unmatched(const etl::match::Condition& condition) {
    bool has_field = false;
    const bool is_part = condition.notes().has_header_rejections.load();
    for (const etl::match::UnmatchedName& one : condition.unmatched()) {
        has_field = has_field || one.is_field;
        const bool is_provider = !one.is_field && one.name == "provider";
        const std::string name = one.is_field
                                     ? printable(one.name)
                                     : printable(fmt::format("{}", fmt::join(one.values, ", ")));
        const std::string similar = is_provider && one.similar.empty()
                                        ? "; `etl info` lists the providers"
                                        : similar_part(one.similar);
        say(fmt::format("warning: no event{} {} '{}'{}",
                        is_part ? " that matches the other filters" : "",
                        one.is_field  ? "has a field"
                        : is_provider ? "is from provider"
                                      : "is named",
                        name, similar));
    }
    return has_field;
}

namespace {

using etl::match::Expression;
using etl::match::Operator;

constexpr std::array<std::pair<std::string_view, unsigned>, 6> level_names{{{"critical", 1},
                                                                            {"error", 2},
                                                                            {"warning", 3},
                                                                            {"information", 4},
                                                                            {"info", 4},
                                                                            {"verbose", 5}}};

std::optional<unsigned> parse_level(std::string_view text) {
    for (const auto& [name, level] : level_names) {
        if (etl::equals_ignoring_case(name, text)) {
            return level;
        }
    }
    const auto number = etl::parse_number(text);
    return number && *number <= 255 ? std::optional(static_cast<unsigned>(*number)) : std::nullopt;
}

std::vector<std::string> words_of(const std::vector<std::uint32_t>& numbers) {
    std::vector<std::string> words;
    std::ranges::transform(numbers, std::back_inserter(words),
                           [](std::uint32_t number) { return std::to_string(number); });
    return words;
}

/// The options that are shorthands for an expression.
std::vector<Expression> shorthands(const FilterOptions& o) {
    std::vector<Expression> parts;
    const auto add = [&](const char* name, Operator op, std::vector<std::string> values) {
        if (!values.empty()) {
            parts.push_back(Expression::make_test(name, op, std::move(values)));
        }
    };
    if (o.level) {
        add("level", Operator::less_equal, {std::to_string(*o.level)});
    }
    if (o.keyword) {
        add("keyword", Operator::any_bits, {std::to_string(*o.keyword)});
    }
    add("cpu", Operator::equal, words_of(o.cpus));
    add("pid", Operator::equal, words_of(o.pids));
    add("tid", Operator::equal, words_of(o.tids));
    add("provider", Operator::equal, o.providers);
    add("event", Operator::equal, o.events);
    add("process", Operator::equal, o.processes);
    return parts;
}

/// An option that `parse` reads.
template <typename T, typename Parse>
Option* add_parsed(Verb& verb, const char* name, std::optional<T>& to, Parse parse,
                   const char* help, const char* type, std::string_view forms = {}) {
    const std::string kind = type == std::string_view("N") ? "number" : etl::to_lower_ascii(type);
    return verb
        .add_option_function<std::string>(
            name,
            [name, &to, parse, forms, kind](const std::string& text) {
                to = parse(text);
                if (!to) {
                    throw UsageError(name,
                                     fmt::format("'{}' is not a valid {}{}{}", printable(text),
                                                 kind, forms.empty() ? "" : "; use ", forms));
                }
            },
            help)
        ->type_name(type)
        ->group("Filters");
}

} // namespace

std::expected<etl::match::Condition, std::string>
FilterOptions::compile(const etl::match::TimeBounds& bounds) const {
    std::vector<Expression> parts = shorthands(*this);
    for (const std::string& text : where) {
        auto parsed = Expression::parse(text); // checked on input
        const auto compiled = parsed ? etl::match::Condition::compile(*parsed, {.bounds = bounds})
                                     : std::unexpected(parsed.error());
        if (!compiled) {
            return std::unexpected("--where: " + etl::match::describe(text, compiled.error()));
        }
        parts.push_back(*std::move(parsed));
    }
    for (const std::string& query : xpaths) {
        auto parsed = etl::match::parse_xpath(query, present);
        if (!parsed) {
            return std::unexpected("--xpath: " + etl::match::describe(query, parsed.error()));
        }
        parts.push_back(*std::move(parsed));
    }
    auto all = etl::match::Condition::compile(Expression::all_of(std::move(parts)),
                                              {.bounds = bounds, .notes = notes});
    return all ? std::expected<etl::match::Condition, std::string>(*std::move(all))
               : std::unexpected(all.error().what);
}

const etl::match::Condition* FilterOptions::for_headers() const {
    if (!for_headers_) {
        for_headers_ = compile({.start = {}, .end = etl::Filetime{}});
    }
    return *for_headers_ ? &**for_headers_ : nullptr;
}

std::function<bool(const etl::flow::Event&)> header_condition(const FilterOptions& options) {
    const etl::match::Condition* const condition = options.for_headers();
    if (condition == nullptr || !condition->may_reject_by_header()) {
        return {};
    }
    return [condition = *condition](const etl::flow::Event& event) {
        return condition.may_match(event);
    };
}

void FilterOptions::add_to(Verb& verb, const char* name_of_end) {
    const auto list = [&](const char* name, auto& values, const char* help, const char* type) {
        // One value per option: the next argument is the trace.
        return verb.add_option(name, values, help)
            ->type_name(type)
            ->delimiter(',')
            ->allow_extra_args(false)
            ->group("Filters");
    };
    verb.add_option("--where", where,
                    "match events by expression: 'provider == Contoso-* && data.Size > 4096' "
                    "(docs/filters.md); repeatable, all must match")
        ->type_name("EXPR")
        ->allow_extra_args(false)
        ->group("Filters")
        ->check([](const std::string& text) {
            const auto parsed = etl::match::Expression::parse(text);
            return parsed ? std::string() : etl::match::describe(text, parsed.error());
        });
    verb.add_option("--xpath", xpaths,
                    "match events by a query of the Windows event log: '*[System[EventID=7]]' "
                    "(docs/filters.md); repeatable, all must match")
        ->type_name("QUERY")
        ->allow_extra_args(false)
        ->group("Filters")
        ->check([this](const std::string& query) { return problem_of_xpath(query); });
    list("--provider", providers, "name, glob, or GUID; MSNT_SystemTrace for the kernel",
         "NAME|GUID");
    list("--event", events, "ID, name, or glob", "ID|NAME");
    suggest_values(add_parsed(verb, "--level", level, parse_level,
                              "maximum level: 1 to 255, critical, error, ...", "LEVEL"),
                   level_names | std::views::keys);
    add_parsed(verb, "--keyword", keyword, etl::parse_number, "any of these keyword bits", "MASK");
    list("--process", processes,
         "process that an event is about: name, glob, or ID, with or without .exe "
         "(docs/processes.md)",
         "NAME|PID")
        ->check([](const std::string& word) {
            return word.empty() ? std::string("expected a name or an ID, found ''") : std::string();
        });
    list("--pid", pids,
         "process ID in the event header; kernel events may store none (see --process)", "PID");
    list("--tid", tids, "thread ID in the event header", "TID");
    list("--cpu", cpus, "processor number", "CPU");
    add_parsed(verb, "--from", from, etl::match::parse_time_point,
               "start: RFC 3339, '2010-10-29 19:10', 19:10:05.25, +5s after the start, -10s before "
               "the end, or a FILETIME (docs/filters.md)",
               "TIME", etl::match::time_forms);
    add_parsed(verb, name_of_end, to, etl::match::parse_time_point, "end (exclusive)", "TIME",
               etl::match::time_forms);
    add_parsed(verb, "--skip", skip, etl::parse_number, "skip the first N matching events", "N");
    add_parsed(verb, "--limit", limit, etl::parse_number, "stop after N matching events", "N");
}

void BeforeWindow::add_to(Verb& verb) {
    add_parsed(verb, "--before-from", from, etl::match::parse_time_point,
               "start in the trace before (default: --from)", "TIME", etl::match::time_forms);
    add_parsed(verb, "--before-to", to, etl::match::parse_time_point,
               "end in the trace before, exclusive (default: --to)", "TIME",
               etl::match::time_forms);
}

FilterOptions BeforeWindow::of(FilterOptions filters) const {
    filters.from = from ? from : filters.from;
    filters.to = to ? to : filters.to;
    return filters;
}

std::string FilterOptions::problem_of_xpath(const std::string& query) const {
    const auto parsed = etl::match::parse_xpath(query, present);
    return parsed ? std::string() : etl::match::describe(query, parsed.error());
}

bool FilterOptions::empty() const noexcept {
    return where.empty() && xpaths.empty() && shorthands(*this).empty() && !has_window() &&
           !counts();
}

bool FilterOptions::needs_schemas() const {
    const etl::match::Condition* const condition = for_headers();
    return condition != nullptr && (condition->needs_schemas() || condition->needs_facts());
}

bool FilterOptions::needs_facts() const {
    const etl::match::Condition* const condition = for_headers();
    return condition != nullptr && condition->needs_facts();
}

bool FilterOptions::needs_origins() const {
    const etl::match::Condition* const condition = for_headers();
    return condition != nullptr && condition->needs_origins();
}

std::optional<etl::flow::TimeFilter::Window>
FilterOptions::window(const etl::match::TimeBounds& bounds) const {
    etl::flow::TimeFilter::Window window;
    window.from = from ? from->resolve(bounds) : std::nullopt;
    window.to = to ? to->resolve(bounds) : std::nullopt;
    if ((from && !window.from) || (to && !window.to)) {
        say("--from, --to: times relative to the end require a known end of the trace; use --spool "
            "for a pipe");
        return std::nullopt;
    }
    if (window.from && window.to && window.from->ticks > window.to->ticks) {
        say("--from, --to: the window ends before it begins");
        return std::nullopt;
    }
    return window;
}

std::optional<CompiledFilters> compile(const FilterOptions& options,
                                       const etl::match::TimeBounds& bounds) {
    auto condition = options.compile(bounds);
    if (!condition) {
        say(condition.error());
        if (!bounds.end && options.for_headers() != nullptr) {
            say("the end of a pipe is not known in advance; use --spool");
        }
        return std::nullopt;
    }
    const auto window = options.window(bounds);
    if (!window) {
        return std::nullopt;
    }
    return CompiledFilters{.window = *window,
                           .condition = *std::move(condition),
                           .inputs = {},
                           .skip = options.skip.value_or(0),
                           .limit = options.limit};
}

} // namespace cli

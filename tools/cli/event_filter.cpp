#include "cli/event_filter.hpp"

#include <etl/base/text.hpp>
#include <etl/decode/decoder.hpp>
#include <etl/format/kernel_group.hpp>

#include <algorithm>
#include <array>
#include <charconv>

namespace cli {

namespace {

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

template <typename T>
bool contains(const std::vector<T>& list, const T& value) {
    return std::ranges::find(list, value) != list.end();
}

bool matches_any(const std::vector<std::string>& patterns, std::string_view text) {
    return std::ranges::any_of(patterns,
                               [&](const std::string& p) { return etl::matches_glob(p, text); });
}

/// The conditions of the options on one event.
class Condition {
public:
    Condition(const FilterOptions& options, const FilterInputs& inputs)
        : options_(&options),
          decoder_(std::make_shared<etl::decode::Decoder>(inputs.schemas, inputs.decoder)) {
        if (inputs.facts) {
            matcher_ = std::make_shared<etl::facts::ProcessMatcher>(
                etl::facts::parse_process_selection(options.processes),
                etl::facts::Attributor(inputs.facts, inputs.schemas, inputs.decoder));
        }
        for (const std::string& provider : options.providers) {
            if (const auto guid = etl::parse_guid(provider)) {
                guids_.push_back(*guid);
            } else if (const auto slash = provider.find('/');
                       slash != std::string::npos &&
                       etl::equals_ignoring_case(provider.substr(0, slash),
                                                 etl::format::system_trace_name)) {
                class_names_.push_back(provider.substr(slash + 1)); // as `etl info` shows them
            } else {
                provider_names_.push_back(provider);
            }
        }
        for (const std::string& event : options.events) {
            if (const auto id = etl::parse_number(event)) {
                ids_.push_back(*id);
            } else {
                event_names_.push_back(event);
            }
        }
        needs_names_ = !provider_names_.empty() || !event_names_.empty();
    }

    bool operator()(const etl::flow::Event& event) {
        const etl::flow::EventHeader header = etl::flow::read_header(event);
        if (!fits_header(event, header)) {
            return false;
        }
        const etl::decode::EventKind* kind = needs_names_ ? decoder_->decode(event).kind : nullptr;
        return fits_provider(header, kind) && fits_event(header, kind) && fits_process(event);
    }

    /// False only for events that do not fit, whatever their names and processes are.
    bool may_fit(const etl::flow::Event& event) const {
        const etl::flow::EventHeader header = etl::flow::read_header(event);
        return fits_header(event, header) &&
               (!provider_names_.empty() || fits_provider(header, nullptr)) &&
               (!event_names_.empty() || fits_event(header, nullptr));
    }

    /// Shared by copies.
    const std::shared_ptr<etl::decode::Decoder>& decoder() const noexcept { return decoder_; }

    /// Of providers or events.
    bool needs_names() const noexcept { return needs_names_; }

private:
    bool fits_header(const etl::flow::Event& event, const etl::flow::EventHeader& header) const {
        const FilterOptions& o = *options_;
        return (!o.level || header.level <= *o.level) &&
               (!o.keyword || (header.keyword & *o.keyword) != 0) &&
               (o.cpus.empty() || contains(o.cpus, std::uint32_t{event.buffer->processor})) &&
               fits_id(o.pids, header.process_id, o.notes->without_pid) &&
               fits_id(o.tids, header.thread_id, o.notes->without_tid);
    }

    /// Counts headers without an ID.
    static bool fits_id(const std::vector<std::uint32_t>& ids, std::uint32_t id,
                        std::atomic<std::uint64_t>& without) {
        if (ids.empty() || contains(ids, id)) {
            return true;
        }
        if (id == etl::flow::no_id) {
            without.fetch_add(1, std::memory_order_relaxed);
        }
        return false;
    }

    bool fits_process(const etl::flow::Event& event) {
        using Verdict = etl::facts::ProcessMatcher::Verdict;
        if (!matcher_) {
            return true;
        }
        const Verdict verdict = (*matcher_)(event);
        options_->notes->count(verdict);
        return verdict == Verdict::matches;
    }

    bool fits_provider(const etl::flow::EventHeader& header,
                       const etl::decode::EventKind* kind) const {
        if (options_->providers.empty() || contains(guids_, header.provider)) {
            return true;
        }
        if (header.is_kernel && (contains(guids_, etl::format::system_trace_guid) ||
                                 matches_any(provider_names_, etl::format::system_trace_name))) {
            return true;
        }
        if (const auto name = etl::format::class_name(header.provider);
            !name.empty() &&
            (matches_any(provider_names_, name) || matches_any(class_names_, name))) {
            return true;
        }
        return kind != nullptr && kind->provider && matches_any(provider_names_, *kind->provider);
    }

    bool fits_event(const etl::flow::EventHeader& header,
                    const etl::decode::EventKind* kind) const {
        if (options_->events.empty() || contains(ids_, std::uint64_t{header.id})) {
            return true;
        }
        return kind != nullptr && kind->event && matches_any(event_names_, *kind->event);
    }

    const FilterOptions* options_;
    // Shared: conditions are copied into functions.
    std::shared_ptr<etl::decode::Decoder> decoder_;
    std::shared_ptr<etl::facts::ProcessMatcher> matcher_; // null: any process
    std::vector<etl::Guid> guids_;
    std::vector<std::string> provider_names_;
    std::vector<std::string> class_names_; // of kernel records
    std::vector<std::uint64_t> ids_;
    std::vector<std::string> event_names_;
    bool needs_names_ = false;
};

bool has_conditions(const FilterOptions& o) {
    return !o.providers.empty() || !o.events.empty() || o.level || o.keyword ||
           !o.processes.empty() || !o.pids.empty() || !o.tids.empty() || !o.cpus.empty();
}

etl::flow::TimeFilter::Window window_of(const FilterOptions& options, etl::Filetime start) {
    etl::flow::TimeFilter::Window window;
    if (options.from) {
        window.from = options.from->resolve(start);
    }
    if (options.to) {
        window.to = options.to->resolve(start);
    }
    return window;
}

/// A window in raw times, those of the trace that was asked about last.
class Window {
public:
    explicit Window(const etl::flow::TimeFilter::Window& window) : window_(window) {}

    bool has(const etl::flow::Event& event) {
        if (known_ != &event.trace()) {
            known_ = &event.trace();
            from_ =
                window_.from ? std::optional(known_->clock.to_raw(*window_.from)) : std::nullopt;
            to_ = window_.to ? std::optional(known_->clock.to_raw(*window_.to)) : std::nullopt;
        }
        return (!from_ || event.raw_time >= *from_) && (!to_ || event.raw_time < *to_);
    }

private:
    etl::flow::TimeFilter::Window window_;
    const etl::flow::TraceInfo* known_ = nullptr;
    std::optional<std::int64_t> from_, to_;
};

/// An option that is read by `parse`, with an error message that says what is wanted.
template <typename T, typename Parse>
void add_parsed(CLI::App& verb, const char* name, std::optional<T>& to, Parse parse,
                const char* help, const char* type) {
    verb.add_option_function<std::string>(
            name,
            [name, &to, parse](const std::string& text) {
                to = parse(text);
                if (!to) {
                    throw CLI::ValidationError(name, "cannot read '" + text + "'");
                }
            },
            help)
        ->type_name(type)
        ->group("Filters");
}

} // namespace

std::function<bool(const etl::flow::Event&)> header_condition(const FilterOptions& options) {
    if (!has_conditions(options)) {
        return {};
    }
    return [condition = Condition(options, {})](const etl::flow::Event& event) {
        return condition.may_fit(event);
    };
}

void FilterOptions::add_to(CLI::App& verb) {
    const auto list = [&](const char* name, auto& values, const char* help, const char* type) {
        // One value each time: what stands behind it is the trace.
        return verb.add_option(name, values, help)
            ->type_name(type)
            ->delimiter(',')
            ->allow_extra_args(false)
            ->group("Filters");
    };
    list("--provider", providers,
         "providers by name, glob or GUID; kernel events are MSNT_SystemTrace", "NAME|GUID");
    list("--event", events, "events by id, name or glob", "ID|NAME");
    add_parsed(verb, "--level", level, parse_level,
               "at most this level: 1..255, critical, error, ...", "LEVEL");
    add_parsed(verb, "--keyword", keyword, etl::parse_number, "any of these keyword bits", "MASK");
    list("--process", processes,
         "process that an event is about, by name, glob, or ID; with or without .exe "
         "(docs/processes.md)",
         "NAME|PID")
        ->check([](const std::string& word) {
            return word.empty() ? std::string("expected a name or an ID, found ''") : std::string();
        });
    list("--pid", pids, "process ID in the event header; kernel events may store none: --process",
         "PID");
    list("--tid", tids, "thread ID in the event header", "TID");
    list("--cpu", cpus, "processor number", "CPU");
    add_parsed(verb, "--from", from, parse_time_point,
               "from this time on: RFC 3339, or +1.5s behind the start of the first trace", "TIME");
    add_parsed(verb, "--to", to, parse_time_point, "before this time", "TIME");
    add_parsed(verb, "--skip", skip, etl::parse_number, "pass over the first N events that fit",
               "N");
    add_parsed(verb, "--limit", limit, etl::parse_number, "at most N events", "N");
}

bool FilterOptions::empty() const noexcept {
    return !has_conditions(*this) && !has_window() && !counts();
}

bool FilterOptions::needs_schemas() const {
    return needs_facts() || Condition(*this, {}).needs_names();
}

struct EventFilter::State {
    State(const FilterOptions& options, const FilterInputs& inputs, FurtherCondition also)
        : window(window_of(options, inputs.start)), has_window(options.has_window()),
          further(std::move(also)), skip(options.skip.value_or(0)), left(options.limit) {
        if (has_conditions(options)) {
            condition.emplace(options, inputs);
        }
    }

    bool fits(const etl::flow::Event& event) {
        if (left == 0 || (has_window && !window.has(event)) ||
            (condition && !(*condition)(event)) || (further && !further(event))) {
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

    Window window;
    bool has_window = false;
    std::optional<Condition> condition;
    FurtherCondition further;
    std::uint64_t skip = 0;
    std::optional<std::uint64_t> left; // none: without end
};

EventFilter::EventFilter(const FilterOptions& options, const FilterInputs& inputs,
                         FurtherCondition further)
    : state_(std::make_shared<State>(options, inputs, std::move(further))) {}

bool EventFilter::operator()(const etl::flow::Event& event) {
    return state_->fits(event);
}

FilterChain::FilterChain(etl::flow::Source& source, const FilterOptions& options,
                         const FilterInputs& inputs, etl::flow::TimeFilter::Upstream order,
                         FurtherCondition further)
    : end_(&source), decoder_options_(inputs.decoder) {
    const auto add = [this](std::unique_ptr<etl::flow::Source> filter) {
        end_ = filter.get();
        filters_.push_back(std::move(filter));
    };
    if (options.has_window()) {
        add(std::make_unique<etl::flow::TimeFilter>(*end_, window_of(options, inputs.start),
                                                    order));
    }
    if (has_conditions(options)) {
        Condition condition(options, inputs);
        decoder_ = condition.decoder();
        add(std::make_unique<etl::flow::WhereFilter>(*end_, std::move(condition)));
    }
    if (further) {
        add(std::make_unique<etl::flow::WhereFilter>(*end_, std::move(further)));
    }
    if (options.counts()) {
        add(std::make_unique<etl::flow::CountFilter>(
            *end_, etl::flow::CountFilter::Range{options.skip.value_or(0), options.limit}));
    }
}

void FilterChain::use(etl::schema::SchemasByTrace schemas) {
    if (decoder_) {
        *decoder_ = etl::decode::Decoder(std::move(schemas), decoder_options_);
    }
}

} // namespace cli

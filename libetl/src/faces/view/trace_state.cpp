#include "view/trace_state.hpp"

#include <functional>
#include <utility>

namespace etl::inline view {

void Remarks::add(std::string line) {
    if (lines_.size() < max) {
        lines_.push_back(std::move(line));
    } else if (lines_.size() == max) {
        lines_.emplace_back("more remarks are left out");
    }
}

dataset::FindingSink Trace::State::finding_sink() {
    return [this](const Diagnostic& finding, const std::string& input) {
        findings.report(finding);
        if (options.findings) {
            options.findings(finding, input);
        }
    };
}

// What the conversion of event logs found belongs to each loop.
void Trace::State::use_readers() {
    infos = traces->infos();
    for (std::uint32_t number = 0; number < traces->inputs().size(); ++number) {
        if (const auto& found = traces->inputs()[number].log_findings) {
            for (Diagnostic finding : found->list()) {
                finding.file = number;
                findings.report(finding);
            }
        }
    }
}

void Trace::State::open_traces(dataset::Inputs inputs) {
    dataset::Options how = options;
    how.uses_indexes = options.uses_indexes || !options.from.empty() || !options.to.empty();
    how.select = select;
    how.findings = finding_sink();
    how.remarks = [this](const gather::Remark& remark) {
        remarks(remark);
        if (options.remarks) {
            options.remarks(remark);
        }
    };
    traces.emplace(std::move(inputs), std::move(how));
    for (const dataset::Problem& problem : traces->problems()) {
        problems.push_back({problem.error, problem.name, {}});
    }
    use_readers();
}

Result<void> Trace::State::open_traces_again(const dataset::Selection& selecting) {
    run = {};
    at = 0;
    source = nullptr;
    events.reset();
    findings.clear();
    auto opened = traces->again(selecting, finding_sink());
    if (!opened) {
        return std::unexpected(opened.error());
    }
    traces = *std::move(opened);
    use_readers();
    return {};
}

Result<void> Trace::State::open_events() {
    auto opened = traces->events({.time = filters.window,
                                  .part = options.part,
                                  .untimed = &filters.condition.notes().untimed});
    if (!opened) {
        return std::unexpected(opened.error());
    }
    events = *std::move(opened);
    source = &events->source();
    return {};
}

std::optional<TraceError> Trace::State::complete() {
    auto compiled = traces->filters();
    if (!compiled) {
        return compiled.error();
    }
    filters = *std::move(compiled);
    const match::Condition& condition = filters.condition;
    dataset::Needs needs{.schemas = gather::SchemaScope::everything,
                         .origins = condition.needs_origins() || traces->may_have_several_origins(),
                         .stacks = filters.window};
    if (options.enrich || condition.needs_facts()) {
        needs.facts = options.enrich ? facts::Scope::everything : facts::Scope::processes;
    }
    const auto context = traces->context(needs);
    if (!context) {
        return context.error();
    }
    const auto none = std::make_shared<facts::FactsByTrace>(infos.size());
    if (!condition.is_always_true()) {
        matches.emplace(condition,
                        match::MatcherInputs{.schemas = context->schemas,
                                             .decoder = {.pointer_size = options.pointer_size},
                                             .facts = needs.facts ? context->facts : none,
                                             .origins = context->origins});
    }
    std::optional<facts::FrameNames> names;
    if (options.enrich) {
        names = facts::FrameNames(traces->symbols());
    }
    make_event({.schemas = context->schemas,
                .facts = options.enrich ? context->facts : none,
                .origins = context->origins,
                .shown_names = std::move(names),
                .pointer_size = options.pointer_size});
    return std::nullopt;
}

void Trace::State::use_schemas(const schema::SchemasByTrace& schemas) {
    const auto none = std::make_shared<facts::FactsByTrace>(1);
    if (!filters.condition.is_always_true()) {
        matches.emplace(filters.condition,
                        match::MatcherInputs{.schemas = schemas,
                                             .decoder = {.pointer_size = options.pointer_size},
                                             .facts = none});
    }
    // Numbers of kinds start over with another decoder.
    const std::uint32_t generations = event == nullptr ? 0 : Access::generation(*event) + 1;
    make_event({.schemas = schemas,
                .facts = none,
                .pointer_size = options.pointer_size,
                .generations = generations});
}

// Events that were given out stay valid: only the state of the one event is renewed.
void Trace::State::make_event(EventContext context) {
    Owned<Event::State> state(new Event::State(std::move(context)));
    if (event == nullptr) {
        event.reset(new Event(std::move(state)));
    } else {
        event->header_ = nullptr;
        event->state_ = std::move(state);
    }
}

void Trace::State::come_to_end() {
    has_ended = true;
    if (traces) {
        traces->report_truncation();
    }
}

} // namespace etl::inline view

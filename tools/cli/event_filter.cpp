#include "cli/event_filter.hpp"

#include "base/text.hpp"
#include "cli/console.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace cli {

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

} // namespace cli

#include "analysis/dataset_parts.hpp"

#include "analysis/parts/part_place.hpp"
#include "analysis/pass.hpp"
#include "analysis/states.hpp"
#include "gather/scopes.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace etl::analysis {

namespace {

using Limits = std::numeric_limits<std::int64_t>;

TraceError error_about(const Error& error, const trace::Reader& reader) {
    return {error, reader.info().name, {}};
}

} // namespace

std::expected<std::vector<TablePart>, TraceError>
parts_of(dataset::Dataset& traces, const DividedTable& table, const trace::Part& part) {
    auto sources = traces.window_sources({.time = {.from = table.pass.from, .to = table.pass.to},
                                          .part = part,
                                          .has_all_before = table.form->parts == PartsOf::carried});
    if (!sources) {
        return std::unexpected(std::move(sources.error()));
    }
    std::vector<TablePart> parts;
    for (std::size_t i = 0; i < traces.readers().size(); ++i) {
        const trace::Reader& reader = *traces.readers()[i];
        PassOptions pass = table.pass;
        const PartPlace place = place_in(
            traces, i, sources->begin ? reader.info().clock.to_raw(*sources->begin) : Limits::min(),
            *table.form, pass);
        const auto analyzer = table.form->make(table.options);
        auto one = run_part(*sources->readers[i], reader.info(), *analyzer, pass, place);
        if (!one) {
            return std::unexpected(error_about(one.error(), reader));
        }
        parts.push_back(*std::move(one));
    }
    return parts;
}

namespace {

/// Whether each trace is one scope of its own, as a part is.
bool are_scopes(const dataset::Dataset& traces) {
    const gather::Scopes scopes(traces.readers());
    return std::ranges::all_of(scopes.groups(), [](const gather::ScopeGroup& group) {
        return group.scopes.size() == 1 && group.readers.size() == 1;
    });
}

/// Whether states were made with the options of a table.
bool can_follow_states(const dataset::Dataset& traces, const DividedTable& table) {
    return table.pass.from && has_usual_states(traces, *table.form) &&
           (!table.pass.where || table.pass.where->is_always_true());
}

} // namespace

std::expected<std::optional<Table>, TraceError>
table_of_window(dataset::Dataset& traces, std::size_t number, const DividedTable& table) {
    const trace::Reader& reader = *traces.readers()[number];
    const flow::Clock& clock = reader.info().clock;
    flow::TimeFilter::Window window{.from = table.pass.from, .to = table.pass.to};
    std::optional<StateAt> before;
    if (can_follow_states(traces, table)) {
        before =
            state_before(*traces.indexes()[number], *table.form, clock.to_raw(*table.pass.from));
    }
    if (before) {
        window.from = before->cut.time;
    } else if (!table.form->is_local()) {
        window.from.reset();
    }
    const std::int64_t begin = window.from ? clock.to_raw(*window.from) : Limits::min();
    if (traces.upstream() != flow::TimeFilter::Upstream::ordered) {
        window.to.reset();
    }
    const auto events = traces.open_window(number, window, {});
    if (!events) {
        return std::unexpected(events.error());
    }
    PassOptions pass = table.pass;
    const PartPlace place = place_in(traces, number, begin, *table.form, pass);
    const auto analyzer = table.form->make(table.options);
    auto whole = run_window(**events, reader.info(), *analyzer, pass, place,
                            before ? &before->state : nullptr);
    const bool is_certain =
        !whole || before || begin == Limits::min() || whole->coverage.not_recorded.empty();
    if (!is_certain) {
        return std::nullopt; // a source may be recorded before the window
    }
    if (!whole && whole.error().code == ErrorCode::unsupported) {
        return std::nullopt;
    }
    if (!whole) {
        return std::unexpected(error_about(whole.error(), reader));
    }
    return *std::move(whole);
}

namespace {

/// Whether less than all events before a window is enough.
bool can_begin_later(const TableForm& form) noexcept {
    return form.is_local() || !form.state.empty() || form.parts == PartsOf::carried;
}

} // namespace

std::expected<std::optional<Table>, TraceError>
table_of_window(dataset::Dataset& traces, const DividedTable& table, const OriginKeys& keys) {
    const bool has_window = table.pass.from || table.pass.to;
    if (!has_window || !can_begin_later(*table.form) || table.options.excludes_interrupts ||
        !traces.is_indexed() || !are_scopes(traces)) {
        return std::nullopt;
    }
    std::optional<Table> all;
    const gather::Scopes scopes(traces.readers());
    for (std::size_t i = 0; i < traces.readers().size(); ++i) {
        auto one = table_of_window(traces, i, table);
        if (!one || !*one) {
            return one;
        }
        keys.add_to(**one, scopes.of(traces.readers()[i]->info(), 0));
        if (all) {
            all->add(**std::move(one));
        } else {
            all = **std::move(one);
        }
    }
    return all;
}

} // namespace etl::analysis

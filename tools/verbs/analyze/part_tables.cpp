#include "verbs/analyze/part_tables.hpp"

#include "analysis/origin_keys.hpp"
#include "base/text.hpp"
#include "cli/destination.hpp"
#include "cli/progress.hpp"
#include "gather/scopes.hpp"
#include "outputs/output_guard.hpp"
#include "outputs/output_options.hpp"
#include "verbs/analyze/table_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace cli {

namespace {

using etl::analysis::PartFile;
using etl::analysis::PartPlace;
using etl::analysis::PartsOf;
using etl::analysis::PassOptions;
using etl::analysis::TableForm;
using etl::analysis::TablePart;
using etl::trace::IndexedBuffer;
using Limits = std::numeric_limits<std::int64_t>;

/// A trace, its index, and where the range of a pass over it begins and ends.
class RangeFinder {
public:
    /// The trace has an index.
    RangeFinder(etl::dataset::Dataset& traces, std::size_t number)
        : input_(traces.inputs()[number]), reader_(traces.readers()[number].get()),
          index_(traces.indexes()[number].get()) {}

    /// The earliest event in any range.
    std::optional<std::int64_t> earliest() const {
        std::optional<std::int64_t> first;
        for (const std::uint32_t number : by_time(&IndexedBuffer::first_time, std::less())) {
            if (first && index_->buffers[number].first_time >= *first) {
                break;
            }
            for_each_time(number,
                          [&](std::int64_t time) { first = std::min(first.value_or(time), time); });
        }
        return first;
    }

    std::optional<std::int64_t> latest() const {
        std::optional<std::int64_t> last;
        for (const std::uint32_t number : by_time(&IndexedBuffer::last_time, std::greater())) {
            if (last && index_->buffers[number].last_time <= *last) {
                break;
            }
            for_each_time(number,
                          [&](std::int64_t time) { last = std::max(last.value_or(time), time); });
        }
        return last;
    }

    /// The first event in any range, in the order of events, before `to`.
    std::optional<std::int64_t> first_in_order(std::int64_t to, bool ends_at_to) const {
        const etl::dataset::Dataset trace({.files = {input_}}, {.threads = 1});
        if (trace.is_empty()) {
            return std::nullopt;
        }
        etl::flow::Source& source = *trace.readers().front();
        for (etl::flow::Run run = source.next_run(); !run.empty(); run = source.next_run()) {
            for (const etl::flow::Event& event : run) {
                if (event.raw_time < to && etl::analysis::is_in_any_range(event)) {
                    return event.raw_time;
                }
                if (event.raw_time >= to && ends_at_to) {
                    return std::nullopt;
                }
            }
        }
        return std::nullopt;
    }

    bool has_events_from(std::int64_t time) const {
        return std::ranges::any_of(index_->buffers, [&](const IndexedBuffer& buffer) {
            return buffer.first_time <= buffer.last_time && buffer.last_time >= time;
        });
    }

private:
    template <typename Compare>
    std::vector<std::uint32_t> by_time(std::int64_t IndexedBuffer::* time, Compare compare) const {
        std::vector<std::uint32_t> numbers;
        for (std::uint32_t i = 0; i < index_->buffers.size(); ++i) {
            if (index_->buffers[i].first_time <= index_->buffers[i].last_time) {
                numbers.push_back(i);
            }
        }
        std::ranges::stable_sort(numbers, compare,
                                 [&](std::uint32_t i) { return index_->buffers[i].*time; });
        return numbers;
    }

    template <typename Visit>
    void for_each_time(std::uint32_t number, Visit&& visit) const {
        reader_->show_buffers({number}, [&](const etl::trace::BufferContent& buffer) {
            for (const etl::flow::Event& event : buffer.events) {
                if (etl::analysis::is_in_any_range(event)) {
                    visit(event.raw_time);
                }
            }
        });
    }

    etl::dataset::Input input_;
    etl::trace::Reader* reader_;
    const etl::trace::TraceIndex* index_;
};

/// What a part is computed from.
struct PartInputs {
    const Traces& traces;
    const TableInputs& inputs;
    etl::dataset::WindowSources& part;
};

/// Completes the options by the range of the whole trace, and returns where the part is in it.
PartPlace place_in(const PartInputs& in, std::size_t number, PassOptions& pass) {
    etl::trace::Reader& reader = *in.traces.readers()[number];
    const etl::flow::Clock& clock = reader.info().clock;
    etl::dataset::Dataset& traces = in.traces.dataset();
    const RangeFinder range(traces, number);
    const std::int64_t to = pass.to ? clock.to_raw(*pass.to) : Limits::max();
    const auto first = in.inputs.tables.front().form->is_order_free
                           ? range.earliest()
                           : range.first_in_order(to, pass.is_ordered);
    const auto last = range.latest();
    if (first && last) {
        pass.range = {*first, *last};
    }
    PartPlace place;
    place.reached_to = pass.to && range.has_events_from(to);
    place.begin = in.part.begin ? clock.to_raw(*in.part.begin) : Limits::min();
    place.show_earlier = [&reader, &index = *traces.indexes()[number]](auto show) {
        reader.show_buffers(index.numbers_of(&IndexedBuffer::has_sampling),
                            [&](const etl::trace::BufferContent& buffer) { show(buffer.events); });
    };
    return place;
}

/// What parts of traces contribute, and which machines and boots the traces are of.
struct PartsOfTraces {
    std::vector<TablePart> parts; // in the order of the traces
    std::vector<etl::facts::Origin> origins;
};

/// By trace, each of which is a scope.
std::vector<etl::facts::Origin> origins_of(const PartInputs& in) {
    const etl::gather::Scopes scopes(in.traces.readers());
    std::vector<etl::facts::Origin> origins;
    for (const auto& reader : in.traces.readers()) {
        origins.push_back(in.inputs.origins[scopes.of(reader->info(), 0)]);
    }
    return origins;
}

std::expected<PartsOfTraces, ExitCode> parts_of(const PartInputs& in) {
    const WantedTable& table = in.inputs.tables.front();
    ProgressBar bar(table.options->progress);
    std::vector<TablePart> parts;
    for (std::size_t i = 0; i < in.traces.readers().size(); ++i) {
        const auto& reader = in.traces.readers()[i];
        PassOptions pass = pass_options_of(*reader, table, in.inputs);
        const PartPlace place = place_in(in, i, pass);
        pass.progress = [&](std::uint64_t events, const etl::flow::Event& newest) {
            bar.show(fraction_by_place(newest), events);
            return true;
        };
        const auto analyzer = table.form->make(table.options->table);
        auto part =
            etl::analysis::run_part(*in.part.readers[i], reader->info(), *analyzer, pass, place);
        if (!part) {
            say(printable(reader->info().name), part.error());
            return std::unexpected(ExitCode::failed);
        }
        parts.push_back(*std::move(part));
    }
    if (!table.options->part) { // in another part, they may match
        report_filters(in.inputs);
    }
    report_missing(in.inputs.symbols.get());
    PartsOfTraces all{.parts = std::move(parts), .origins = {}};
    if (!in.inputs.origins.empty()) {
        all.origins = origins_of(in);
    }
    return all;
}

/// All traces have an index.
std::expected<PartsOfTraces, ExitCode> parts_of(const AnalyzeOptions& options,
                                                const Traces& traces) {
    const auto inputs = inputs_of({&options, 1}, traces);
    if (!inputs) {
        return std::unexpected(inputs.error());
    }
    const WantedTable& table = inputs->tables.front();
    auto part =
        traces.dataset().window_sources({.time = table.filters.window,
                                         .part = options.part.value_or(etl::trace::Part{}),
                                         .has_all_before = table.form->parts == PartsOf::carried});
    if (!part) {
        say(part.error().about, part.error());
        return std::unexpected(ExitCode::failed);
    }
    return parts_of({traces, *inputs, *part});
}

/// Why a table of these traces has no parts; empty: it has.
std::string what_cannot_be_divided(const Traces& traces) {
    const etl::gather::Scopes scopes(traces.readers());
    for (const etl::gather::ScopeGroup& group : scopes.groups()) {
        const std::string& name = traces.readers()[group.readers.front()]->info().name;
        if (group.scopes.size() > 1) {
            return fmt::format("{}: merged from several machines or boots; --part of a table "
                               "requires a trace of each",
                               printable(name));
        }
        if (group.readers.size() > 1) {
            return fmt::format("{} and {}: of one machine and boot; merge them first (`etl merge`) "
                               "for --part of a table",
                               printable(name),
                               printable(traces.readers()[group.readers[1]]->info().name));
        }
    }
    return {};
}

/// What must be the same in all parts.
std::vector<std::pair<std::string, std::string>> origin_of(const AnalyzeOptions& options,
                                                           const Traces& traces) {
    std::vector<std::pair<std::string, std::string>> origin = options.words;
    origin.emplace_back("version of etl", ETL_VERSION);
    origin.emplace_back("number of traces", std::to_string(traces.readers().size()));
    for (std::size_t i = 0; i < traces.readers().size(); ++i) {
        const auto& reader = *traces.readers()[i];
        const auto identity = etl::trace::identity_of(reader.info(), reader.buffers());
        origin.emplace_back(fmt::format("trace {}", i + 1),
                            fmt::format("{} bytes, {} buffers, hash {:016x}", identity.size,
                                        identity.buffers, identity.hash));
    }
    return origin;
}

} // namespace

std::string problem_of_parts(const AnalyzeOptions& options) {
    if (options.table.excludes_interrupts) {
        return "--part excludes --without-interrupts: an interrupt can be in another part than "
               "the thread that it interrupted";
    }
    if (options.is_partial != options.part.has_value()) {
        return options.is_partial ? "--partial requires --part K/N"
                                  : "--part of a table requires --partial and -o FILE: `etl "
                                    "combine` prints the table of all parts";
    }
    if (options.rows.limit || !options.rows.sort.empty() || options.format) {
        return "--partial excludes --sort, --limit, and --format: give them to `etl combine`";
    }
    return {};
}

ExitCode write_part(const AnalyzeOptions& options) {
    OutputGuard guard;
    guard.reads(options.traces);
    guard.reads(options.schemas);
    if (!guard.permits(options.output, existing_files(options.force))) {
        return ExitCode::failed;
    }
    const Traces traces(options.traces);
    if (traces.readers().empty()) {
        return ExitCode::failed;
    }
    if (const std::string why = what_cannot_be_divided(traces); !why.empty()) {
        say(why);
        return ExitCode::failed;
    }
    traces.dataset().complete_indexes();
    auto parts = parts_of(options, traces);
    if (!parts) {
        return parts.error();
    }
    const TableForm& form = *etl::analysis::find_table(options.verb, options.by);
    const PartFile file{.number = options.part->number,
                        .count = options.part->count,
                        .table = std::string(form.kind->name),
                        .by = std::string(form.by),
                        .options = options.table,
                        .made_from = origin_of(options, traces),
                        .traces = std::move(parts->parts),
                        .origins = std::move(parts->origins)};
    const auto bytes = etl::analysis::encode(file);
    return worst(write_file(options.output, etl::as_text(bytes)), traces.exit_code());
}

std::optional<std::expected<etl::analysis::Table, ExitCode>>
table_of_window(const AnalyzeOptions& options, const Traces& traces) {
    const TableForm& form = *etl::analysis::find_table(options.verb, options.by);
    if (!options.filters.has_window() || form.parts == PartsOf::none ||
        options.table.excludes_interrupts) {
        return std::nullopt;
    }
    const auto indexes = traces.dataset().indexes();
    if (std::ranges::find(indexes, nullptr) != indexes.end() ||
        !what_cannot_be_divided(traces).empty()) {
        return std::nullopt;
    }
    auto parts = parts_of(options, traces);
    if (!parts) {
        return std::unexpected(parts.error());
    }
    const PartFile whole{.options = options.table,
                         .traces = std::move(parts->parts),
                         .origins = std::move(parts->origins)};
    return combined(form, {&whole, 1});
}

std::expected<etl::analysis::Table, ExitCode> combined(const TableForm& form,
                                                       std::span<const PartFile> parts) {
    std::optional<etl::analysis::Table> all;
    const etl::analysis::OriginKeys keys(parts.front().origins);
    for (std::size_t i = 0; i < parts.front().traces.size(); ++i) {
        std::vector<TablePart> of_trace;
        for (const PartFile& part : parts) {
            of_trace.push_back(part.traces[i]);
        }
        auto table = etl::analysis::combine(form, parts.front().options, of_trace);
        if (!table) {
            say(etl::describe(table.error()));
            return std::unexpected(ExitCode::failed);
        }
        keys.add_to(*table, i);
        if (all) {
            all->add(*std::move(table));
        } else {
            all = *std::move(table);
        }
    }
    return *std::move(all);
}

} // namespace cli

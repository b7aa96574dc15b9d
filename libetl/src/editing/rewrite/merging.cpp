#include "rewrite/merging.hpp"

#include "base/file_name.hpp"
#include "flow/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace etl::rewrite {

namespace {

using merge::Timestamps;

/// Up to this number, traces are opened at once; beyond it, each is opened when its time range
/// starts.
constexpr std::size_t open_at_once = 8;

/// Returns when the events of a file start; if they cannot be read, the start according to the
/// header. Findings are reported later, when the file is read.
merge::Beginning find_beginning(const dataset::Input& input, const flow::TraceInfo& trace) {
    const merge::Beginning stated{.first = trace.reference_time, .first_event = std::nullopt};
    const dataset::Dataset file({.files = {input}}, {.threads = 1});
    return file.is_empty() ? stated : merge::beginning_of(*file.readers().front()).value_or(stated);
}

std::vector<merge::Input> make_inputs(dataset::Dataset& traces, const merge::Options& options) {
    const std::size_t count = traces.readers().size();
    const bool all_at_once = count <= open_at_once;
    std::vector<merge::Input> inputs;
    for (std::size_t i = 0; i < count; ++i) {
        merge::Input input{.trace =
                               std::make_shared<const flow::TraceInfo>(traces.readers()[i]->info()),
                           .open = [&traces, i]() -> Result<std::unique_ptr<flow::Source>> {
                               return traces.release(i);
                           }};
        if (!all_at_once || options.align == merge::Align::first_event) {
            input.beginning = find_beginning(traces.inputs()[i], *input.trace);
        }
        if (all_at_once) {
            input.beginning = input.beginning.value_or(merge::Beginning{});
            input.beginning->first = std::numeric_limits<std::int64_t>::min();
        }
        inputs.push_back(std::move(input));
    }
    return inputs;
}

/// The traces do not match; the text is about the first difference.
MergeError mismatch_error(const std::vector<const flow::TraceInfo*>& traces,
                          std::vector<merge::Mismatch> mismatches) {
    const merge::Mismatch& first = mismatches.front();
    MergeError error{{{.code = ErrorCode::unsupported, .what = "traces that do not match"},
                      traces[first.input]->name,
                      fmt::format("{} {} differs from {} of {}; raw timestamps of different boots, "
                                  "machines, or clocks are not comparable",
                                  first.field, first.other, first.first, traces.front()->name)}};
    error.mismatches = std::move(mismatches);
    return error;
}

} // namespace

std::expected<Joined, MergeError> Joined::join(dataset::Dataset& traces,
                                               const merge::Options& options) {
    const std::vector<const flow::TraceInfo*> infos = traces.infos();
    Joined joined;
    for (const flow::TraceInfo* const info : infos) {
        joined.buffer_size_ = std::max(joined.buffer_size_, trace::buffer_size_for(*info));
    }
    const bool is_plain = infos.size() == 1 && options.timestamps == Timestamps::keep &&
                          !options.tag_sources && options.relation == merge::Relation::sessions;
    if (is_plain) {
        joined.info_ = std::make_shared<const flow::TraceInfo>(*infos.front());
        joined.writer_options_.recording = trace::relogged(*infos.front());
        joined.writer_options_.keep_logger_ids = !infos.front()->merged_inputs.empty();
        auto reader = traces.release(0);
        joined.reader_ = reader.get();
        joined.source_ = std::move(reader);
        joined.start_ = {joined.recording().header.start_time};
        return joined;
    }
    if (options.timestamps == Timestamps::keep) {
        if (auto mismatches = merge::correlate(infos); !mismatches.empty()) {
            return std::unexpected(mismatch_error(infos, std::move(mismatches)));
        }
    }
    auto merged = merge::MergedSource::create(make_inputs(traces, options), options);
    if (!merged) {
        return std::unexpected(MergeError{{merged.error(), {}}});
    }
    joined.writer_options_ = (*merged)->writer_options();
    joined.info_ = std::make_shared<const flow::TraceInfo>((*merged)->info());
    joined.merged_ = merged->get();
    joined.source_ = *std::move(merged);
    joined.start_ = {joined.recording().header.start_time};
    return joined;
}

double Joined::fraction_done(const flow::Event& newest) const noexcept {
    return flow::fraction_by_time(start_, end(), newest);
}

Result<trace::CopyResult> Joined::copy(flow::Source& source, Output& output,
                                       const Progress& progress) const {
    const auto show = [&](std::uint64_t events, const flow::Event& newest) {
        if (progress) {
            progress(fraction_done(newest), events);
        }
        return !output.writer().status().failure;
    };
    return trace::copy(source, output.writer(), {.progress = show});
}

void Joined::report_truncation() {
    if (reader_ != nullptr) {
        reader_->report_truncation();
    }
}

std::uint64_t Joined::repeated_context() const noexcept {
    return merged_ != nullptr ? merged_->repeated_context() : 0;
}

std::expected<void, TraceError> place_offsets(const std::vector<Offset>& offsets,
                                              const dataset::Dataset& traces, merge::Options& how) {
    how.offsets.assign(traces.readers().size(), 0);
    for (const Offset& offset : offsets) {
        bool found = false;
        for (std::size_t i = 0; i < traces.readers().size(); ++i) {
            const std::string& name = traces.readers()[i]->info().name;
            if (offset.input == name || offset.input == file_name_of(name)) {
                how.offsets[i] = offset.ticks;
                found = true;
            }
        }
        if (!found) {
            return std::unexpected(
                TraceError{{.code = ErrorCode::not_found, .what = "input of an offset"},
                           offset.input,
                           "not an input"});
        }
    }
    return {};
}

std::expected<Merged, MergeError> merge(dataset::Dataset& traces, const Merging& what) {
    schema::SchemasByTrace schemas;
    if (what.embedded) {
        auto context = traces.context({.schemas = what.embedded});
        if (!context) {
            return std::unexpected(MergeError{std::move(context.error())});
        }
        schemas = std::move(context->schemas);
    }
    auto joined = Joined::join(traces, what.how);
    if (!joined) {
        return std::unexpected(std::move(joined.error()));
    }
    OutputOptions options = what.output;
    if (!options.buffer_size) {
        options.buffer_size = what.embedded ? std::max(joined->buffer_size(), embedding_buffer_size)
                                            : joined->buffer_size();
    }
    auto output =
        Output::open(options, traces.options().worker_threads(), joined->writer_options());
    if (!output) {
        return std::unexpected(MergeError{std::move(output.error())});
    }
    std::optional<decode::EmbeddedSource> embedded;
    if (what.embedded) {
        embedded.emplace(
            joined->source(), std::move(schemas),
            decode::EmbeddingOptions{.by_logger = joined->writer_options().keep_logger_ids});
    }
    flow::Source& source = embedded ? static_cast<flow::Source&>(*embedded) : joined->source();
    const auto copied = joined->copy(source, *output, what.progress);
    if (!copied) {
        return std::unexpected(MergeError{{copied.error(), {}}});
    }
    return Merged{.written = output->finish(),
                  .replaces = output->replaces(),
                  .embedded = embedded ? std::optional(embedded->report()) : std::nullopt,
                  .repeated_context = joined->repeated_context()};
}

} // namespace etl::rewrite

#include "verbs/relog/steps.hpp"

#include "base/limits.hpp"
#include "cli/console.hpp"
#include "format/buffer_header.hpp"
#include "format/limits.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace cli {

namespace {

/// A batch: events are in time order within it, whatever the order of lines.
constexpr std::size_t max_events = 1U << 16U;
constexpr std::size_t max_bytes = 4U << 20U;

} // namespace

Injection::Injection(const etl::trace::Recording& recording, const etl::flow::TraceInfo& trace,
                     std::shared_ptr<const etl::schema::SchemaStore> store)
    : info_(&trace), recording_(recording),
      trace_([store = std::move(store)](const etl::Guid*) { return store; },
             etl::fromjson::PreferredSource::payload),
      last_time_(recording.reference_time) {}

bool Injection::open(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
        auto sources = etl::fromjson::LineSource::open(path);
        if (!sources) {
            say(path, sources.error());
            return false;
        }
        std::ranges::move(*sources, std::back_inserter(sources_));
    }
    return true;
}

std::optional<Injection::Line> Injection::next_line() {
    for (; current_ < sources_.size(); ++current_) {
        if (const auto line = sources_[current_]->next()) {
            return Line{*line, current_};
        }
        if (const auto& error = sources_[current_]->error()) {
            say(sources_[current_]->name(), *error);
            failed_ = true;
        }
    }
    return std::nullopt;
}

// Lines of a dump start with a log file header, which is parsed but not injected.
void Injection::look_at_first(const Line& line) {
    std::string text(line.line.text);
    const std::size_t size = text.size();
    text.append(etl::fromjson::line_padding, '\0');
    trace_.inspect(std::string_view(text).substr(0, size), line.line.number);
    trace_.begin();
    trace_.continue_trace(recording_);
    begun_ = true;
}

void Injection::add(const Line& line, Batch& batch) {
    if (!begun_) {
        look_at_first(line);
    }
    const auto made = line.line.is_too_long
                          ? std::unexpected(etl::fromjson::LineError{"", "line too long"})
                          : trace_.make(line.line.text, line.file == 0 ? line.line.number : 0U);
    if (!made) {
        problems_.add(sources_[line.file]->name(), line.line.number, made.error());
        return;
    }
    if (made->record.empty()) {
        return;
    }
    etl::format::RecordShape shape = etl::format::record_at(made->record);
    shape.has_time = shape.has_time && made->has_usable_time;
    last_time_ = shape.has_time ? shape.time : last_time_;
    const std::size_t at = batch.bytes.size();
    batch.bytes.insert(batch.bytes.end(), made->record.begin(), made->record.end());
    batch.bytes.resize(at + etl::format::padded(shape.size));
    // finish() sets the address of the record, once all are in place.
    batch.events.push_back({.raw_time = last_time_,
                            .buffer = &batch.buffers[made->processor],
                            .size = shape.size,
                            .kind = shape.kind,
                            .has_time = shape.has_time});
}

void Injection::finish(Batch& batch) {
    for (auto& [processor, buffer] : batch.buffers) {
        buffer.trace = info_;
        buffer.bytes = batch.bytes;
        buffer.processor = processor;
    }
    const std::byte* record = batch.bytes.data();
    for (etl::flow::Event& event : batch.events) {
        event.record = record;
        record += etl::format::padded(event.size);
    }
    std::ranges::stable_sort(batch.events, {}, &etl::flow::Event::raw_time);
    events_ += batch.events.size();
}

// A run has one buffer, here one processor.
etl::flow::Run Injection::next_run() {
    if (rest_.empty()) {
        batch_ = read_batch();
        rest_ = batch_->events;
    }
    if (rest_.empty()) {
        return {};
    }
    const etl::flow::BufferContext* const buffer = rest_.front().buffer;
    const auto end = std::ranges::find_if(
        rest_, [&](const etl::flow::Event& event) { return event.buffer != buffer; });
    const etl::flow::Run run(rest_.begin(), end);
    rest_ = rest_.subspan(run.size());
    return run;
}

std::shared_ptr<Injection::Batch> Injection::read_batch() {
    auto batch = std::make_shared<Batch>();
    while (batch->events.size() < max_events && batch->bytes.size() < max_bytes) {
        const auto line = next_line();
        if (!line) {
            break;
        }
        add(*line, *batch);
    }
    finish(*batch);
    return batch;
}

ExitCode Injection::exit_code() const noexcept {
    return problems_.count() > 0 || failed_ ? ExitCode::damaged : ExitCode::well;
}

void Injection::report_unknown_keys() const {
    if (!trace_.unknown_keys().empty()) {
        say(fmt::format("note: --inject: unknown keys: {}",
                        printable(fmt::format("{}", fmt::join(trace_.unknown_keys(), ", ")))));
    }
}

namespace {

// Embedded schemas are not undecodable events, although no schema decodes them.
bool is_undecodable(const etl::decode::DecodedEvent& event) {
    using etl::decode::RawReason;
    const RawReason why = event.kind->raw_reason;
    return why != RawReason::none && why != RawReason::manifest_chunk &&
           why != RawReason::schema_record;
}

} // namespace

Steps::Steps(RelogOptions& options, etl::rewrite::Joined& joined, Known known,
             etl::flow::TimeFilter::Upstream order)
    : options_(&options), joined_(&joined), schemas_(std::move(known.schemas)),
      facts_(std::move(known.facts)), filters_(std::move(known.filters)),
      recording_(joined.recording()), end_(&joined.source()) {
    if (options.drops()) {
        add_filters({.pointer_size = options.pointer_size}, order);
    }
    if (options.time_offset) {
        add_time_offset();
    }
}

FurtherCondition Steps::further_condition(const etl::decode::DecoderOptions& decoder) {
    std::shared_ptr<etl::decode::Decoder> schemas;
    if (options_->drop_undecodable && !options_->anonymizing.drops_by_itself()) {
        schemas = std::make_shared<etl::decode::Decoder>(schemas_, decoder);
    }
    if (options_->downsample > 1) {
        downsample_.emplace(options_->downsample);
    }
    if (!schemas && !downsample_) {
        return {};
    }
    return [schemas = std::move(schemas), this](const etl::flow::Event& event) {
        return (!schemas || !is_undecodable(schemas->decode(event))) &&
               (!downsample_ || downsample_->keeps(event));
    };
}

void Steps::add_filters(const etl::decode::DecoderOptions& decoder,
                        etl::flow::TimeFilter::Upstream order) {
    FurtherCondition further = further_condition(decoder);
    CompiledFilters filters = std::move(filters_);
    filters.inputs = {.schemas = schemas_,
                      .decoder = decoder,
                      .facts = facts_,
                      .origins = filters.inputs.origins};
    if (!options_->with_context) {
        chain_.emplace(*end_, filters, order, std::move(further));
        end_ = &chain_->end();
        return;
    }
    EventFilter filter(std::move(filters), std::move(further));
    context_.emplace(*end_, [filter = std::move(filter), this](const etl::flow::Event& e) mutable {
        const bool matches = filter(e);
        matching_ += matches ? 1U : 0U;
        return matches;
    });
    end_ = &*context_;
}

void Steps::add_time_offset() {
    shift_.emplace(*options_->time_offset);
    shifted_.emplace(*end_, *shift_);
    recording_ = shift_->shift(std::move(recording_));
    end_ = &*shifted_;
}

bool Steps::open() {
    if (!options_->inject.empty()) {
        injection_.emplace(recording_, joined_->info(), schemas_.store_for(joined_->info().file));
        if (!injection_->open(options_->inject)) {
            return false;
        }
        joined_lines_.emplace(std::vector<etl::flow::Source*>{end_, &*injection_});
        end_ = &*joined_lines_;
    }
    end_ = &options_->anonymizing.over(*end_);
    options_->anonymizing.anonymize(recording_);
    const bool drops_schemas = options_->drops() && !options_->with_context;
    const auto carried =
        drops_schemas ? etl::decode::CarriedSchemas::dropped : etl::decode::CarriedSchemas::pass;
    const std::uint32_t buffer = options_->output.buffer_size.value_or(etl::limits::buffer_bytes);
    const std::size_t largest = buffer - etl::format::buffer_header::size;
    end_ = &options_->embedding.over(
        *end_, schemas_,
        {.carried = carried,
         .max_record_size = std::min(largest, etl::format::max_record_size),
         .by_logger = joined_->writer_options().keep_logger_ids});
    return true;
}

ExitCode Steps::finish() const {
    if (!injection_) {
        return ExitCode::well;
    }
    injection_->report_unknown_keys();
    return injection_->exit_code();
}

} // namespace cli

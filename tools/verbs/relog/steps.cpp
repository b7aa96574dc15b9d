#include "verbs/relog/steps.hpp"

#include "base/limits.hpp"
#include "format/buffer_header.hpp"
#include "format/limits.hpp"

#include <algorithm>

namespace cli {

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

#include "explore/event_rows.hpp"

#include "analysis/groups.hpp"
#include "base/text.hpp"

#include <utility>

namespace etl::explore {

namespace {

using analysis::Cell;

/// Bytes of a value, and of a text: all are in the answer about the event itself.
constexpr std::size_t max_value = 256, max_text = 4096;

std::optional<match::Matcher> matcher_of(const std::optional<match::Condition>& condition,
                                         const RowOptions& options) {
    return condition ? std::optional<match::Matcher>(
                           std::in_place, *condition,
                           match::MatcherInputs{.schemas = options.context.schemas,
                                                .decoder = options.decoder,
                                                .facts = options.context.facts,
                                                .origins = options.context.origins,
                                                .code_page = options.code_page.get()})
                     : std::nullopt;
}

sink::Options text_options_of(const RowOptions& options) {
    return {.schemas = options.context.schemas,
            .message = true,
            .code_page = options.code_page,
            .pointer_size = options.decoder.pointer_size};
}

Cell id_cell(std::uint32_t id) {
    return id == flow::no_id ? Cell() : Cell(std::uint64_t{id});
}

/// The best known name, else what identifies the event in expressions.
std::string provider_of(const decode::DecodedEvent& event) {
    return event.kind->provider.value_or(to_string(event.header.provider));
}

std::string name_of(const decode::DecodedEvent& event) {
    return event.kind->event.value_or(std::to_string(event.header.id));
}

Cell process_of(facts::Attributor& attributor, const decode::DecodedEvent& event,
                std::uint32_t generation) {
    const facts::Facts& facts = attributor.facts_of(*event.event);
    const std::uint32_t id = attributor.attribute(event, generation).process;
    const auto process =
        id != flow::no_id ? facts.process(id, event.event->raw_time) : std::nullopt;
    return process && !process->name.empty() ? Cell(std::string(process->name)) : Cell();
}

} // namespace

analysis::Table events_table() {
    using analysis::key_column;
    using analysis::Unit;
    analysis::Table table{.name = "events", .is_ordered = true};
    table.columns = {key_column("row", Unit::id),        key_column("time", Unit::time),
                     key_column("cpu", Unit::id),        key_column("pid", Unit::id),
                     key_column("tid", Unit::id),        key_column("process", Unit::text),
                     key_column("provider", Unit::text), key_column("event", Unit::text),
                     key_column("level", Unit::id),      key_column("text", Unit::text),
                     key_column("input", Unit::id),      key_column("buffer", Unit::id),
                     key_column("offset", Unit::id)};
    return table;
}

RowWorker::RowWorker(std::shared_ptr<const RowOptions> options)
    : options_(std::move(options)), decoder_(options_->context.schemas, options_->decoder),
      attributor_(options_->context.facts, options_->context.schemas, options_->decoder),
      text_(text_options_of(*options_), {.max_value_bytes = max_value}),
      where_(matcher_of(options_->where, *options_)),
      found_(matcher_of(options_->found, *options_)) {}

RowWorker::~RowWorker() = default;

std::unique_ptr<flow::BatchWorker> RowWorker::clone() const {
    return std::make_unique<RowWorker>(options_);
}

analysis::Row RowWorker::row_of(const decode::DecodedEvent& event, std::uint64_t number) {
    const flow::Event& record = *event.event;
    const auto time = flow::wall_time(record);
    scratch_.clear();
    text_.append_payload(event, decoder_.generation(), scratch_);
    const bool is_long = scratch_.size() > max_text;
    std::string text(whole_characters(scratch_, max_text));
    text.append(is_long ? "\xE2\x80\xA6" : "").erase(0, text.starts_with(' ') ? 1 : 0);
    return {{number, time ? Cell(static_cast<std::uint64_t>(time->ticks)) : Cell(),
             std::uint64_t{record.buffer->processor}, id_cell(event.header.process_id),
             id_cell(event.header.thread_id), process_of(attributor_, event, decoder_.generation()),
             provider_of(event), name_of(event), std::uint64_t{event.header.level}, std::move(text),
             std::uint64_t{record.trace().file} + 1, record.buffer->number,
             std::uint64_t{record.offset()}}};
}

std::unique_ptr<flow::BatchResult> RowWorker::work(std::span<const flow::Run> events) {
    auto batch = std::make_unique<RowBatch>();
    for (const flow::Run& run : events) {
        for (const flow::Event& event : run) {
            const decode::DecodedEvent& decoded = decoder_.decode(event);
            const std::uint32_t generation = decoder_.generation();
            if (where_ && !(*where_)(decoded, generation)) {
                continue;
            }
            if (!found_ || (*found_)(decoded, generation)) {
                batch->rows.push_back(row_of(decoded, batch->events));
            }
            ++batch->events;
        }
    }
    return batch;
}

} // namespace etl::explore

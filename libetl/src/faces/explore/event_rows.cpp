#include "explore/event_rows.hpp"

#include "analysis/groups.hpp"
#include "base/text.hpp"
#include "decode/display_value.hpp"
#include "decode/event_keys.hpp"
#include "decode/field_walker.hpp"

#include <algorithm>
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

analysis::Table events_table(std::span<const std::string> fields) {
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
    auto names = std::make_shared<std::vector<std::string>>();
    for (const std::string& field : fields) {
        names->push_back(std::string(decode::field_prefix) + field);
    }
    for (const std::string& name : *names) {
        table.columns.push_back(key_column(name, Unit::text));
    }
    table.names = std::move(names);
    return table;
}

const std::vector<std::uint32_t>& ShownFields::of(const decode::DecodedEvent& event,
                                                  std::uint32_t generation,
                                                  const std::vector<std::string>& fields) {
    if (generation != generation_) {
        kinds_.clear();
        generation_ = generation;
    }
    const std::uint32_t number = event.kind->number;
    if (number >= kinds_.size()) {
        kinds_.resize(std::size_t{number} + 1);
    }
    auto& known = kinds_[number];
    if (!known) {
        known.emplace();
        bool has_any = false;
        for (const std::string& path : schema::field_paths(*event.kind->schema)) {
            const auto found = std::ranges::find(fields, path);
            has_any = has_any || found != fields.end();
            known->push_back(
                found == fields.end() ? none : static_cast<std::uint32_t>(found - fields.begin()));
        }
        if (!has_any) {
            known->clear();
        }
    }
    return *known;
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

namespace {

/// A text, with an ellipsis if it was too long.
std::string shortened(const std::string& text) {
    return std::string(whole_characters(text, max_text)) +
           (text.size() > max_text ? "\xE2\x80\xA6" : "");
}

} // namespace

analysis::Row RowWorker::row_of(const decode::DecodedEvent& event, std::uint64_t number) {
    const flow::Event& record = *event.event;
    const auto time = flow::wall_time(record);
    scratch_.clear();
    text_.append_payload(event, decoder_.generation(), scratch_);
    std::string text = shortened(scratch_);
    text.erase(0, text.starts_with(' ') ? 1 : 0);
    return {{number, time ? Cell(static_cast<std::uint64_t>(time->ticks)) : Cell(),
             std::uint64_t{record.buffer->processor}, id_cell(event.header.process_id),
             id_cell(event.header.thread_id), process_of(attributor_, event, decoder_.generation()),
             provider_of(event), name_of(event), std::uint64_t{event.header.level}, std::move(text),
             std::uint64_t{record.trace().file} + 1, record.buffer->number,
             std::uint64_t{record.offset()}}};
}

/// Appends the cells of fields.
void RowWorker::add_fields(const decode::DecodedEvent& event, analysis::Row& row) {
    const std::size_t first = row.cells.size();
    row.cells.resize(first + options_->fields.size());
    if (event.kind->schema == nullptr) {
        return;
    }
    const auto& columns = fields_.of(event, decoder_.generation(), options_->fields);
    if (columns.empty()) {
        return;
    }
    const decode::DisplayOptions how =
        decode::options_for({.code_page = options_->code_page.get()}, event);
    decode::FieldWalker walker;
    walker.start(event.kind->plan, event.body);
    for (auto step = walker.next(); step != decode::Step::end; step = walker.next()) {
        if (step != decode::Step::value || columns[walker.field()] == ShownFields::none) {
            continue;
        }
        Cell& cell = row.cells[first + columns[walker.field()]];
        std::string text = std::holds_alternative<std::string>(cell)
                               ? std::get<std::string>(std::move(cell)) + ", "
                               : std::string();
        if (text.size() <= max_text) {
            decode::append_display(text, walker.value(), how);
        }
        cell = shortened(text);
    }
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
                if (!options_->fields.empty()) {
                    add_fields(decoded, batch->rows.back());
                }
            }
            ++batch->events;
        }
    }
    return batch;
}

} // namespace etl::explore

#include "flow/event.hpp"

#include <etl/event.hpp>

#include "base/text.hpp"
#include "decode/decode_note.hpp"
#include "view/event_state.hpp"

#include <algorithm>
#include <utility>

namespace etl::inline view {

Event::State::State(EventContext given)
    : context(std::move(given)), decoder(context.schemas, {.pointer_size = context.pointer_size}),
      annotator(context.facts, context.shown_names.value_or(facts::FrameNames())) {}

Event::Event(Owned<State> state) noexcept : state_(std::move(state)) {}

Event::~Event() = default;

void Event::decode() const {
    state_->decoded = &state_->decoder.decode(*record_);
    header_ = &state_->decoded->header;
}

const decode::DecodedEvent& Access::decoded(const Event& event) {
    static_cast<void>(event.header());
    return *event.state_->decoded;
}

std::uint32_t Access::generation(const Event& event) noexcept {
    return event.state_->context.generations + event.state_->decoder.generation();
}

const FieldTable& Access::table(const Event& event) {
    Event::State& state = *event.state_;
    if (!state.has_table) {
        state.table.fill(decoded(event));
        state.has_table = true;
    }
    return state.table;
}

Filetime Event::time() const noexcept {
    return record_->time();
}

std::optional<Filetime> Event::wall_time() const noexcept {
    return flow::wall_time(*record_);
}

std::optional<std::int64_t> Event::raw_time() const noexcept {
    return flow::stored_time(*record_);
}

std::uint16_t Event::processor() const noexcept {
    return record_->buffer->processor;
}

std::uint32_t Event::trace() const noexcept {
    return record_->trace().file;
}

Fields Event::fields() const {
    return Fields(Access::table(*this));
}

bool Event::is_decoded() const {
    return Access::decoded(*this).kind->schema != nullptr;
}

std::string_view Event::task_name() const {
    return Access::decoded(*this).kind->task_name;
}

std::string_view Event::opcode_name() const {
    return Access::decoded(*this).kind->opcode_name;
}

std::string_view Event::level_name() const {
    return Access::decoded(*this).kind->level_name;
}

std::string_view Event::channel() const {
    return Access::decoded(*this).kind->channel_name;
}

std::string_view Event::provider() const {
    const decode::DecodedEvent& event = Access::decoded(*this);
    if (event.kind->provider) {
        return *event.kind->provider;
    }
    std::string& text = state_->provider;
    text.clear();
    append_guid(text, event.header.provider);
    return text;
}

std::string_view Event::name() const {
    const decode::DecodedEvent& event = Access::decoded(*this);
    if (event.kind->event) {
        return *event.kind->event;
    }
    std::string& text = state_->name;
    text = format::is_message(record_->kind) ? "Message(" : "EventID(";
    append_decimal(text, event.header.id);
    text.push_back(')');
    return text;
}

std::optional<Guid> Event::related_activity() const {
    const Bytes bytes = Access::decoded(*this).items.related_activity;
    if (bytes.size() != sizeof(Guid)) {
        return std::nullopt;
    }
    Guid guid;
    std::ranges::copy(bytes, guid.bytes.begin());
    return guid;
}

std::string_view Event::computer() const {
    const decode::LogOrigin* const log = Access::decoded(*this).kind->log.get();
    return log != nullptr ? std::string_view(log->computer) : std::string_view();
}

std::optional<std::uint64_t> Event::record_id() const {
    return Access::decoded(*this).kind->log ? decode::record_id(header()) : std::nullopt;
}

std::string Event::user() const {
    std::string text;
    if (const Bytes sid = decode::user_sid(header()); !sid.empty()) {
        decode::append_display(text, {.bytes = sid, .form = decode::Form::sid});
    }
    return text;
}

std::string_view Event::problem() const {
    const decode::DecodedEvent& event = Access::decoded(*this);
    if (event.problem != nullptr) {
        return event.problem;
    }
    if (!is_decoded()) {
        return event.kind->problem;
    }
    const decode::FieldWalker& walker = Access::table(*this).walker();
    if (walker.failed()) {
        return walker.problem();
    }
    if (walker.is_short()) {
        return "the payload ends before the last field";
    }
    return walker.trailing().empty() ? std::string_view() : "bytes follow the last field";
}

std::string_view Event::assumption() const {
    std::string& text = state_->note;
    text.clear();
    decode::append_decode_note(text, Access::decoded(*this),
                               is_decoded() ? &Access::table(*this).walker() : nullptr);
    return text;
}

std::string Event::message() const {
    std::string text;
    state_->messages.append(text, Access::decoded(*this));
    return text;
}

std::string Event::json() const {
    State& state = *state_;
    if (!state.json) {
        const EventContext& context = state.context;
        state.json.emplace(
            sink::Options{.facts = context.shown_names ? context.facts : nullptr,
                          .frame_names = context.shown_names.value_or(facts::FrameNames()),
                          .origins = context.origins,
                          .show_origins = context.origins && context.origins->size() > 1});
    }
    std::string text;
    state.json->encode_object(Access::decoded(*this), Access::generation(*this), text);
    return text;
}

const facts::Notes& Access::notes(const Event& event) {
    Event::State& state = *event.state_;
    if (!state.has_notes) {
        state.notes = state.annotator.annotate(decoded(event), generation(event));
        state.has_notes = true;
    }
    return state.notes;
}

std::string_view Event::process() const {
    return Access::notes(*this).process;
}

std::span<const std::uint64_t> Event::stack() const {
    return Access::notes(*this).stack;
}

std::span<const std::string_view> Event::frames() const {
    return Access::notes(*this).frames;
}

} // namespace etl::inline view

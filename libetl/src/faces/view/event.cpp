#include "view/event.hpp"

#include "decode/decode_note.hpp"
#include "decode/message_text.hpp"
#include "facts/annotator.hpp"
#include "sink/json.hpp"

#include <algorithm>

namespace etl::inline view {

struct Event::Tools {
    Tools(schema::SchemasByTrace all_schemas, std::shared_ptr<const facts::FactsByTrace> all_facts,
          std::shared_ptr<const facts::Origins> all_origins, std::optional<facts::FrameNames> names,
          unsigned pointer_size)
        : facts(std::move(all_facts)), shown_names(std::move(names)),
          origins(std::move(all_origins)),
          decoder(std::move(all_schemas), {.pointer_size = pointer_size}),
          annotator(facts, shown_names.value_or(facts::FrameNames())) {}

    std::shared_ptr<const facts::FactsByTrace> facts;
    std::optional<facts::FrameNames> shown_names;  // none: facts are not shown
    std::shared_ptr<const facts::Origins> origins; // or null
    decode::Decoder decoder;
    decode::EventMessage messages;
    facts::Annotator annotator;
    std::uint32_t generations = 0;       // of decoders before this one
    facts::Notes notes;                  // of this event
    std::optional<sink::JsonLines> json; // once it was asked for
    std::string provider, name;          // where the kind has none
    std::string note;                    // of this event
};

Event::Event(schema::SchemasByTrace schemas, std::shared_ptr<const facts::FactsByTrace> facts,
             std::shared_ptr<const facts::Origins> origins,
             std::optional<facts::FrameNames> shown_names, unsigned pointer_size)
    : tools_(std::make_unique<Tools>(std::move(schemas), std::move(facts), std::move(origins),
                                     std::move(shown_names), pointer_size)),
      pointer_size_(pointer_size) {}

void Event::use_schemas(schema::SchemasByTrace schemas) {
    const std::uint32_t generations = generation() + 1;
    tools_ = std::make_unique<Tools>(std::move(schemas), tools_->facts, tools_->origins,
                                     tools_->shown_names, pointer_size_);
    tools_->generations = generations;
    table_ = {};
}

Event::~Event() = default;

void Event::decode() const {
    decoded_ = &tools_->decoder.decode(*event_);
}

std::uint32_t Event::generation() const noexcept {
    return tools_->generations + tools_->decoder.generation();
}

std::string_view Event::provider() const {
    const decode::DecodedEvent& event = decoded();
    if (event.kind->provider) {
        return *event.kind->provider;
    }
    std::string& text = tools_->provider;
    text.clear();
    append_guid(text, event.header.provider);
    return text;
}

std::string_view Event::name() const {
    const decode::DecodedEvent& event = decoded();
    if (event.kind->event) {
        return *event.kind->event;
    }
    std::string& text = tools_->name;
    text = format::is_message(event_->kind) ? "Message(" : "EventID(";
    append_decimal(text, event.header.id);
    text.push_back(')');
    return text;
}

std::optional<Guid> Event::related_activity() const {
    const Bytes bytes = decoded().items.related_activity;
    if (bytes.size() != sizeof(Guid)) {
        return std::nullopt;
    }
    Guid guid;
    std::ranges::copy(bytes, guid.bytes.begin());
    return guid;
}

std::string_view Event::computer() const {
    const decode::LogOrigin* const log = decoded().kind->log.get();
    return log != nullptr ? std::string_view(log->computer) : std::string_view();
}

std::optional<std::uint64_t> Event::record_id() const {
    return decoded().kind->log ? decode::record_id(header()) : std::nullopt;
}

std::string Event::user() const {
    std::string text;
    if (const Bytes sid = decode::user_sid(header()); !sid.empty()) {
        decode::append_display(text, {.bytes = sid, .form = decode::Form::sid});
    }
    return text;
}

std::string_view Event::problem() const {
    const decode::DecodedEvent& event = decoded();
    if (event.problem != nullptr) {
        return event.problem;
    }
    if (!is_decoded()) {
        return event.kind->problem;
    }
    const decode::FieldWalker& walker = table().walker();
    if (walker.failed()) {
        return walker.problem();
    }
    if (walker.is_short()) {
        return "the payload ends before the last field";
    }
    return walker.trailing().empty() ? std::string_view() : "bytes follow the last field";
}

std::string_view Event::assumption() const {
    std::string& text = tools_->note;
    text.clear();
    decode::append_decode_note(text, decoded(), is_decoded() ? &table().walker() : nullptr);
    return text;
}

std::string Event::message() const {
    std::string text;
    tools_->messages.append(text, decoded());
    return text;
}

std::string Event::json() const {
    if (!tools_->json) {
        tools_->json.emplace(
            sink::Options{.facts = tools_->shown_names ? tools_->facts : nullptr,
                          .frame_names = tools_->shown_names.value_or(facts::FrameNames()),
                          .origins = tools_->origins,
                          .show_origins = tools_->origins && tools_->origins->size() > 1});
    }
    std::string text;
    tools_->json->encode_object(decoded(), generation(), text);
    return text;
}

void Event::annotate() const {
    if (!has_notes_) {
        tools_->notes = tools_->annotator.annotate(decoded(), generation());
        has_notes_ = true;
    }
}

std::string_view Event::process() const {
    annotate();
    return tools_->notes.process;
}

std::span<const std::uint64_t> Event::stack() const {
    annotate();
    return tools_->notes.stack;
}

std::span<const std::string_view> Event::frames() const {
    annotate();
    return tools_->notes.frames;
}

} // namespace etl::inline view

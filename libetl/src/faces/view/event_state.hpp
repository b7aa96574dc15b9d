// What an event of the face hides. Private to view.
#pragma once

#include <etl/event.hpp>

#include "decode/decoder.hpp"
#include "decode/message_text.hpp"
#include "facts/annotator.hpp"
#include "facts/facts.hpp"
#include "facts/frame_names.hpp"
#include "facts/origins.hpp"
#include "flow/event.hpp"
#include "sink/json.hpp"
#include "view/field_table.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace etl::inline view {

/// What the events of a walk are decoded with.
struct EventContext {
    schema::SchemasByTrace schemas;
    std::shared_ptr<const facts::FactsByTrace> facts; // an entry for each trace, by its number
    std::shared_ptr<const facts::Origins> origins;    // or null
    std::optional<facts::FrameNames> shown_names;     // none: facts are for matching only
    unsigned pointer_size = 0;                        // as decode::DecoderOptions::pointer_size
    std::uint32_t generations = 0;                    // of decoders before this one
};

struct Event::State {
    explicit State(EventContext given);

    EventContext context;
    decode::Decoder decoder;
    decode::EventMessage messages;
    facts::Annotator annotator;
    std::optional<sink::JsonLines> json{}; // once it was asked for

    // Of the current event, computed on first use.
    const decode::DecodedEvent* decoded = nullptr;
    bool has_table = false;
    bool has_notes = false;
    FieldTable table{};
    facts::Notes notes{};
    std::string provider{}, name{}; // where the kind has none
    std::string note{};
};

} // namespace etl::inline view

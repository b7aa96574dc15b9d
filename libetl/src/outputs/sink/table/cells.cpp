#include "sink/table/cells.hpp"

#include "base/json_text.hpp"
#include "base/layout.hpp"
#include "base/text.hpp"
#include "decode/display_value.hpp"
#include "flow/event.hpp"
#include "format/records.hpp"
#include "sink/json_parts.hpp"

#include <algorithm>

namespace etl::sink {

namespace {

void number(std::string& cell, std::uint64_t value) {
    append_decimal(cell, value);
}

void id(std::string& cell, std::uint32_t value) {
    if (value != flow::no_id) {
        append_decimal(cell, value);
    }
}

void keywords(std::string& cell, const std::vector<std::string_view>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        cell.append(i == 0 ? "" : ";").append(names[i]);
    }
}

/// Keys of event logs, and the user.
void fill_log(std::string& cell, Key key, const decode::DecodedEvent& decoded) {
    const decode::LogOrigin* const log = decoded.kind->log.get();
    if (key == Key::user) {
        const Bytes sid = decode::user_sid(decoded.header);
        if (!sid.empty()) {
            decode::append_display(cell, {.bytes = sid, .form = decode::Form::sid});
        }
    } else if (log == nullptr) {
        return;
    } else if (key == Key::computer) {
        cell.append(log->computer);
    } else if (key == Key::qualifiers && log->qualifiers) {
        number(cell, *log->qualifiers);
    } else if (key == Key::record_id) {
        if (const auto record = decode::record_id(decoded.header)) {
            number(cell, *record);
        }
    }
}

void fill_names(std::string& cell, Key key, const decode::DecodedEvent& decoded) {
    const decode::EventKind& kind = *decoded.kind;
    const Bytes related = decoded.items.related_activity;
    if (key == Key::task_name) {
        cell.append(kind.task_name);
    } else if (key == Key::opcode_name) {
        cell.append(kind.opcode_name);
    } else if (key == Key::level_name) {
        cell.append(kind.level_name);
    } else if (key == Key::channel_name) {
        cell.append(kind.channel_name);
    } else if (key == Key::keywords) {
        keywords(cell, kind.keywords);
    } else if (key == Key::activity_id && !decoded.header.activity.is_zero()) {
        append_guid(cell, decoded.header.activity);
    } else if (key == Key::related_activity_id && !related.empty()) {
        append_guid(cell, load_le<Guid>(related.data()));
    } else if (key == Key::source) {
        cell.append(name(kind.decoded_by));
    } else if (key == Key::schema_from) {
        cell.append(kind.schema_from());
    }
}

void fill_rest_of_header(std::string& cell, Key key, const decode::DecodedEvent& decoded) {
    const flow::EventHeader& header = decoded.header;
    if (key == Key::event_property && header.property != 0) {
        number(cell, header.property);
    } else if (key == Key::hook_id && has_own_hook(header)) {
        number(cell, header.hook_id);
    } else if (key == Key::message_flags && format::is_message(decoded.event->kind)) {
        number(cell, message_flags(*decoded.event));
    } else if (key == Key::items && !header.items.empty() && !header.has_invalid_items) {
        TextAppender tail(cell);
        append_items(tail, header);
    } else if (key == Key::traits && has_traits(decoded)) {
        TextAppender tail(cell);
        append_traits(tail, decoded);
    } else if (key == Key::event_tags && event_tags(decoded) != 0) {
        number(cell, event_tags(decoded));
    } else if (key == Key::header_bytes && is_header_obscure(decoded.event->kind)) {
        append_hex_bytes(cell, header_bytes(decoded));
    }
}

void fill_raw(std::string& cell, Key key, const decode::DecodedEvent& decoded,
              const KindTexts& texts) {
    constexpr std::string_view before_fields = ",\"fields\":";
    const flow::Event& event = *decoded.event;
    const flow::EventHeader& header = decoded.header;
    if (key == Key::raw_time) {
        if (const auto stored = flow::stored_time(event)) {
            append_decimal(cell, *stored);
        }
    } else if (key == Key::header) {
        cell.append(format::name(event.kind));
    } else if (key == Key::buffer) {
        number(cell, event.buffer->number);
    } else if (key == Key::offset) {
        number(cell, event.offset());
    } else if (key == Key::flags) {
        number(cell, header.flags);
    } else if (key == Key::kernel_time && header.has_cpu_times) {
        number(cell, header.kernel_time);
    } else if (key == Key::user_time && header.has_cpu_times) {
        number(cell, header.user_time);
    } else if (key == Key::cpu_time && (header.flags & format::event_flag::private_session) != 0) {
        number(cell, header.cpu_time);
    } else if (key > Key::cpu_time && key < Key::fields) {
        fill_rest_of_header(cell, key, decoded);
    } else if (key == Key::fields && !texts.raw_fields.empty()) {
        cell.append(std::string_view(texts.raw_fields).substr(before_fields.size()));
    }
}

} // namespace

void HeaderCells::fill(std::string& cell, Key key, const decode::DecodedEvent& decoded,
                       const KindTexts& texts) {
    if (key == Key::wpp) {
        cell.append(texts.wpp);
    } else if (key < Key::task_name) {
        fill_head(cell, key, decoded);
    } else if (is_raw_key(key)) {
        fill_raw(cell, key, decoded, texts);
    } else if (decode::is_log_key(key) || key == Key::user) {
        fill_log(cell, key, decoded);
    } else {
        fill_names(cell, key, decoded);
    }
}

void HeaderCells::fill_head(std::string& cell, Key key, const decode::DecodedEvent& decoded) {
    const flow::EventHeader& header = decoded.header;
    if (key == Key::time) {
        if (const auto time = flow::wall_time(*decoded.event)) {
            TextAppender tail(cell);
            tail.reserve(TimeText::max);
            time_.put(tail, *time);
        }
    } else if (key == Key::cpu) {
        number(cell, decoded.event->buffer->processor);
    } else if (key == Key::pid) {
        id(cell, header.process_id);
    } else if (key == Key::tid) {
        id(cell, header.thread_id);
    } else if (key == Key::provider) {
        cell.append(decoded.kind->provider ? std::string_view(*decoded.kind->provider) : "");
    } else if (key == Key::provider_guid) {
        append_guid(cell, header.provider);
    } else if (key == Key::id) {
        number(cell, header.id);
    } else if (key == Key::version) {
        number(cell, header.version);
    } else if (key == Key::channel) {
        number(cell, header.channel);
    } else if (key == Key::level) {
        number(cell, header.level);
    } else if (key == Key::opcode) {
        number(cell, header.opcode);
    } else if (key == Key::task) {
        number(cell, header.task);
    } else if (key == Key::keyword) {
        append_hex(cell, header.keyword);
    } else if (key == Key::event) {
        cell.append(decoded.kind->event ? std::string_view(*decoded.kind->event) : "");
    }
}

using decode::Step;

namespace {

/// A JSON value without the quotes of a text; null is nothing.
void append_plain(std::string& cell, std::string_view json) {
    if (json.size() >= 2 && json.front() == '"') {
        append_json_unescaped(cell, json.substr(1, json.size() - 2));
    } else if (json != "null") {
        cell.append(json);
    }
}

} // namespace

FieldSlots::FieldSlots(const schema::EventSchema& schema,
                       const std::vector<std::string_view>& paths) {
    if (paths.empty()) {
        return;
    }
    for (const std::string& path : schema::field_paths(schema)) {
        const auto found = std::ranges::find(paths, path);
        slots_.push_back(found == paths.end() ? none
                                              : static_cast<std::uint32_t>(found - paths.begin()));
    }
    if (std::ranges::all_of(slots_, [](std::uint32_t slot) { return slot == none; })) {
        slots_.clear();
    }
}

void FieldCells::clear(std::size_t cells) {
    cells_.resize(cells);
    for (std::string& cell : cells_) {
        cell.clear();
    }
}

bool FieldCells::is_captured(std::uint32_t field) const noexcept {
    return std::ranges::find(captures_, field, &Capture::field) != captures_.end();
}

void FieldCells::read(const decode::DecodedEvent& event, const KindTexts& texts,
                      const FieldSlots& slots, std::size_t cells) {
    clear(cells);
    captures_.clear();
    lists_.clear();
    arrays_ = 0;
    walker_.start(event.kind->plan, event.body);
    for (Step step = walker_.next(); step != Step::end; step = walker_.next()) {
        if (slots.empty()) {
            continue; // what contradicts the schema is found all the same
        }
        go_on(step, texts);
        const std::uint32_t slot = slots.of(walker_.field());
        if (begins(step) && slot != FieldSlots::none && !is_captured(walker_.field())) {
            begin(step, slot);
        }
        arrays_ += step == Step::array_begin ? 1U : 0U;
        arrays_ -= step == Step::array_end ? 1U : 0U;
    }
    for (const std::uint32_t list : lists_) {
        cells_[list].push_back(']');
    }
}

void FieldCells::begin(Step step, std::uint32_t number) {
    std::string& cell = cells_[number];
    if (arrays_ > 0) {
        if (cell.empty()) {
            lists_.push_back(number);
        }
        cell.push_back(cell.empty() ? '[' : ',');
    }
    if (step != Step::value) {
        cell.push_back(step == Step::array_begin ? '[' : '{');
        captures_.push_back({number, walker_.field(), {}});
        captures_.back().open.begin(step == Step::array_begin);
        return;
    }
    value_.clear();
    {
        TextAppender tail(value_);
        decode::append_json_value(tail, walker_.value(), values_);
    }
    if (arrays_ > 0) {
        cell.append(value_);
    } else {
        append_plain(cell, value_);
    }
}

void FieldCells::go_on(Step step, const KindTexts& texts) {
    for (Capture& capture : captures_) {
        TextAppender tail(cells_[capture.cell]);
        append_step(tail, step, walker_, capture.open, texts, values_);
    }
    std::erase_if(captures_, [](const Capture& capture) { return capture.open.depth == 0; });
}

} // namespace etl::sink

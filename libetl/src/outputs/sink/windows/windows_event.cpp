#include "sink/windows_event.hpp"

#include "base/layout.hpp"
#include "flow/event.hpp"
#include "format/kernel_group.hpp"
#include "format/records.hpp"
#include "schema/winmeta.hpp"

namespace etl::sink {

namespace {

using decode::DecodedBy;
using decode::DecodedEvent;
using decode::RawReason;
using format::ItemType;

bool is_classic(const DecodedEvent& decoded) noexcept {
    return (decoded.header.flags & format::event_flag::classic_header) != 0;
}

bool is_kernel(const DecodedEvent& decoded) noexcept {
    return decoded.header.is_kernel ||
           (decoded.kind->provider && *decoded.kind->provider == format::system_trace_name);
}

/// Classic events name their class, not their provider, unless an item says which control GUID
/// they were logged under.
std::optional<Guid> provider_guid(const DecodedEvent& decoded) noexcept {
    if (is_classic(decoded)) {
        return is_kernel(decoded) ? std::optional(kernel_trace_provider)
               : decoded.items.control_guid.empty()
                   ? std::nullopt
                   : std::optional(load_le<Guid>(decoded.items.control_guid.data()));
    }
    return decoded.header.provider.is_zero() ? std::nullopt
                                             : std::optional(decoded.header.provider);
}

void take_items(const DecodedEvent& decoded, WindowsSystem& system) noexcept {
    if (!decoded.items.has_others) [[likely]] {
        return;
    }
    system.user_sid = decode::user_sid(decoded.header);
    const Bytes session = flow::find_item(decoded.header, ItemType::terminal_session_id).data;
    if (session.size() == 4) {
        system.session_id = load_le<std::uint32_t>(session.data());
    }
    if (decoded.kind->log) {
        system.record_id = decode::record_id(decoded.header);
    }
}

void take_times(const DecodedEvent& decoded, WindowsSystem& system) noexcept {
    const flow::EventHeader& header = decoded.header;
    system.raw_time = flow::stored_time(*decoded.event).value_or(decoded.event->raw_time);
    system.time = flow::wall_time(*decoded.event);
    if (header.has_cpu_times) {
        system.kernel_time = header.kernel_time;
        system.user_time = header.user_time;
    } else if ((header.flags & format::event_flag::private_session) != 0) {
        system.processor_time = header.cpu_time;
    }
}

WindowsSystem system_of(const DecodedEvent& decoded, std::string_view computer) noexcept {
    const flow::EventHeader& header = decoded.header;
    WindowsSystem system;
    if (!is_classic(decoded) && decoded.kind->provider) {
        system.provider = *decoded.kind->provider;
    }
    system.provider_guid = provider_guid(decoded);
    system.id = header.id;
    system.version = header.version;
    system.level = header.level;
    system.task = header.task;
    system.opcode = header.opcode;
    system.keywords = header.keyword;
    take_times(decoded, system);
    system.activity = header.activity;
    if (const Bytes related = decoded.items.related_activity; !related.empty()) [[unlikely]] {
        system.related_activity = load_le<Guid>(related.data());
    }
    system.process_id = header.process_id;
    system.thread_id = header.thread_id;
    system.processor = decoded.event->buffer->processor;
    system.channel = decoded.kind->channel_name;
    system.computer = computer;
    if (const decode::LogOrigin* const log = decoded.kind->log.get(); log != nullptr) [[unlikely]] {
        system.event_source = log->event_source;
        system.qualifiers = log->qualifiers;
        system.computer = computer.empty() ? log->computer : computer;
    }
    take_items(decoded, system);
    return system;
}

std::string_view name_of_self_described(const DecodedEvent& decoded) noexcept {
    const decode::EventKind& kind = *decoded.kind;
    return kind.is_self_describing() && !kind.log && kind.event ? std::string_view(*kind.event)
                                                                : std::string_view();
}

PayloadForm form_of(const DecodedEvent& decoded) noexcept {
    const decode::EventKind& kind = *decoded.kind;
    if (kind.schema == nullptr) {
        return kind.raw_reason == RawReason::invalid_metadata ? PayloadForm::processing_error
               : decoded.header.payload.empty()               ? PayloadForm::none
                                                              : PayloadForm::binary_event_data;
    }
    if (kind.log) [[unlikely]] {
        return kind.log->payload == format::LogPayload::none ? PayloadForm::none
                                                             : PayloadForm::elements;
    }
    if (kind.decoded_by == DecodedBy::wpp) {
        return PayloadForm::debug_data;
    }
    if (kind.decoded_by == DecodedBy::string) {
        return PayloadForm::string;
    }
    if (!kind.schema->user_data.empty()) {
        return PayloadForm::user_data;
    }
    if (!kind.schema->fields.empty()) {
        return PayloadForm::event_data;
    }
    // Bytes that the schema does not mention must not get lost, nor the name of a self-describing
    // event.
    if (decoded.header.payload.empty() && !name_of_self_described(decoded).empty()) {
        return PayloadForm::event_data;
    }
    return decoded.header.payload.empty() ? PayloadForm::none : PayloadForm::binary_event_data;
}

/// `Process` and `Start` of `Process/Start`.
std::pair<std::string_view, std::string_view> class_and_type(std::string_view event) noexcept {
    const std::size_t slash = std::min(event.find('/'), event.size());
    return {event.substr(0, slash), event.substr(std::min(slash + 1, event.size()))};
}

std::optional<WindowsTracing> tracing_of(const DecodedEvent& decoded) noexcept {
    if (!is_classic(decoded)) {
        return std::nullopt;
    }
    return WindowsTracing{.event_guid = decoded.header.provider,
                          .instance_id = decoded.header.instance_id,
                          .parent_instance_id = decoded.header.parent_instance_id};
}

} // namespace

std::string_view WindowsEvent::self_described_name() const noexcept {
    return name_of_self_described(*decoded);
}

WindowsRendering WindowsEvent::rendering() const noexcept {
    const decode::EventKind& kind = *decoded->kind;
    WindowsRendering names{.level = kind.level_name,
                           .opcode = kind.opcode_name,
                           .task = kind.task_name,
                           .provider = kind.provider ? std::string_view(*kind.provider) : "",
                           .channel = kind.channel_name,
                           .keywords = kind.keywords,
                           .event_name = {}};
    const std::string_view event = kind.event ? std::string_view(*kind.event) : "";
    if (is_classic(*decoded)) {
        const auto [class_name, type] = class_and_type(event);
        names.event_name = class_name;
        names.task = {};
        names.level = {};
        if (names.opcode.empty() && kind.schema != nullptr) {
            names.opcode = type;
        }
    } else if (!format::is_message(decoded->event->kind)) {
        if (names.level.empty() && decoded->header.level != 0) {
            names.level = schema::winmeta::level_name(decoded->header.level);
        }
        if (names.opcode.empty()) {
            names.opcode = schema::winmeta::opcode_name(decoded->header.opcode);
        }
        if (const std::string_view name = self_described_name(); !name.empty()) {
            names.task = name;
        }
    }
    return names;
}

ProcessingError WindowsEvent::processing_error() const noexcept {
    return {.code = ProcessingError::no_metadata, .item = {}, .payload = payload};
}

const WindowsEvent& WindowsEvents::of(const DecodedEvent& decoded) {
    event_.system = system_of(decoded, options_.computer);
    event_.form = form_of(decoded);
    event_.payload = decoded.header.payload;
    event_.user_data = decoded.kind->schema != nullptr
                           ? std::string_view(decoded.kind->schema->user_data)
                           : std::string_view();
    event_.tracing = tracing_of(decoded);
    event_.decoded = &decoded;
    return event_;
}

void WindowsData::start(const WindowsEvent& event) noexcept {
    event_ = &event;
    fields_ = event.decoded->kind->schema->fields.data();
    walker_.start(event.decoded->kind->plan, event.decoded->body);
}

decode::Step WindowsData::step(WindowsDatum& datum) noexcept {
    using decode::Step;
    for (;;) {
        const Step step = walker_.next();
        const bool is_hidden = step == Step::value && walker_.planned().hidden;
        if (!is_hidden && step != Step::array_begin && step != Step::array_end) {
            datum.field = walker_.field();
            datum.name = step == Step::end ? std::string_view() : fields_[walker_.field()].name;
            datum.value = step == Step::value ? walker_.value() : decode::Value{};
            return step;
        }
    }
}

std::optional<ProcessingError> WindowsData::error() const noexcept {
    const bool is_too_short = walker_.is_short() && short_payloads_ == ShortPayloads::errors;
    if (!walker_.failed() && !is_too_short && event_->decoded->problem == nullptr) [[likely]] {
        return std::nullopt;
    }
    const std::size_t field = walker_.failed() ? walker_.failed_field() : walker_.field();
    return ProcessingError{.item = event_->decoded->kind->schema->fields.empty()
                                       ? std::string_view()
                                       : std::string_view(fields_[field].name),
                           .payload = event_->payload};
}

} // namespace etl::sink

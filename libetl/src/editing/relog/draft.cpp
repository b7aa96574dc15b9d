
#include <etl/relog.hpp>

#include "base/limits.hpp"
#include "flow/event.hpp"
#include "format/encode.hpp"
#include "format/set_field.hpp"

#include <cassert>
#include <memory>
#include <utility>

namespace etl::relog {

using format::FieldPresence;
using format::RecordKind;

namespace {

constexpr flow::Event nothing;

} // namespace

struct Draft::State {
    std::vector<std::byte> record;
    std::vector<std::byte> changed; // the next record under construction
    flow::BufferContext buffer;
    flow::Event event;

    MutableBytes bytes() noexcept { return record; }

    /// After the record was changed.
    void refresh() noexcept {
        buffer.bytes = record;
        event.record = record.data();
        event.size = static_cast<std::uint32_t>(record.size());
        event.buffer = &buffer;
    }

    void take_changed() noexcept {
        record.swap(changed);
        changed.clear();
        refresh();
    }

    format::Instances instances() const noexcept { return flow::instances_of(event.trace()); }

    void make(format::RecordFamily family, const flow::Event& like) {
        const flow::EventHeader from = flow::read_header(like);
        flow::EventHeader header;
        header.process_id = from.process_id;
        header.thread_id = from.thread_id;
        const bool is_narrow = like.trace().header.pointer_size == 4;
        ByteWriter to;
        [[maybe_unused]] const auto encoded = format::encode(
            is_narrow ? format::narrow(family) : format::wide(family), header, like.raw_time, to);
        assert(encoded); // a record without payload fits
        record = to.take();
        buffer = *like.buffer;
        event = {.raw_time = like.raw_time, .kind = format::record_at(record).kind};
        refresh();
    }
};

Draft::Draft() noexcept = default;

Draft::Draft(const flow::Event& event) : Draft() {
    assign(event);
}

Draft::Draft(Form form, const flow::Event& like) : state_(std::make_unique<State>()) {
    switch (form) {
    case Form::event:
        state_->make(format::RecordFamily::event, like);
        break;
    case Form::classic:
        state_->make(format::RecordFamily::full, like);
        break;
    }
}

Draft::Draft(Draft&&) noexcept = default;
Draft& Draft::operator=(Draft&&) noexcept = default;
Draft::~Draft() = default;

void Draft::assign(const flow::Event& event) {
    if (!state_) {
        state_ = std::make_unique<State>();
    }
    const Bytes bytes = event.bytes();
    state_->record.assign(bytes.begin(), bytes.end());
    state_->buffer = *event.buffer;
    state_->event = event;
    state_->refresh();
}

FieldPresence Draft::set_time(Filetime time) noexcept {
    if (event().kind == RecordKind::none) {
        return FieldPresence::absent;
    }
    return set_raw_time(state_->event.trace().clock.to_raw(time));
}

FieldPresence Draft::set_raw_time(std::int64_t raw) noexcept {
    if (!state_) {
        return FieldPresence::absent;
    }
    const FieldPresence place = format::set_time(state_->event.kind, state_->bytes(), raw);
    if (place == FieldPresence::present) {
        state_->event.raw_time = raw;
    }
    return place;
}

FieldPresence Draft::set_process_id(std::uint32_t id) noexcept {
    return state_ ? format::set_process_id(state_->event.kind, state_->bytes(), id)
                  : FieldPresence::absent;
}

FieldPresence Draft::set_thread_id(std::uint32_t id) noexcept {
    return state_ ? format::set_thread_id(state_->event.kind, state_->bytes(), id)
                  : FieldPresence::absent;
}

FieldPresence Draft::set_cpu_times(std::uint32_t kernel, std::uint32_t user) noexcept {
    return state_ ? format::set_cpu_times(state_->event.kind, state_->bytes(), kernel, user)
                  : FieldPresence::absent;
}

FieldPresence Draft::set_provider(const Guid& guid) noexcept {
    if (event().kind == RecordKind::none) {
        return FieldPresence::absent;
    }
    return format::set_provider(state_->event.kind, state_->bytes(), guid, state_->instances());
}

FieldPresence Draft::set_activity(const Guid& guid) noexcept {
    return state_ ? format::set_activity(state_->event.kind, state_->bytes(), guid)
                  : FieldPresence::absent;
}

FieldPresence Draft::set_descriptor(const format::EventDescriptor& descriptor) noexcept {
    return state_ ? format::set_descriptor(state_->event.kind, state_->bytes(), descriptor)
                  : FieldPresence::absent;
}

void Draft::set_trace(const flow::TraceInfo& trace) noexcept {
    if (state_) {
        state_->buffer.trace = &trace;
    }
}

Result<void> Draft::set_processor(std::uint16_t processor) noexcept {
    if (processor >= etl::limits::processors) {
        return fail(ErrorCode::limit, "processor number", {}, etl::limits::processors - 1,
                    processor);
    }
    if (state_) {
        state_->buffer.processor = processor;
    }
    return {};
}

Result<void> Draft::set_payload(Bytes payload) {
    if (event().kind == RecordKind::none) {
        return fail(ErrorCode::unsupported, "payload without an event");
    }
    auto made = format::with_payload(state_->event.kind, state_->record, payload, state_->changed,
                                     state_->instances());
    if (made) {
        state_->take_changed();
    }
    return made;
}

Result<void> Draft::set_items(std::span<const format::ExtendedItem> items) {
    if (!state_) {
        return fail(ErrorCode::unsupported, "extended data items without an event");
    }
    auto made = format::with_items(state_->event.kind, state_->record, items, state_->changed);
    if (made) {
        state_->take_changed();
    }
    return made;
}

MutableBytes Draft::payload() noexcept {
    if (event().kind == RecordKind::none) {
        return {};
    }
    return state_->bytes().subspan(
        format::payload_offset(state_->event.kind, state_->record, state_->instances()));
}

MutableBytes Draft::record() noexcept {
    return state_ ? state_->bytes() : MutableBytes{};
}

const flow::Event& Draft::event() const noexcept {
    return state_ ? state_->event : nothing;
}

} // namespace etl::relog

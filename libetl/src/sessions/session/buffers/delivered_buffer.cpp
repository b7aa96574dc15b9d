#include "session/buffers/delivered_buffer.hpp"

#include <etl/byte_writer.hpp>

#include "base/text.hpp"
#include "flow/event.hpp"
#include "format/buffer_header.hpp"
#include "format/encode.hpp"
#include "format/kernel_group.hpp"
#include "format/known_guids.hpp"
#include "format/record_kind.hpp"

#include <new>

namespace etl::session {

namespace {

namespace head = format::buffer_header;

constexpr std::uint8_t rt_lost_event = 32, rt_lost_buffer = 33, rt_lost_file = 34;

constexpr std::int64_t no_time = std::numeric_limits<std::int64_t>::min();

flow::BufferContext context_of(const DeliveredBuffer& buffer, const flow::TraceInfo& trace) {
    return {.trace = &trace,
            .bytes = buffer.bytes(),
            .where = {},
            .number = buffer.number,
            .sequence = buffer.sequence,
            .processor = buffer.stripe,
            .logger_id = buffer.logger_id,
            .flags = format::buffer_flag::processor_index};
}

/// A buffer of records that we make up.
std::shared_ptr<OpenBuffer> made_buffer(const ByteWriter& records, const flow::TraceInfo& trace,
                                        format::BufferType type) {
    auto buffer = std::make_shared<DeliveredBuffer>();
    const Bytes bytes = records.view();
    buffer->used = static_cast<std::uint32_t>(bytes.size());
    buffer->memory = std::make_unique_for_overwrite<std::byte[]>(bytes.size());
    buffer->logger_id = trace.logger_id;
    buffer->closed_at = std::numeric_limits<std::int64_t>::max();
    std::ranges::copy(bytes, buffer->memory.get());
    format::encode(format::BufferHeader{.buffer_size = trace.header.buffer_size,
                                        .used = buffer->used,
                                        .logger_id = trace.logger_id,
                                        .type = type},
                   std::span(buffer->memory.get(), bytes.size()).first<head::size>());
    return open_buffer(std::move(buffer), trace, no_time);
}

void give_unstamped_a_time(std::vector<flow::Event>& events, std::size_t unstamped,
                           std::int64_t before) {
    std::int64_t time = before;
    if (unstamped < events.size()) {
        // Never later than what follows: the events of a buffer are in order.
        const std::int64_t next = events[unstamped].raw_time;
        time = before == no_time ? next : std::min(before, next);
    }
    for (std::size_t i = 0; i < unstamped; ++i) {
        events[i].raw_time = time;
    }
}

} // namespace

SharedBuffer copy_buffer(const ClosedBuffer& closed, const Delivery& delivery) {
    std::shared_ptr<DeliveredBuffer> buffer;
    try {
        buffer = std::make_shared<DeliveredBuffer>();
        buffer->memory = std::make_unique_for_overwrite<std::byte[]>(closed.used);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
    buffer->used = closed.used;
    buffer->stripe = closed.processor;
    buffer->logger_id = delivery.logger_id;
    buffer->number = delivery.number;
    buffer->sequence = delivery.sequence;
    buffer->closed_at = closed.closed_at;
    const std::span<std::byte> to(buffer->memory.get(), closed.used);
    const Bytes from(closed.memory, closed.used);
    std::ranges::copy(from.subspan(head::size), to.subspan(head::size).begin());
    format::encode(format::BufferHeader{.buffer_size = delivery.buffer_size,
                                        .used = closed.used,
                                        .time_stamp = closed.closed_at,
                                        .sequence_number = delivery.sequence,
                                        .processor = closed.processor,
                                        .logger_id = delivery.logger_id},
                   to.first<head::size>());
    return buffer;
}

std::shared_ptr<OpenBuffer> open_buffer(SharedBuffer buffer, const flow::TraceInfo& trace,
                                        std::int64_t before) {
    auto open = std::make_shared<OpenBuffer>();
    open->buffer = std::move(buffer);
    open->context = context_of(*open->buffer, trace);
    std::vector<flow::Event>& events = open->events;
    Bytes rest = clamped(open->context.bytes, head::size);
    const flow::UsableTimes usable(trace, open->buffer->closed_at);
    std::int64_t last = no_time;
    std::size_t unstamped = 0;
    bool is_ordered = true;
    while (!rest.empty()) {
        const format::RecordShape shape = format::record_at(rest);
        if (shape.kind == format::RecordKind::none) {
            break;
        }
        if (shape.kind.family != format::RecordFamily::error) {
            const bool has_time = shape.has_time && usable.contain(shape.time);
            is_ordered = is_ordered && (!has_time || shape.time >= last);
            last = has_time ? shape.time : last;
            events.push_back({rest.data(), last, &open->context, shape.size, shape.kind, has_time});
            unstamped += last == no_time && !has_time ? 1U : 0U;
        }
        rest = clamped(rest, format::padded(shape.size));
    }
    give_unstamped_a_time(events, unstamped, before);
    if (!is_ordered) {
        std::ranges::sort(events, [](const flow::Event& a, const flow::Event& b) {
            return a.raw_time != b.raw_time ? a.raw_time < b.raw_time : a.record < b.record;
        });
    }
    return open;
}

std::shared_ptr<OpenBuffer> make_header(const flow::TraceInfo& trace, Bytes extras) {
    const auto payload = format::encode_logfile_header(trace.header, trace.header_pointer_size);
    ByteWriter buffer;
    buffer.fill(head::size);
    // What is too long for a record cannot be: names have at most 1024 units.
    [[maybe_unused]] const auto encoded = format::encode(
        format::SystemRecord{.width = trace.header_pointer_size == 4 ? format::Width::bits32
                                                                     : format::Width::bits64,
                             .version = 2,
                             .hook_id = format::logfile_header_hook,
                             .process_id = trace.process_id,
                             .thread_id = trace.thread_id,
                             .time = trace.reference_time,
                             .kernel_time = trace.kernel_time,
                             .user_time = trace.user_time,
                             .payload = payload},
        buffer);
    buffer.align(8).bytes(extras);
    return made_buffer(buffer, trace, format::BufferType::header);
}

std::shared_ptr<OpenBuffer> make_notice(const flow::TraceInfo& trace, const Losses& losses,
                                        std::int64_t time) {
    ByteWriter buffer;
    buffer.fill(head::size);
    const auto tell = [&](bool is_lost, std::uint8_t type) {
        if (is_lost) {
            [[maybe_unused]] const auto encoded =
                format::encode(format::FullRecord{.opcode = type,
                                                  .process_id = trace.process_id,
                                                  .thread_id = trace.thread_id,
                                                  .time = time,
                                                  .event_class = format::lost_event_guid},
                               buffer);
        }
    };
    tell(losses.events, rt_lost_event);
    tell(losses.buffers, rt_lost_buffer);
    tell(losses.backlog, rt_lost_file);
    return made_buffer(buffer, trace, format::BufferType::generic);
}

flow::TraceInfo trace_info_of(const trace::Recording& recording, std::uint32_t buffer_size) {
    flow::TraceInfo info;
    ByteWriter name;
    name.text16(recording.header.session_name);
    append_utf16le(info.name, name.view());
    info.has_header = true;
    info.header = recording.header;
    info.header.buffer_size = buffer_size;
    info.header.number_of_processors = std::max(1U, info.header.number_of_processors);
    info.header_pointer_size = recording.header_pointer_size;
    info.reference_time = recording.reference_time;
    info.process_id = recording.process_id;
    info.thread_id = recording.thread_id;
    info.kernel_time = recording.kernel_time;
    info.user_time = recording.user_time;
    info.logger_id = recording.logger_id;
    info.clock = flow::Clock(info.header, info.reference_time);
    info.processors = info.header.number_of_processors;
    info.is_unfinalized = true;
    return info;
}

} // namespace etl::session

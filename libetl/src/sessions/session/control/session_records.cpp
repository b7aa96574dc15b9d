#include "session/control/session_records.hpp"

#include <etl/provider.hpp>

#include "base/text.hpp"
#include "format/encode.hpp"
#include "format/known_guids.hpp"
#include "format/records.hpp"
#include "host/process.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

namespace etl::session {

namespace {

// schemas/providers/Microsoft-Windows-Kernel-EventTracing.txt
constexpr format::EventDescriptor provider_enabled{
    .id = 14, .version = 1, .level = 5, .opcode = 18, .task = 3, .keyword = 0x420};

/// Nothing: the session has no file, now or in the end.
std::optional<SessionOptions> options_with_file(const Runtime::State& state,
                                                const SessionRef& session) {
    const std::lock_guard lock(state.mutex);
    const SessionOptions& options = session.core->options;
    const bool has_file = !options.file.empty() || (options.mode & mode::buffering) != 0;
    return has_file ? std::optional(options) : std::nullopt; // one that has ended takes no record
}

/// In a file of one buffer, the record would be the content, and a flush of it would begin the next
/// file, without end.
bool holds_several_buffers(const SessionOptions& options) noexcept {
    constexpr std::uint64_t several = 4, kilobytes_per_megabyte = 1024;
    const bool in_kilobytes = (options.mode & mode::use_kbytes_for_size) != 0;
    const std::uint64_t limit =
        std::uint64_t{options.maximum_file_size} * (in_kilobytes ? 1 : kilobytes_per_megabyte);
    return limit == 0 || limit >= several * options.buffer_kb;
}

/// Into the buffer of the first processor, which keeps their order.
void put(const SessionRef& session, format::EventRecord record) {
    record.flags |= format::event_flag::no_cpu_time;
    if ((session.core->mode.load(std::memory_order_relaxed) & mode::private_logger) != 0) {
        record.flags |= format::event_flag::private_session;
    }
    record.process_id = host::process_id();
    record.thread_id = host::thread_id();
    ByteWriter image;
    if (!format::encode(record, image)) {
        return;
    }
    const Bytes bytes = image.view();
    Buffers& buffers = session.core->buffers;
    const auto place =
        buffers.reserve_at(session.ticket, 0, static_cast<std::uint32_t>(bytes.size()));
    if (!place) {
        return;
    }
    constexpr std::size_t first = sizeof(std::uint32_t);
    std::memcpy(place->at + first, bytes.data() + first, bytes.size() - first);
    store_le(place->at + format::event_record::time_stamp.offset, place->time);
    buffers.commit(*place, load_le<std::uint32_t>(bytes.data()));
}

void put_enablement(const SessionRef& session, const std::string& session_name,
                    const SessionState::Provider& provider) {
    ByteWriter payload;
    payload.guid(provider.guid)
        .zero_terminated16(to_utf16(session_name))
        .u64(provider.match_any)
        .u64(provider.match_all)
        .u32(provider.property)
        .u8(provider.level);
    put(session, {.provider = format::kernel_event_tracing_guid,
                  .descriptor = provider_enabled,
                  .payload = payload.view()});
}

} // namespace

void record_enablements(const Runtime::State& state, const SessionRef& session,
                        const std::optional<Guid>& only) {
    const auto options = options_with_file(state, session);
    if (!options) {
        return;
    }
    for (const SessionState::Provider& provider : state.registrations.enabled_by(session)) {
        if (!only || provider.guid == *only) {
            put_enablement(session, options->name, provider);
        }
    }
}

void record_all_enablements(const Runtime::State& state, const SessionRef& session) {
    const auto options = options_with_file(state, session);
    if (options && holds_several_buffers(*options)) {
        record_enablements(state, session);
    }
}

void record_take_over(const Runtime::State& state, const TakeOver& what, const std::string& other) {
    static const provider::Provider sessions("LibEtl.Sessions");
    const auto options = options_with_file(state, what.session);
    if (!options) {
        return;
    }
    constexpr std::uint8_t warning = 3;
    provider::SelfDescribingEvent event(
        sessions, what.has_returned ? "ProviderReturned" : "ProviderTakenOver", {.level = warning});
    event.add("Provider", what.provider)
        .add("SessionName", options->name)
        .add("OtherSession", other)
        .add("IsForOneUser", what.is_for_one_user);
    put(what.session, event.record({}));
}

} // namespace etl::session

#include "machine/records/enablement_events.hpp"

#include <etl/base/text.hpp>
#include <etl/format/encode.hpp>
#include <etl/format/known_guids.hpp>
#include <etl/format/records.hpp>
#include <etl/host/process.hpp>

#include "session/control/runtime_state.hpp"
#include "session/writing/event_writer.hpp"

namespace etl::machine {

namespace {

// schemas/providers/Microsoft-Windows-Kernel-EventTracing.txt
constexpr format::EventDescriptor provider_enabled{
    .id = 14, .version = 1, .level = 5, .opcode = 18, .task = 3, .keyword = 0x420};

void record(const session::SessionRef& to, const std::string& session_name,
            const session::SessionState::Provider& provider) {
    ByteWriter payload;
    payload.guid(provider.guid)
        .zero_terminated16(to_utf16(session_name))
        .u64(provider.match_any)
        .u64(provider.match_all)
        .u32(provider.property)
        .u8(provider.level);
    ByteWriter image;
    const auto encoded =
        format::encode(format::EventRecord{.flags = format::event_flag::no_cpu_time,
                                           .process_id = host::process_id(),
                                           .thread_id = host::thread_id(),
                                           .provider = format::kernel_event_tracing_guid,
                                           .descriptor = provider_enabled,
                                           .payload = payload.view()},
                       image);
    if (encoded) {
        static_cast<void>(session::write_record(
            *to.core, to.ticket, image.view(),
            static_cast<std::uint32_t>(format::event_record::time_stamp.offset),
            std::uint16_t{0})); // one processor keeps their order
    }
}

/// Now, or in the end.
bool has_file(const session::SessionOptions& options) noexcept {
    return !options.file.empty() || (options.mode & session::mode::buffering) != 0;
}

/// In a file of one buffer, the record would be the content, and a flush of it would begin the next
/// file, without end.
bool holds_several_buffers(const session::SessionOptions& options) noexcept {
    constexpr std::uint64_t several = 4, kilobytes_per_megabyte = 1024;
    const bool in_kilobytes = (options.mode & session::mode::use_kbytes_for_size) != 0;
    const std::uint64_t limit =
        std::uint64_t{options.maximum_file_size} * (in_kilobytes ? 1 : kilobytes_per_megabyte);
    return limit == 0 || limit >= several * options.buffer_kb;
}

} // namespace

void record_enablements(session::Runtime& runtime, const session::Session& session,
                        const std::optional<Guid>& only) {
    const auto state = session.query();
    const session::SessionRef to =
        state ? runtime.state().running(session.handle()) : session::SessionRef{};
    if (to.core == nullptr || !has_file(state->options)) {
        return;
    }
    for (const session::SessionState::Provider& provider : state->providers) {
        if (!only || provider.guid == *only) {
            record(to, state->options.name, provider);
        }
    }
}

void BegunFiles::add(std::uint16_t session) {
    const std::lock_guard lock(mutex_);
    begun_.insert(session);
}

std::optional<std::uint16_t> BegunFiles::next() {
    const std::lock_guard lock(mutex_);
    return begun_.empty() ? std::nullopt : std::optional(begun_.extract(begun_.begin()).value());
}

void BegunFiles::record_all(session::Runtime& runtime) {
    const std::lock_guard lock(recording_);
    while (const auto id = next()) {
        const auto session = runtime.find(std::uint64_t{*id});
        if (session) {
            const auto state = session->query();
            if (state && holds_several_buffers(state->options)) {
                record_enablements(runtime, *session);
            }
        }
    }
}

} // namespace etl::machine

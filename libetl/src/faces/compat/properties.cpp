#include "compat/properties.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace etl::compat {

using session::Outcome;
using session::refuse;
using session::Status;

namespace {

std::uint32_t saturated(std::uint64_t count) noexcept {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(count, std::numeric_limits<std::uint32_t>::max()));
}

} // namespace

Outcome<Properties> Properties::of(EVENT_TRACE_PROPERTIES& properties, Form form) {
    const std::size_t size = properties.Wnode.BufferSize;
    const std::size_t fixed = (properties.Wnode.Flags & WNODE_FLAG_VERSIONED_PROPERTIES) != 0
                                  ? sizeof(EVENT_TRACE_PROPERTIES_V2)
                                  : sizeof(EVENT_TRACE_PROPERTIES);
    if (size < fixed) {
        return refuse(Status::bad_length, "Wnode.BufferSize is smaller than the structure");
    }
    for (const std::size_t offset : {properties.LogFileNameOffset, properties.LoggerNameOffset}) {
        if (offset != 0 && (offset < fixed || offset >= size)) {
            return refuse(Status::invalid_parameter, "name outside of the buffer");
        }
    }
    return Properties(properties, fixed, form);
}

std::byte* Properties::at(std::size_t offset) const noexcept {
    // What a caller passes begins with the structure and goes on as Wnode.BufferSize says.
    return reinterpret_cast<std::byte*>(properties_) + // NOLINT(*-pro-type-reinterpret-cast)
           offset;
}

Outcome<std::string> Properties::file() const {
    const std::size_t offset = properties_->LogFileNameOffset;
    if (offset == 0) {
        return std::string();
    }
    auto text = text_at(at(offset), properties_->Wnode.BufferSize - offset, form_);
    if (!text) {
        return refuse(Status::bad_length, "log file name without a terminator");
    }
    return std::move(*text);
}

Outcome<void> Properties::check_room(std::string_view session_name) const {
    if (const auto name = file(); !name) {
        return std::unexpected(name.error());
    }
    const std::size_t offset =
        properties_->LoggerNameOffset != 0 ? properties_->LoggerNameOffset : fixed_size_;
    const std::size_t needed = (units_of(session_name, form_) + 1) * unit_size(form_);
    if (properties_->Wnode.BufferSize - offset < needed) {
        return refuse(Status::bad_length, "buffer too small for the session name");
    }
    return {};
}

Outcome<void> Properties::check_filters() const {
    if (!is_version_2()) {
        return {};
    }
    EVENT_TRACE_PROPERTIES_V2 all;
    std::memcpy(&all, at(0), sizeof all);
    if (all.FilterDescCount == 0) {
        return {};
    }
    constexpr ULONG kinds = 2;
    const bool is_system_wide = (all.LogFileMode & EVENT_TRACE_PRIVATE_LOGGER_MODE) != 0 &&
                                (all.LogFileMode & EVENT_TRACE_PRIVATE_IN_PROC) == 0;
    if (!is_system_wide || all.FilterDesc == nullptr || all.FilterDescCount > kinds) {
        return refuse(Status::invalid_parameter,
                      "filters require a private session for all processes");
    }
    ULONG seen = 0;
    for (ULONG i = 0; i < all.FilterDescCount; ++i) {
        const ULONG type = all.FilterDesc[i].Type;
        const bool is_known =
            type == EVENT_FILTER_TYPE_PID || type == EVENT_FILTER_TYPE_EXECUTABLE_NAME;
        if (!is_known || type == seen) {
            return refuse(Status::invalid_parameter, "unsupported or duplicate filter");
        }
        seen = type;
    }
    return {};
}

std::vector<std::byte> Properties::extension() const {
    const std::size_t offset = properties_->EnableFlags & 0xFFFFU;
    const std::size_t size = properties_->Wnode.BufferSize;
    if ((properties_->EnableFlags & EVENT_TRACE_FLAG_EXTENSION) == 0 || offset < fixed_size_ ||
        offset >= size) {
        return {}; // empty where there should be some is found out by whoever checks the options
    }
    // Longer it cannot be: the length is a 16-bit count of dwords.
    constexpr std::size_t max_size = 0x10000 * sizeof(ULONG);
    return {at(offset), at(offset + std::min(size - offset, max_size))};
}

session::SessionOptions Properties::options(std::string name, std::string file) const {
    const EVENT_TRACE_PROPERTIES& from = *properties_;
    return {.name = std::move(name),
            .guid = to_guid(from.Wnode.Guid),
            .clock = from.Wnode.ClientContext,
            .buffer_kb = from.BufferSize,
            .minimum_buffers = from.MinimumBuffers,
            .maximum_buffers = from.MaximumBuffers,
            .maximum_file_size = from.MaximumFileSize,
            .mode = from.LogFileMode,
            .flush_timer = from.FlushTimer,
            .flush_threshold = static_cast<std::uint32_t>(std::max(from.FlushThreshold, 0)),
            .enable_flags = from.EnableFlags,
            .enable_extension = extension(),
            .file = std::move(file)};
}

std::size_t Properties::room_at(std::size_t offset, std::size_t other) const noexcept {
    const std::size_t size = properties_->Wnode.BufferSize;
    return (other > offset && other < size ? other : size) - offset;
}

bool Properties::put_name(std::string_view name, std::size_t offset, std::size_t other) {
    return offset == 0 || put_text(name, form_, at(offset), room_at(offset, other));
}

Outcome<void> Properties::fill(const session::SessionState& state, Names names) {
    EVENT_TRACE_PROPERTIES& to = *properties_;
    to.Wnode.HistoricalContext = state.handle;
    to.Wnode.TimeStamp.QuadPart = state.now.ticks;
    to.Wnode.Guid = to_c(state.options.guid);
    to.Wnode.ClientContext = state.options.clock;
    to.BufferSize = state.options.buffer_kb;
    to.MinimumBuffers = state.options.minimum_buffers;
    to.MaximumBuffers = state.options.maximum_buffers;
    to.MaximumFileSize = state.options.maximum_file_size;
    to.LogFileMode = state.options.mode;
    to.FlushTimer = state.options.flush_timer;
    to.EnableFlags = state.options.enable_flags;
    to.FlushThreshold = static_cast<LONG>(state.options.flush_threshold);
    to.NumberOfBuffers = state.number_of_buffers;
    to.FreeBuffers = state.free_buffers;
    to.EventsLost = saturated(state.events_lost);
    to.BuffersWritten = state.buffers_written;
    to.LogBuffersLost = state.log_buffers_lost;
    to.RealTimeBuffersLost = state.real_time_buffers_lost;
    // A number, in a member that is as wide as a handle.
    to.LoggerThreadId =
        reinterpret_cast<HANDLE>( // NOLINT(*-pro-type-reinterpret-cast,*-int-to-ptr)
            std::uintptr_t{state.logger_thread_id});
    const bool has_name = put_name(state.options.name, to.LoggerNameOffset, to.LogFileNameOffset);
    const bool has_file = put_name(state.file, to.LogFileNameOffset, to.LoggerNameOffset);
    if (names == Names::must_fit && !(has_name && has_file)) {
        return refuse(Status::more_data, "buffer too small for the names");
    }
    return {};
}

} // namespace etl::compat

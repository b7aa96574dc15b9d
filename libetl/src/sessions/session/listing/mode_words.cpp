#include "base/text.hpp"
#include "session/listing.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace etl::session {

namespace {

constexpr auto words = std::to_array<std::pair<std::uint32_t, std::string_view>>({
    {mode::sequential, "Sequential"},
    {mode::circular, "Circular"},
    {mode::append, "Append"},
    {mode::new_file, "NewFile"},
    {mode::use_ms_flush_timer, "MsFlushTimer"},
    {mode::preallocate, "Preallocate"},
    {mode::nonstoppable, "NonStoppable"},
    {mode::secure, "Secure"},
    {mode::real_time, "RealTime"},
    {mode::delay_open, "DelayOpenFile"},
    {mode::buffering, "Buffering"},
    {mode::private_logger, "PrivateLogger"},
    {mode::add_header, "AddHeader"},
    {mode::use_kbytes_for_size, "UseKBytesForSize"},
    {mode::use_global_sequence, "GlobalSequence"},
    {mode::use_local_sequence, "LocalSequence"},
    {mode::relog, "Relog"},
    {mode::private_in_proc, "PrivateInProc"},
    {mode::buffer_interface, "BufferInterface"},
    {mode::kd_filter, "KdFilter"},
    {mode::real_time_relog, "RealTimeRelog"},
    {mode::lost_events_debug, "LostEventsDebug"},
    {mode::stop_on_hybrid_shutdown, "StopOnHybridShutdown"},
    {mode::persist_on_hybrid_shutdown, "PersistOnHybridShutdown"},
    {mode::use_paged_memory, "PagedMemory"},
    {mode::system_logger, "SystemLogger"},
    {mode::compressed, "Compressed"},
    {mode::independent_session, "IndependentSession"},
    {mode::no_per_processor_buffering, "NoPerProcessorBuffering"},
    {mode::blocking, "Blocking"},
    {mode::add_to_triage_dump, "AddToTriageDump"},
});

} // namespace

void append_mode_words(std::string& to, std::uint32_t mode, std::string_view between) {
    std::string_view gap;
    for (const auto& [bit, word] : words) {
        if ((mode & bit) != 0) {
            to.append(gap).append(word);
            gap = between;
            mode &= ~bit;
        }
    }
    if (mode != 0) {
        fmt::format_to(std::back_inserter(to), "{}{:#x}", gap, mode);
    }
}

std::uint32_t parse_mode_word(std::string_view word) noexcept {
    for (const auto& [bit, name] : words) {
        if (equals_ignoring_case(name, word)) {
            return bit;
        }
    }
    return 0;
}

} // namespace etl::session

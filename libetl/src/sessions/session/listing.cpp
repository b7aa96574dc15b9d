
#include <etl/session.hpp>

#include "base/text.hpp"
#include "session/control/session_names.hpp"
#include "session/control/start_options.hpp"
#include "session/kernel_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

namespace etl::session {

namespace {

// One session as Windows' tools show it.

/// As xperf does; `has_hex`: with its mode as a number, too.
void append_as_xperf(std::string& to, const SessionState& session, const NameLookup& name_of,
                     bool has_hex);

void append_as_tracelog(std::string& to, const SessionState& session, const NameLookup& name_of);

void append_as_logman(std::string& to, const SessionState& session, const NameLookup& name_of,
                      const KeywordLookup& keywords_of);

/// What `name_of` says; empty: there is none.
std::string name_or_empty(const NameLookup& name_of, const Guid& guid);

bool has(const SessionState& session, std::uint32_t bit) noexcept {
    return (session.options.mode & bit) != 0;
}

bool is_system_logger(const SessionState& session) noexcept {
    return has(session, mode::system_logger) || session.options.guid == system_trace_control_guid ||
           session.options.guid == ckcl_guid;
}

/// The caller's name for it, else that of its registrations; or empty.
std::string name_of_provider(const SessionState::Provider& provider, const NameLookup& name_of) {
    const std::string name = name_or_empty(name_of, provider.guid);
    return name.empty() ? provider.name : name;
}

/// What a session traces: kernel flags, or its providers with keywords and level.
std::string enabled_text(const SessionState& session, const NameLookup& name_of) {
    std::string text;
    if (is_system_logger(session)) {
        append_kernel_flag_names(text, session.options.enable_flags & ~enable_flag_extension);
    }
    for (const SessionState::Provider& provider : session.providers) {
        const std::string name = name_of_provider(provider, name_of);
        fmt::format_to(std::back_inserter(text), "{}{}:{:#x}:{:#x}", text.empty() ? "" : "+",
                       name.empty() ? to_string(provider.guid) : '"' + name + '"',
                       provider.match_any, provider.level);
    }
    return text;
}

/// Providers that other sessions have taken over, with the numbers of those; empty: none.
std::string taken_over_text(const SessionState& session, const NameLookup& name_of) {
    std::string text;
    for (const SessionState::Provider& provider : session.providers) {
        for (const std::uint16_t by : provider.taken_over_by) {
            const std::string name = name_of_provider(provider, name_of);
            fmt::format_to(std::back_inserter(text), "{}{} by session {}", text.empty() ? "" : ", ",
                           name.empty() ? to_string(provider.guid) : '"' + name + '"', by);
        }
    }
    return text;
}

/// "Label   : value", without a space behind an empty one.
void append_line(std::string& to, std::string_view label, std::size_t width, std::string_view colon,
                 std::string_view value) {
    to.append(label);
    to.append(width > label.size() ? width - label.size() : 0, ' ');
    to.append(colon);
    to.append(value);
    to.erase(to.find_last_not_of(' ') + 1);
    to.push_back('\n');
}

class Lines {
public:
    Lines(std::string& to, std::size_t width, std::string_view colon)
        : to_(&to), width_(width), colon_(colon) {}

    Lines& line(std::string_view label, std::string_view value) {
        append_line(*to_, label, width_, colon_, value);
        return *this;
    }

    Lines& line(std::string_view label, std::uint64_t value) {
        return line(label, fmt::format("{}", value));
    }

private:
    std::string* to_;
    std::size_t width_;
    std::string_view colon_;
};

std::string level_text(std::uint8_t level) {
    constexpr std::array<std::string_view, 6> names{"win:LogAlways",     "win:Critical",
                                                    "win:Error",         "win:Warning",
                                                    "win:Informational", "win:Verbose"};
    return level < names.size() ? fmt::format("{} ({})", level, names[level])
                                : fmt::format("{}", level);
}

std::string_view on(bool is_on) noexcept {
    return is_on ? "On" : "Off";
}

std::string_view file_mode(const SessionState& session) noexcept {
    if (has(session, mode::buffering)) {
        return "Buffered";
    }
    return has(session, mode::real_time) ? "Real-time" : "File";
}

std::string name_or_empty(const NameLookup& name_of, const Guid& guid) {
    return name_of ? name_of(guid) : std::string();
}

void append_as_xperf(std::string& to, const SessionState& session, const NameLookup& name_of,
                     bool has_hex) {
    const SessionOptions& options = session.options;
    std::string mode_text;
    append_mode_words(mode_text, has_hex ? options.mode : options.mode & ~mode::real_time);
    if (has_hex) {
        mode_text += fmt::format(" <{:#x}>", options.mode);
    }
    Lines lines(to, 22, ": ");
    lines.line("Logger Name", options.name)
        .line("Logger Id", session.id)
        .line("Logger Thread Id", fmt::format("{:016X}", session.logger_thread_id))
        .line("Buffer Size", options.buffer_kb)
        .line("Maximum Buffers", options.maximum_buffers)
        .line("Minimum Buffers", options.minimum_buffers)
        .line("Number of Buffers", session.number_of_buffers)
        .line("Free Buffers", session.free_buffers)
        .line("Buffers Written", session.buffers_written)
        .line("Events Lost", session.events_lost)
        .line("Log Buffers Lost", session.log_buffers_lost)
        .line("Real Time Buffers Lost", session.real_time_buffers_lost)
        .line("Flush Timer", options.flush_timer)
        .line("Age Limit", std::uint64_t{0});
    if (!has_hex) {
        lines.line("Real Time Mode", has(session, mode::real_time) ? "Enabled" : "Disabled");
    }
    lines.line("Log File Mode", mode_text)
        .line("Maximum File Size", options.maximum_file_size)
        .line("Log Filename", session.file)
        .line("Trace Flags", enabled_text(session, name_of));
    if (const std::string taken_over = taken_over_text(session, name_of); !taken_over.empty()) {
        lines.line("Taken Over", taken_over);
    }
}

void append_as_tracelog(std::string& to, const SessionState& session, const NameLookup& name_of) {
    constexpr std::array<std::string_view, 4> clocks{"", "PerfCounter", "SystemTime", "CPUCycle"};
    const SessionOptions& options = session.options;
    const std::string_view file_unit = has(session, mode::use_kbytes_for_size) ? "Kb" : "Mb";
    const std::string_view time_unit = has(session, mode::use_ms_flush_timer) ? "msecs" : "secs";
    std::string mode_text;
    append_mode_words(mode_text, options.mode, "  ");
    Lines lines(to, 24, "");
    lines.line("Operation Status:", "0L      The operation completed successfully.")
        .line("", "")
        .line("Logger Name:", options.name)
        .line("Logger Id:", fmt::format("{:x}", session.id))
        .line("Logger Thread Id:", fmt::format("{:016X}", session.logger_thread_id))
        .line("Guid:", to_string(options.guid))
        .line("Session Security:", "none")
        .line("Buffer Size:", fmt::format("{} Kb", options.buffer_kb))
        .line("Maximum Buffers:", options.maximum_buffers)
        .line("Minimum Buffers:", options.minimum_buffers)
        .line("Number of Buffers:", session.number_of_buffers)
        .line("Free Buffers:", session.free_buffers)
        .line("Buffers Written:", session.buffers_written)
        .line("Events Lost:", session.events_lost)
        .line("Log Buffers Lost:", session.log_buffers_lost)
        .line("Real Time Buffers Lost:", session.real_time_buffers_lost)
        .line("AgeLimit:", std::uint64_t{0})
        .line("Real Time Consumers:", session.consumers)
        .line("ClockType:", clocks[std::min<std::size_t>(options.clock, 3)])
        .line("Log Mode:", mode_text)
        .line("Maximum File Size:", fmt::format("{} {}", options.maximum_file_size, file_unit))
        .line("Buffer Flush Timer:", fmt::format("{} {}", options.flush_timer, time_unit))
        .line("Enabled tracing:", enabled_text(session, name_of))
        .line("Log Filename:", session.file);
    if (const std::string taken_over = taken_over_text(session, name_of); !taken_over.empty()) {
        lines.line("Taken over:", taken_over);
    }
}

void append_as_logman(std::string& to, const SessionState& session, const NameLookup& name_of,
                      const KeywordLookup& keywords_of) {
    constexpr std::array<std::string_view, 4> clocks{"", "Performance", "System", "Cycle"};
    const SessionOptions& options = session.options;
    Lines lines(to, 22, "");
    lines.line("Name:", options.name)
        .line("Status:", "Running")
        .line("Root Path:", "%systemdrive%\\PerfLogs\\Admin")
        .line("Segment:", "Off")
        .line("Schedules:", "On");
    if (options.maximum_file_size != 0) {
        lines.line("Segment Max Size:",
                   fmt::format("{} {}", options.maximum_file_size,
                               has(session, mode::use_kbytes_for_size) ? "KB" : "MB"));
    }
    lines.line("", "").line("Name:", options.name + '\\' + options.name).line("Type:", "Trace");
    if (!session.file.empty()) {
        lines.line("Output Location:", session.file);
    }
    lines.line("Append:", on(has(session, mode::append)))
        .line("Circular:", on(has(session, mode::circular)))
        .line("Overwrite:", "Off")
        .line("Buffer Size:", options.buffer_kb)
        .line("Buffers Lost:",
              std::uint64_t{session.log_buffers_lost} + session.real_time_buffers_lost)
        .line("Buffers Written:", session.buffers_written)
        .line("Buffer Flush Timer:", options.flush_timer)
        .line("Clock Type:", clocks[std::min<std::size_t>(options.clock, 3)])
        .line("File Mode:", file_mode(session));
    for (const SessionState::Provider& provider : session.providers) {
        const std::string name = name_of_provider(provider, name_of);
        const auto keywords = [&](std::uint64_t mask) {
            const std::string names = keywords_of ? keywords_of(provider.guid, mask) : "";
            return fmt::format("{:#x}{}", mask, names.empty() ? "" : " (" + names + ")");
        };
        lines.line("", "")
            .line("Provider:", "")
            .line("Name:", name.empty() ? logman_guid(provider.guid) : name)
            .line("Provider Guid:", logman_guid(provider.guid))
            .line("Level:", level_text(provider.level))
            .line("KeywordsAll:", keywords(provider.match_all))
            .line("KeywordsAny:", keywords(provider.match_any))
            .line("Properties:", provider.property)
            .line("Filter Type:", std::uint64_t{0});
        for (const std::uint16_t by : provider.taken_over_by) {
            lines.line("Taken Over By:", fmt::format("session {}", by));
        }
    }
}

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

std::string logman_guid(const Guid& guid) {
    std::string text = to_string(guid);
    std::ranges::transform(text, text.begin(), [](char c) {
        return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return '{' + text + '}';
}

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

namespace {

bool name_before(std::string_view a, std::string_view b) {
    const std::string one = to_lower_ascii(a);
    const std::string two = to_lower_ascii(b);
    return one != two ? one < two : a < b;
}

constexpr std::string_view done = "\nThe command completed successfully.\n";

} // namespace

void append_sessions(std::string& to, std::span<const SessionState> sessions,
                     const NameLookup& name_of, ListingStyle form,
                     const KeywordLookup& keywords_of) {
    std::string_view between;
    for (const SessionState& session : sessions) {
        to.append(between);
        between = "\n";
        switch (form) {
        case ListingStyle::xperf:
        case ListingStyle::xperf_hex:
            append_as_xperf(to, session, name_of, form == ListingStyle::xperf_hex);
            break;
        case ListingStyle::tracelog:
            append_as_tracelog(to, session, name_of);
            break;
        case ListingStyle::logman:
            append_as_logman(to, session, name_of, keywords_of);
            break;
        }
    }
    if (form == ListingStyle::logman) {
        to.append(done);
    }
}

void append_session_table(std::string& to, std::span<const SessionState> sessions) {
    const auto line = [&](std::string_view name, std::string_view type, std::string_view status) {
        fmt::format_to(std::back_inserter(to), "{:<39} {:<29} {}\n", name, type, status);
    };
    line("Data Collector Set", "Type", "Status");
    to.append(std::string(79, '-') + '\n');
    for (const SessionState& session : sessions) {
        line(session.options.name, "Trace", "Running");
    }
    to.append(done);
}

void append_registered(std::string& to, std::span<const ProviderState> providers,
                       const NameLookup& name_of) {
    std::vector<std::string> names;
    std::vector<std::string> guids;
    for (const ProviderState& provider : providers) {
        if (!provider.is_registered || provider.is_group) {
            continue;
        }
        std::string name = name_or_empty(name_of, provider.guid);
        (name.empty() ? guids : names)
            .push_back(name.empty() ? to_string(provider.guid) : std::move(name));
    }
    std::ranges::sort(names, name_before);
    std::ranges::sort(guids);
    for (const auto* const list : {&names, &guids}) {
        for (const std::string& one : *list) {
            to.append(one).push_back('\n');
        }
    }
}

void append_installed(std::string& to, std::span<const InstalledProvider> providers) {
    std::vector<const InstalledProvider*> sorted;
    for (const InstalledProvider& provider : providers) {
        sorted.push_back(&provider);
    }
    std::ranges::sort(sorted, [](const InstalledProvider* a, const InstalledProvider* b) {
        return a->name != b->name ? name_before(a->name, b->name) : a->guid < b->guid;
    });
    for (const InstalledProvider* provider : sorted) {
        append_guid(to, provider->guid);
        to.append(" : ").append(provider->name).push_back('\n');
    }
}

void append_kernel_flags(std::string& to) {
    to.append("Kernel Flags:\n");
    for (const KernelFlag& flag : kernel_flags()) {
        fmt::format_to(std::back_inserter(to), "{:7}{:<15}: {}\n", "", flag.name, flag.what);
    }
}

void append_kernel_groups(std::string& to) {
    to.append("Kernel Groups:\n");
    for (const KernelGroup& group : kernel_groups()) {
        fmt::format_to(std::back_inserter(to), "{:7}{:<15}: {}\n", "", group.name, group.flags);
    }
}

} // namespace etl::session

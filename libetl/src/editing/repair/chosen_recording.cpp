#include "repair/chosen_recording.hpp"

#include "base/limits.hpp"
#include "flow/losses.hpp"
#include "format/kernel_group.hpp"
#include "format/records.hpp"
#include "repair/rescue.hpp"

#include <algorithm>

namespace etl::repair {

namespace {

using format::ClockType;
namespace head_layout = format::buffer_header;
namespace record_layout = format::system_record;

/// What the first buffers tell of a trace that does not tell of itself.
struct Evidence {
    std::vector<std::int64_t> times;             // of the first record of each
    std::size_t narrow = 0, wide = 0;            // records by the size of pointers
    std::optional<std::int64_t> flushed, newest; // of one buffer: its stamp and its newest record

    std::int64_t oldest() const { return times.empty() ? 0 : *std::ranges::min_element(times); }

    ClockType clock() const {
        const auto wall = static_cast<std::size_t>(std::ranges::count_if(times, is_wall_time));
        return 2 * wall > times.size() ? ClockType::system_time : ClockType::qpc;
    }

    /// Relogged buffers have FILETIME stamps around records of another clock.
    Filetime start() const {
        if (clock() == ClockType::system_time) {
            return {oldest()};
        }
        const bool tells = flushed && newest && is_wall_time(*flushed) && oldest() >= 0 &&
                           *newest >= oldest() && *newest < *flushed;
        return {tells ? *flushed - (*newest - oldest()) : 0};
    }
};

Evidence look(trace::Reader& reader) {
    constexpr std::size_t enough = 16;
    std::vector<std::uint32_t> numbers;
    const auto buffers = reader.buffers();
    for (std::uint32_t i = 0; i < buffers.size() && numbers.size() < enough; ++i) {
        if (buffers[i].type != format::BufferType::header) {
            numbers.push_back(i);
        }
    }
    Evidence evidence;
    reader.show_buffers(std::move(numbers), [&](const trace::BufferContent& buffer) {
        std::optional<std::int64_t> first;
        std::optional<std::int64_t> last;
        for (const flow::Event& event : buffer.events) {
            evidence.wide += event.kind.width == format::Width::bits64 ? 1U : 0U;
            evidence.narrow += event.kind.width == format::Width::bits32 ? 1U : 0U;
            if (event.has_time) {
                first = first ? first : event.raw_time;
                last = std::max(last.value_or(event.raw_time), event.raw_time);
            }
        }
        if (first) {
            evidence.times.push_back(*first);
        }
        if (last && !evidence.newest) {
            evidence.newest = last;
            evidence.flushed =
                format::BufferHeaderView(buffer.context->bytes.first<head_layout::size>())
                    .time_stamp();
        }
    });
    return evidence;
}

/// Without names, which nothing tells.
ChosenRecording made_of(const Evidence& evidence) {
    ChosenRecording made;
    const ClockType clock = evidence.clock();
    made.recording = trace::begin_recording(evidence.start(), 1, clock);
    made.recording.reference_time = evidence.oldest();
    made.recording.header_pointer_size = evidence.narrow > evidence.wide ? 4 : 8;
    made.recording.header.pointer_size = made.recording.header_pointer_size;
    made.is_guessed = true;
    made.corrections.emplace_back(
        clock == ClockType::system_time
            ? "log file header: unreadable; rebuilt from the buffers (system time)"
            : "log file header: unreadable; rebuilt from the buffers (assuming a 10 MHz clock)");
    return made;
}

/// The log file header record read by its layout alone: its size may be wrong, or its end gone.
std::optional<flow::TraceInfo> read_damaged_header(Bytes head, const flow::TraceInfo& trace) {
    const Bytes record = clamped(head, head_layout::size);
    if (record.size() < record_layout::size) {
        return std::nullopt;
    }
    const auto marker = load_le<std::uint32_t>(record.data()) >> 16U;
    const auto hook = load_le<std::uint16_t>(record.data() + record_layout::hook_id.offset);
    if ((marker != 0xC001 && marker != 0xC002) || hook != format::logfile_header_hook) {
        return std::nullopt;
    }
    flow::TraceInfo found = trace;
    found.header_pointer_size = marker == 0xC001 ? 4 : 8;
    auto header = format::parse_logfile_header(clamped(record, record_layout::size),
                                               found.header_pointer_size, {});
    if (!header || header->clock_type() == ClockType::unknown ||
        !is_wall_time(header->start_time)) {
        return std::nullopt;
    }
    found.has_header = true;
    found.header = *std::move(header);
    found.is_unfinalized = found.header.end_time == 0;
    found.reference_time = load_le<std::int64_t>(record.data() + record_layout::system_time.offset);
    return found;
}

/// A clock that cannot be is what the stamps make likely; without a frequency it has that of
/// Windows 10 and later.
void mend_clock(trace::Reader& reader, flow::TraceInfo& info, ChosenRecording& chosen) {
    format::LogfileHeader& header = info.header;
    if (header.clock_type() == ClockType::unknown) {
        const ClockType clock = look(reader).clock();
        header.reserved_flags = static_cast<std::uint32_t>(clock);
        chosen.corrections.emplace_back(
            clock == ClockType::system_time
                ? "clock type: invalid; system time, judging by the timestamps"
                : "clock type: invalid; assuming QPC, judging by the timestamps");
    }
    if (header.clock_type() == ClockType::qpc && header.perf_freq <= 0) {
        header.perf_freq = Filetime::per_second;
        chosen.corrections.emplace_back("PerfFreq: not positive; assuming 10 MHz");
        chosen.is_guessed = true;
    }
}

/// Losses are those of the session; what the file lacks is counted by the caller.
ChosenRecording own(trace::Reader& reader, flow::TraceInfo info) {
    ChosenRecording chosen;
    mend_clock(reader, info, chosen);
    chosen.counts_losses = flow::counts_losses(info);
    chosen.recording = trace::recording_of(info);
    format::LogfileHeader& header = chosen.recording.header;
    if (info.header.number_of_processors > etl::limits::processors) {
        header.number_of_processors = 1; // raised to what buffers name
    }
    if (header.pointer_size != 4 && header.pointer_size != 8) {
        header.pointer_size = info.header_pointer_size;
        chosen.corrections.emplace_back("PointerSize: neither 4 nor 8");
    }
    return chosen;
}

/// Losses are those of the file at hand.
ChosenRecording of_another(const trace::Recording& given, const flow::TraceInfo& info) {
    ChosenRecording chosen;
    chosen.recording = given;
    chosen.counts_losses = flow::counts_losses(info);
    chosen.recording.header.end_time = info.header.end_time;
    chosen.recording.header.events_lost = info.header.events_lost;
    chosen.recording.header.buffers_lost = info.header.buffers_lost;
    chosen.corrections.emplace_back("log file header: taken from another file, as requested");
    return chosen;
}

} // namespace

ChosenRecording choose_recording(trace::Reader& reader, Bytes head,
                                 const std::optional<trace::Recording>& given) {
    const flow::TraceInfo& info = reader.info();
    if (given) {
        return of_another(*given, info);
    }
    if (info.has_header) {
        return own(reader, info);
    }
    if (auto damaged = read_damaged_header(head, info)) {
        ChosenRecording chosen = own(reader, *std::move(damaged));
        chosen.corrections.emplace_back("log file header: damaged record; fields recovered");
        return chosen;
    }
    return made_of(look(reader));
}

} // namespace etl::repair

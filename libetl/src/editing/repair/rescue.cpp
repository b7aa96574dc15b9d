#include "repair/rescue.hpp"

#include "base/limits.hpp"
#include "flow/losses.hpp"
#include "format/buffer_header.hpp"
#include "format/kernel_group.hpp"
#include "format/records.hpp"
#include "format/set_field.hpp"

#include <algorithm>

namespace etl::repair {

namespace {

using format::BufferType;
using format::NoRecord;
using format::RecordShape;

constexpr std::uint32_t header_size = format::buffer_header::size;

bool is_all(Bytes bytes, std::byte value) noexcept {
    return std::ranges::all_of(bytes, [&](std::byte one) { return one == value; });
}

bool holds_records(BufferType type) noexcept {
    return type != BufferType::context_swap && type != BufferType::debugger_info &&
           type != BufferType::empty_marker;
}

/// Records are looked for at multiples of 8: so they lie in their buffer.
class ChainFinder {
public:
    ChainFinder(Bytes buffer, const TimeBounds& bounds) : buffer_(buffer), bounds_(bounds) {
        while (fill_ > 0 && buffer_[fill_ - 1] == std::byte{0xFF}) {
            --fill_;
        }
    }

    /// Where the longest unbroken chain of records to the end of the buffer begins, from `from` on;
    /// the buffer's size if there is none. From the back to the front each place is looked at once.
    std::size_t find(std::size_t from) const {
        const std::size_t first = format::padded(static_cast<std::uint32_t>(from));
        if (first >= buffer_.size()) {
            return buffer_.size();
        }
        std::vector<bool> leads_on((buffer_.size() - first + 7) / 8);
        std::size_t found = buffer_.size();
        for (std::size_t i = leads_on.size(); i-- > 0;) {
            const std::size_t at = first + 8 * i;
            const RecordShape shape = format::record_at(buffer_.subspan(at));
            if (shape.kind == format::RecordKind::none ||
                (shape.has_time && !bounds_.hold(shape.time))) {
                continue;
            }
            const std::size_t next = at + format::padded(shape.size);
            leads_on[i] = next >= fill_ || leads_on[(next - first) / 8];
            if (leads_on[i] && is_evident(at, shape)) {
                found = at;
            }
        }
        return found;
    }

private:
    /// Its header has a marker and a time stamp, which hardly stand there by chance.
    bool is_evident(std::size_t at, const RecordShape& shape) const noexcept {
        return shape.has_time && load_le<std::uint8_t>(buffer_.data() + at + 3) == 0xC0;
    }

    Bytes buffer_;
    TimeBounds bounds_;
    std::size_t fill_ = buffer_.size(); // from here on nothing but fill
};

/// Walks one buffer.
class Rescue {
public:
    Rescue(const trace::BufferContent& buffer, const TimeBounds& bounds, MutableBytes to)
        : buffer_(buffer), bytes_(buffer.context->bytes), bounds_(bounds), to_(to) {}

    Rescued run() {
        result_.used = header_size;
        std::size_t at = header_size;
        while (at < bytes_.size()) {
            const RecordShape shape = format::record_at(bytes_.subspan(at));
            if (shape.kind != format::RecordKind::none) {
                if (!fits(at, shape)) {
                    skip(at, bytes_.size());
                    break;
                }
                keep(at, shape);
                at += format::padded(shape.size);
                continue;
            }
            if (is_good_end(at, shape.why)) {
                break;
            }
            const std::size_t next =
                is_cut() ? bytes_.size() : ChainFinder(bytes_, bounds_).find(at + 8);
            skip(at, next);
            at = next;
        }
        return std::move(result_);
    }

private:
    /// Fill that a wrong header counts among the valid bytes is no loss.
    bool is_good_end(std::size_t at, NoRecord why) const noexcept {
        return why == NoRecord::end &&
               (buffer_.entry->used == 0 || is_all(bytes_.subspan(at), std::byte{0xFF}));
    }

    /// The end of the bytes is not that of the buffer: no chain leads there.
    bool is_cut() const noexcept {
        return buffer_.entry->is_truncated || bytes_.size() < buffer_.entry->used;
    }

    /// The last record of a buffer may end without its padding.
    std::uint32_t room_of(std::size_t at, const RecordShape& shape) const noexcept {
        return at + shape.size < bytes_.size() ? format::padded(shape.size) : shape.size;
    }

    bool fits(std::size_t at, const RecordShape& shape) const noexcept {
        return room_of(at, shape) <= to_.size() - result_.used;
    }

    void keep(std::size_t at, const RecordShape& shape) {
        const std::uint32_t end = result_.used + room_of(at, shape);
        const Bytes record = bytes_.subspan(at, shape.size);
        std::ranges::copy(record, to_.begin() + result_.used);
        std::fill(to_.begin() + result_.used + shape.size, to_.begin() + end, std::byte{0});
        unlink_broken_items(shape);
        result_.used = end;
        ++result_.records;
        if (shape.has_time) {
            note(shape.time);
        }
    }

    void note(std::int64_t time) noexcept {
        if (!result_.holes.empty() && !result_.holes.back().before) {
            result_.holes.back().before = time;
        }
        if (time <= bounds_.to) {
            result_.oldest = std::min(result_.oldest.value_or(time), time);
            result_.newest = std::max(result_.newest.value_or(time), time);
        }
    }

    /// What does not parse as items or counters is payload to every reader; now the record says so.
    void unlink_broken_items(const RecordShape& shape) {
        const MutableBytes record = to_.subspan(result_.used, shape.size);
        if (format::has_invalid_flags(shape.kind, record)) {
            format::clear_invalid_flags(shape.kind, record);
            ++result_.unlinked;
        }
    }

    void skip(std::size_t from, std::size_t to) {
        result_.holes.push_back({.offset = static_cast<std::uint32_t>(from),
                                 .bytes = to - from,
                                 .after = result_.newest,
                                 .before = {}});
    }

    const trace::BufferContent& buffer_;
    Bytes bytes_;
    TimeBounds bounds_;
    MutableBytes to_;
    Rescued result_;
};

Rescued copy(Bytes buffer, MutableBytes to) {
    const Bytes whole = clamped(buffer, header_size);
    const Bytes body = clamped(whole, 0, to.size() - header_size);
    std::ranges::copy(body, to.begin() + header_size);
    Rescued result{.used = static_cast<std::uint32_t>(header_size + body.size())};
    if (body.size() < whole.size()) {
        result.holes.push_back({result.used, whole.size() - body.size(), {}, {}});
    }
    return result;
}

} // namespace

Rescued rescue(const trace::BufferContent& buffer, const TimeBounds& bounds, MutableBytes to) {
    return holds_records(buffer.entry->type) ? Rescue(buffer, bounds, to).run()
                                             : copy(buffer.context->bytes, to);
}

namespace {

constexpr std::int64_t slack_seconds = 60;
constexpr std::int64_t highest_frequency = 1'000'000'000'000;

using Limits = std::numeric_limits<std::int64_t>;

} // namespace

BufferTimes::BufferTimes(const trace::Recording& recording)
    : clock_(recording.header, recording.reference_time), reference_(recording.reference_time),
      slack_(slack_seconds * std::clamp<std::int64_t>(clock_.frequency(), 1, highest_frequency)),
      is_system_time_(recording.header.clock_type() == format::ClockType::system_time) {}

std::int64_t BufferTimes::earliest(std::optional<std::int64_t> last) const {
    return std::max(last.value_or(reference_), Limits::min() + slack_) - slack_;
}

std::optional<std::int64_t> BufferTimes::flushed(const trace::BufferContent& buffer,
                                                 std::optional<std::int64_t> last) const {
    const auto head = format::BufferHeaderView::at(buffer.context->bytes, buffer.entry->where);
    const std::int64_t stamp = head ? head->time_stamp() : 0;
    if (stamp == 0) {
        return std::nullopt;
    }
    // Relogged buffers have FILETIME stamps whatever the clock of their records.
    const bool is_converted = !is_system_time_ && is_wall_time(stamp);
    const std::int64_t raw = is_converted ? clock_.to_raw({stamp}) : stamp;
    return raw >= earliest(last) ? std::optional(raw) : std::nullopt;
}

TimeBounds BufferTimes::bounds(const trace::BufferContent& buffer,
                               std::optional<std::int64_t> last) const {
    const auto end = flushed(buffer, last);
    return {earliest(last), end ? std::min(*end, Limits::max() - slack_) + slack_ : Limits::max()};
}

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

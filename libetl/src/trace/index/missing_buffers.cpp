#include <etl/trace/limits.hpp>
#include <etl/trace/missing_buffers.hpp>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace etl::trace {

namespace {

namespace mode = format::log_mode;
using Gap = MissingBuffers::Gap;
using Reason = MissingBuffers::Reason;

// A number that so many others are missing before is itself what is damaged.
constexpr std::int64_t widest_gap = 1'000'000;
// A number that no session gets to is damaged, and none can be added to it.
constexpr std::int64_t last_number = std::int64_t{1} << 62U;
// Modes whose newest buffers take the place of the oldest: in the file, or in memory.
constexpr std::uint32_t overwriting = mode::circular | mode::buffering;

/// One buffer by its number.
struct Numbered {
    std::uint32_t run = 0; // of the whole trace: never less than that of the buffer before
    std::int64_t sequence = 0;
    std::uint32_t place = 0;

    friend auto operator<=>(const Numbered&, const Numbered&) = default;
};

std::vector<Numbered> numbered(std::span<const BufferEntry> buffers, std::size_t first) {
    std::vector<Numbered> list;
    list.reserve(buffers.size());
    std::uint32_t run = 0;
    for (std::size_t i = first; i < buffers.size(); ++i) {
        run = std::max(run, buffers[i].run);
        if (buffers[i].sequence >= 0 && buffers[i].sequence <= last_number) {
            list.push_back({run, buffers[i].sequence, static_cast<std::uint32_t>(i)});
        }
    }
    std::ranges::sort(list);
    return list;
}

/// The processor of buffers that are missing: known where there is but one.
std::optional<std::uint16_t> only_processor(const flow::TraceInfo& info,
                                            std::span<const BufferEntry> buffers) {
    if (buffers.empty() || (info.has_header && info.header.number_of_processors > 1)) {
        return std::nullopt;
    }
    const std::uint16_t processor = buffers.front().processor;
    const bool is_only = std::ranges::all_of(
        buffers, [&](const BufferEntry& one) { return one.processor == processor; });
    return is_only ? std::optional(processor) : std::nullopt;
}

/// The numbers that no buffer has. `from_first`: numbers begin with 1.
std::vector<Gap> gaps_between(std::span<const Numbered> buffers, bool from_first,
                              std::optional<std::uint16_t> processor) {
    std::vector<Gap> gaps;
    const Numbered* last = nullptr;
    for (const Numbered& buffer : buffers) {
        const bool begins = last == nullptr || last->run != buffer.run;
        const std::int64_t expected = begins ? 1 : last->sequence + 1;
        const std::int64_t missing = buffer.sequence - expected;
        if ((!begins || from_first) && missing > 0 && missing <= widest_gap) {
            gaps.push_back({.count = static_cast<std::uint64_t>(missing),
                            .first = expected,
                            .processor = processor,
                            .after = last != nullptr ? std::optional(last->place) : std::nullopt,
                            .before = buffer.place});
        }
        last = &buffer;
    }
    return gaps;
}

std::uint64_t sum_of(std::span<const Gap> gaps) {
    return std::accumulate(gaps.begin(), gaps.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Gap& one) { return sum + one.count; });
}

void bound(std::vector<Gap>& gaps) {
    if (gaps.size() > limits::listed_gaps) {
        const std::uint64_t rest = sum_of(std::span(gaps).subspan(limits::listed_gaps - 1));
        gaps.resize(limits::listed_gaps - 1);
        gaps.push_back({.count = rest, .first = {}, .processor = {}, .after = {}, .before = {}});
    }
}

Reason reason_of(bool is_finalized, std::uint32_t log_file_mode) noexcept {
    if ((log_file_mode & overwriting) != 0) {
        return is_finalized ? Reason::circular : Reason::running_circular;
    }
    return is_finalized && (log_file_mode & mode::append) != 0 ? Reason::appended : Reason::lost;
}

const char* text_of(Reason reason) noexcept {
    switch (reason) {
    case Reason::lost:
        return "missing buffers before it";
    case Reason::running_circular:
        return "missing buffers before it: overwritten, or not yet flushed when the circular log "
               "was copied";
    case Reason::circular:
        return "missing buffers before it: overwritten in the circular log, or numbers never used";
    case Reason::appended:
        break;
    }
    return "missing sequence numbers before it, which an appended log can lack without a loss";
}

} // namespace

std::uint64_t MissingBuffers::count() const noexcept {
    return sum_of(gaps);
}

MissingBuffers find_missing_buffers(const flow::TraceInfo& info,
                                    std::span<const BufferEntry> buffers,
                                    std::optional<std::uint32_t> log_file_mode) {
    const std::uint32_t modes = log_file_mode.value_or(info.header.log_file_mode);
    const bool is_finalized = info.has_header && !info.is_unfinalized;
    const std::uint64_t found = buffers.size();
    const std::uint64_t counted = is_finalized ? info.header.buffers_written : 0;
    if (buffers.empty() || (is_finalized && counted == found)) {
        return {};
    }
    const bool has_head = info.has_header || buffers.front().type == format::BufferType::header;
    const std::vector<Numbered> numbers = numbered(buffers, has_head ? 1 : 0);
    const auto processor = only_processor(info, buffers.subspan(has_head ? 1 : 0));
    // Which mode the file has is not known without a header, nor where its numbers begin.
    const bool from_first = (info.has_header || log_file_mode) &&
                            (modes & (overwriting | mode::new_file)) == 0;
    MissingBuffers missing{
        .gaps = gaps_between(numbers, from_first, processor),
        .reason = reason_of(is_finalized, modes)};
    if (missing.reason == Reason::lost && counted > found) {
        const std::uint64_t known = sum_of(missing.gaps);
        const std::uint64_t all = counted - found;
        if (known > all) { // some of the numbers were never used: which, is not known
            missing.gaps = {
                {.count = all, .first = {}, .processor = processor, .after = {}, .before = {}}};
        } else if (known < all) {
            const auto last = numbers.empty() ? std::nullopt : std::optional(numbers.back().place);
            missing.gaps.push_back({.count = all - known,
                                    .first = {},
                                    .processor = processor,
                                    .after = last,
                                    .before = {}});
        }
    }
    bound(missing.gaps);
    return missing;
}

Diagnostic finding_of(const Gap& gap, Reason reason, const flow::TraceInfo& info,
                      std::span<const BufferEntry> buffers) {
    const bool is_lost = reason == Reason::lost;
    Diagnostic finding{.severity = is_lost ? Severity::warning : Severity::note,
                       .what = text_of(reason),
                       .where = {info.file_size},
                       .buffer = {},
                       .offset = {},
                       .missing = MissingNumbers{gap.count, gap.first, gap.processor}};
    if (gap.before) {
        finding.where = buffers[*gap.before].where;
        finding.buffer = *gap.before;
    } else {
        const bool counts_more = info.has_header && !info.is_unfinalized &&
                                 info.header.buffers_written > buffers.size();
        finding.what = is_lost && counts_more
                           ? "missing buffers: the header counts more (BuffersWritten)"
                           : "more buffers are missing";
    }
    return finding;
}

} // namespace etl::trace

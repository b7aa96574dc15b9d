#include "trace/missing_buffers.hpp"

#include "trace/index/buffer_numbers.hpp"
#include "trace/limits.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

namespace etl::trace {

namespace {

namespace mode = format::log_mode;
using Gap = MissingBuffers::Gap;
using Reason = MissingBuffers::Reason;

// A number that so many others are missing before is itself what is damaged.
constexpr std::int64_t widest_gap = 1'000'000;
// Modes whose newest buffers take the place of the oldest: in the file, or in memory.
constexpr std::uint32_t overwriting = mode::circular | mode::buffering;

std::uint64_t sum_of(std::span<const Gap> gaps) {
    return std::accumulate(gaps.begin(), gaps.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Gap& one) { return sum + one.count; });
}

void bound(std::vector<Gap>& gaps, FileOffset end) {
    if (gaps.size() > limits::listed_gaps) {
        const std::uint64_t rest = sum_of(std::span(gaps).subspan(limits::listed_gaps - 1));
        gaps.resize(limits::listed_gaps - 1);
        gaps.push_back({.count = rest, .where = end});
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

/// Whether it is the one before it of its stream once more.
bool BufferNumbers::repeats_last(const BufferEntry& buffer) {
    if (last_.size() > limits::buffer_streams) {
        last_.clear(); // of a hostile trace: memory stays bounded
    }
    const auto [last, is_first] = last_.try_emplace(stream_of(buffer, log_file_mode_));
    const bool is_repeated = !is_first && last->second.is_repeated_by(buffer);
    last->second = {buffer.sequence, buffer.time_stamp};
    return is_repeated;
}

void BufferNumbers::add(const BufferEntry& buffer, bool has_header) {
    const auto place = static_cast<std::uint32_t>(count_++);
    repeated_ += repeats_last(buffer) ? 1U : 0U;
    if (place == 0 && (has_header || buffer.type == format::BufferType::header)) {
        has_head_ = true;
        return;
    }
    has_one_processor_ =
        has_one_processor_ && processor_.value_or(buffer.processor) == buffer.processor;
    processor_ = buffer.processor;
    run_ = std::max(run_, buffer.run);
    if (buffer.sequence >= 0 && buffer.sequence <= last_number) {
        put(buffer.sequence, place, buffer.where);
    }
}

/// Joins the span that it extends, and that with the one after it.
void BufferNumbers::put(std::int64_t sequence, std::uint32_t place, FileOffset where) {
    if (has_too_many_spans_) {
        return;
    }
    const auto after = spans_.upper_bound({run_, sequence});
    const auto own = after == spans_.begin() ? spans_.end() : std::prev(after);
    const bool has_own = own != spans_.end() && own->first.first == run_;
    const bool joins_next = after != spans_.end() && after->first == Key{run_, sequence + 1};
    if (has_own && sequence <= own->second.last) { // a number that is there
        own->second.last_place = sequence == own->second.last ? place : own->second.last_place;
    } else if (has_own && sequence == own->second.last + 1) {
        own->second.last = sequence;
        own->second.last_place = place;
        if (joins_next) {
            own->second.last = after->second.last;
            own->second.last_place = after->second.last_place;
            spans_.erase(after);
        }
    } else if (joins_next) {
        Span span = after->second;
        span.first_place = place;
        span.where = where;
        spans_.emplace_hint(spans_.erase(after), Key{run_, sequence}, span);
    } else if (spans_.size() < most_spans_) {
        spans_.emplace_hint(
            after, Key{run_, sequence},
            Span{.last = sequence, .first_place = place, .last_place = place, .where = where});
    } else {
        has_too_many_spans_ = true;
        spans_.clear();
    }
}

/// The processor of buffers that are missing: known where there is but one.
std::optional<std::uint16_t> BufferNumbers::only_processor(const flow::TraceInfo& info) const {
    const bool has_several = info.has_header && info.header.number_of_processors > 1;
    return has_one_processor_ && !has_several ? processor_ : std::nullopt;
}

/// The numbers that no buffer has. `from_first`: numbers begin with 1.
std::vector<Gap> BufferNumbers::gaps(bool from_first) const {
    std::vector<Gap> gaps;
    const std::pair<const Key, Span>* last = nullptr;
    for (const auto& one : spans_) {
        const auto& [key, span] = one;
        const bool begins = last == nullptr || last->first.first != key.first;
        const std::int64_t expected = begins ? 1 : last->second.last + 1;
        const std::int64_t missing = key.second - expected;
        if ((!begins || from_first) && missing > 0 && missing <= widest_gap) {
            gaps.push_back(
                {.count = static_cast<std::uint64_t>(missing),
                 .first = expected,
                 .after = last != nullptr ? std::optional(last->second.last_place) : std::nullopt,
                 .before = span.first_place,
                 .where = span.where});
        }
        last = &one;
    }
    return gaps;
}

MissingBuffers BufferNumbers::judge(const flow::TraceInfo& info,
                                    std::optional<std::uint32_t> log_file_mode,
                                    FileOffset end) const {
    const std::uint32_t modes = log_file_mode.value_or(info.header.log_file_mode);
    const bool is_finalized = info.has_header && !info.is_unfinalized;
    const std::uint64_t counted = is_finalized ? info.header.buffers_written : 0;
    MissingBuffers missing{
        .gaps = {}, .repeated = repeated_, .reason = reason_of(is_finalized, modes)};
    if (count_ == 0 || (is_finalized && counted == count())) {
        return missing;
    }
    // Which mode the file has is not known without a header, nor where its numbers begin.
    const bool from_first =
        (info.has_header || log_file_mode) && (modes & (overwriting | mode::new_file)) == 0;
    missing.gaps = gaps(from_first);
    if (missing.reason == Reason::lost && counted > count()) {
        const std::uint64_t known = sum_of(missing.gaps);
        const std::uint64_t all = counted - count();
        if (known > all) { // some of the numbers were never used: which, is not known
            missing.gaps = {{.count = all, .where = end, .is_counted = true}};
        } else if (known < all) {
            missing.gaps.push_back(
                {.count = all - known,
                 .after = spans_.empty() ? std::nullopt
                                         : std::optional(spans_.rbegin()->second.last_place),
                 .where = end,
                 .is_counted = true});
        }
    }
    for (Gap& gap : missing.gaps) {
        gap.processor = only_processor(info);
    }
    bound(missing.gaps, end);
    return missing;
}

MissingBuffers find_missing_buffers(const flow::TraceInfo& info,
                                    std::span<const BufferEntry> buffers,
                                    std::optional<std::uint32_t> log_file_mode) {
    BufferNumbers numbers(log_file_mode.value_or(info.header.log_file_mode));
    for (const BufferEntry& buffer : buffers) {
        numbers.add(buffer, info.has_header);
    }
    return numbers.judge(info, log_file_mode, {info.file_size});
}

void count_missing_buffers(flow::TraceInfo& info, const MissingBuffers& missing) {
    // Of a session that was not stopped, those that it counted are among those that are missing.
    const bool are_counted = info.is_unfinalized && info.header.buffers_lost > 0;
    const bool is_again = info.missing_buffers > 0; // of a trace that was opened before
    if (missing.is_loss() && !are_counted && !is_again) {
        const std::uint64_t most =
            std::numeric_limits<std::uint32_t>::max() - info.header.buffers_lost;
        info.missing_buffers = static_cast<std::uint32_t>(std::min(missing.count(), most));
        info.header.buffers_lost += info.missing_buffers;
    }
}

Diagnostic finding_of(const Gap& gap, Reason reason) {
    const bool is_lost = reason == Reason::lost;
    Diagnostic finding{.severity = is_lost ? Severity::warning : Severity::note,
                       .what = text_of(reason),
                       .where = gap.where,
                       .buffer = gap.before,
                       .offset = {},
                       .missing = MissingNumbers{gap.count, gap.first, gap.processor}};
    if (!gap.before) {
        finding.what = gap.is_counted ? "missing buffers: the header counts more (BuffersWritten)"
                                      : "more buffers are missing";
    }
    return finding;
}

} // namespace etl::trace

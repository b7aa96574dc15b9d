#include "repair/account.hpp"

#include "base/limits.hpp"
#include "repair/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace etl::repair {

namespace {

/// Both ends the right way round: buffers of several processors overlap in time.
void set_ends(Loss& loss, std::optional<std::int64_t> after, std::optional<std::int64_t> before) {
    if (after && before && *after > *before) {
        std::swap(after, before);
    }
    loss.after = after;
    loss.before = before;
}

} // namespace

void LossList::add(const Loss& loss) {
    has_losses_ = has_losses_ || loss.kind != Loss::Kind::reported_by_session;
    missing_buffers_ += loss.kind == Loss::Kind::missing_buffers ? loss.buffers : 0;
    if (losses_.size() < limits::losses) {
        losses_.push_back(loss);
    } else {
        ++more_;
    }
}

void LossList::add_inside(const Loss& loss) {
    if (!loss.before && loss.processor && losses_.size() < limits::losses) {
        open_ended_[*loss.processor].push_back(losses_.size());
    }
    add(loss);
}

void LossList::begin_buffer(std::uint16_t processor, std::int64_t oldest) {
    const auto open_ended = open_ended_.find(processor);
    if (open_ended == open_ended_.end()) {
        return;
    }
    for (const std::size_t i : open_ended->second) {
        set_ends(losses_[i], losses_[i].after, oldest);
    }
    open_ended_.erase(open_ended);
}

void LossList::give(Report& report) {
    static constexpr auto earliest = std::numeric_limits<std::int64_t>::min();
    const auto time_of = [](const Loss& loss) {
        return std::tuple(loss.after.value_or(loss.before.value_or(earliest)),
                          loss.kind == Loss::Kind::missing_buffers, loss.where, loss.before,
                          loss.bytes, loss.buffers);
    };
    std::ranges::sort(losses_, {}, time_of);
    report.losses = std::move(losses_);
    report.more_losses = more_;
    report.has_losses = has_losses_;
    report.missing_buffers = missing_buffers_;
}

void set_span(Loss& loss, std::span<const KnownBuffer> buffers) {
    const auto behind = std::ranges::upper_bound(buffers, loss.where, {}, &KnownBuffer::where);
    std::optional<std::int64_t> after;
    for (auto it = behind; !after && it != buffers.begin();) {
        after = (--it)->newest;
    }
    const auto known = std::find_if(behind, buffers.end(),
                                    [](const KnownBuffer& one) { return one.oldest.has_value(); });
    set_ends(loss, after, known != buffers.end() ? known->oldest : std::nullopt);
}

void set_span(Loss& loss, const trace::MissingBuffers::Gap& gap,
              std::span<const KnownBuffer> buffers) {
    set_ends(loss, gap.after ? buffers[*gap.after].newest : std::nullopt,
             gap.before ? buffers[*gap.before].oldest : std::nullopt);
}

namespace {

using trace::BufferContent;
using trace::BufferEntry;
namespace flag = format::buffer_flag;

constexpr std::size_t max_corrections = 20; // that are findings

/// Bytes that the buffer says it has, and that are not there.
std::uint64_t missing_end(const BufferContent& buffer, std::uint32_t max) noexcept {
    const std::uint64_t told = std::min(buffer.entry->used, max);
    const std::uint64_t there = buffer.context->bytes.size();
    return told > there ? told - there : 0;
}

} // namespace

Account::Account(std::span<const BufferEntry> buffers, Report& report)
    : buffers_(buffers), report_(report) {
    known_.reserve(buffers.size());
    for (const BufferEntry& buffer : buffers) {
        known_.push_back({buffer.where, {}, {}});
    }
}

void Account::note_head(const BufferContent& buffer, const Rescued& rescued) {
    note_holes(buffer, rescued, nullptr, etl::limits::buffer_bytes);
    unlinked_ += rescued.unlinked;
}

void Account::note(const BufferContent& buffer, const Rescued& rescued, const BufferTimes& times,
                   std::uint32_t max) {
    if (rescued.oldest) {
        losses_.begin_buffer(buffer.entry->processor, *rescued.oldest);
    }
    note_holes(buffer, rescued, &times, max);
    note_facts(buffer, rescued);
}

void Account::note_live(std::uint16_t processor, const LiveContent& content) {
    report_.live.buffers += content.records > 0 ? 1 : 0;
    report_.live.records += content.records;
    report_.live.incomplete += content.incomplete;
    report_.records += content.records;
    unlinked_ += content.unlinked;
    if (content.records > 0) {
        processors_.insert(processor);
    }
    if (content.oldest) {
        losses_.begin_buffer(processor, *content.oldest);
    }
    if (content.damaged > 0) {
        losses_.add({.kind = Loss::Kind::damaged_buffer,
                     .processor = processor,
                     .bytes = content.damaged,
                     .after = content.newest ? content.newest : newest(processor)});
        report_.is_complete = false;
        report_.is_intact = false;
    }
    if (content.newest) {
        auto& newest = newest_.try_emplace(processor, *content.newest).first->second;
        newest = std::max(newest, *content.newest);
    }
}

std::optional<std::int64_t> Account::newest(std::uint16_t processor) const {
    const auto newest = newest_.find(processor);
    return newest != newest_.end() ? std::optional(newest->second) : std::nullopt;
}

std::int64_t Account::newest_of_all(std::int64_t min) const {
    for (const auto& [processor, time] : newest_) {
        min = std::max(min, time);
    }
    return min;
}

std::uint32_t Account::processors() const noexcept {
    return processors_.empty() ? 0 : *processors_.rbegin() + 1U;
}

void Account::lose(const Loss& loss) {
    losses_.add(loss);
    report_.is_complete = false;
    report_.is_intact = false;
}

void Account::miss(const Loss& loss) {
    losses_.add(loss);
    report_.is_complete = false;
}

void Account::note_holes(const BufferContent& buffer, const Rescued& rescued,
                         const BufferTimes* times, std::uint32_t max) {
    const BufferEntry& entry = *buffer.entry;
    const auto last = newest(entry.processor);
    std::vector<Hole> holes = rescued.holes;
    const std::size_t end = buffer.context->bytes.size();
    if (const std::uint64_t missing = missing_end(buffer, max); missing > 0) {
        const bool goes_on = !holes.empty() && holes.back().offset + holes.back().bytes == end;
        if (!goes_on) {
            holes.push_back({static_cast<std::uint32_t>(end), 0, rescued.newest, {}});
        }
        holes.back().bytes += missing;
    }
    // The data end before a claim that nothing can be: whether something is missing is not known.
    const bool contradicts = (entry.is_compressed() && entry.used > max) ||
                             std::ranges::any_of(buffer.findings, [](const Diagnostic& one) {
                                 return !one.offset.has_value();
                             });
    if (holes.empty() && contradicts) {
        holes.push_back({0, 0, last, rescued.oldest});
    }
    for (const Hole& hole : holes) {
        const bool is_cut = entry.is_truncated && hole.offset + hole.bytes >= end;
        Loss loss{.kind = is_cut ? Loss::Kind::truncated_buffer : Loss::Kind::damaged_buffer,
                  .processor = entry.processor,
                  .bytes = hole.bytes,
                  .sequence = entry.sequence,
                  .where = entry.where,
                  .after = hole.after ? hole.after : last,
                  .before = hole.before};
        if (!loss.before && times != nullptr) {
            loss.before = times->flushed(buffer, loss.after);
        }
        losses_.add_inside(loss);
        report_.is_complete = false;
        report_.is_intact = false;
    }
}

void Account::note_facts(const BufferContent& buffer, const Rescued& rescued) {
    const BufferEntry& entry = *buffer.entry;
    report_.records += rescued.records;
    unlinked_ += rescued.unlinked;
    processors_.insert(entry.processor);
    KnownBuffer& known = known_[buffer.context->number];
    known.oldest = rescued.oldest;
    known.newest = rescued.newest;
    constexpr std::uint32_t losing = flag::events_lost | flag::buffer_lost;
    if ((entry.flags & losing) != 0) {
        losses_.add({.kind = Loss::Kind::reported_by_session,
                     .processor = entry.processor,
                     .sequence = entry.sequence,
                     .where = entry.where,
                     .after = newest(entry.processor),
                     .before = rescued.newest});
    }
    if (rescued.newest) {
        auto& newest = newest_.try_emplace(entry.processor, *rescued.newest).first->second;
        newest = std::max(newest, *rescued.newest);
    }
}

/// Where the last buffer ends.
std::uint64_t Account::behind_all() const noexcept {
    return buffers_.empty() ? 0 : buffers_.back().where.value + buffers_.back().disk_size;
}

void Account::tell_of_opening(const DiagnosticList& findings, bool has_header) {
    const auto is_cut = [&](FileOffset where) {
        const auto cut = std::ranges::find(buffers_, true, &BufferEntry::is_truncated);
        return cut != buffers_.end() && cut->where == where; // the last one, if any
    };
    for (const Diagnostic& finding : findings.list()) {
        const bool is_damage = finding.severity == Severity::warning;
        if (is_damage && finding.missing) {
            continue; // a loss (tell_of_missing)
        }
        const bool is_at_end = is_cut(finding.where) ||
                               (finding.bytes_skipped > 0 && finding.where.value >= behind_all());
        if (!has_torn_end_ && is_at_end) {
            continue;
        }
        if (is_damage && (finding.buffer || has_header)) { // else a header that may be replaced
            report_.is_complete = false;
            report_.is_intact = false;
        }
        if (finding.bytes_skipped > 0 && is_damage) {
            Loss loss{.bytes = finding.bytes_skipped, .where = finding.where};
            set_span(loss, known_);
            lose(loss);
        } else if (finding.buffer && !finding.step && !is_cut(finding.where) &&
                   report_.corrections.size() <
                       max_corrections) { // a clock that was set back stays so
            report_.corrections.push_back(
                finding.missing
                    ? describe(finding)
                    : fmt::format("buffer at 0x{:x}: {}", finding.where.value, finding.what));
        }
    }
}

void Account::tell_of_log(const DiagnosticList& findings) {
    for (const Diagnostic& finding : findings.list()) {
        if (finding.missing) {
            lose({.kind = Loss::Kind::missing_records,
                  .events = finding.missing->count,
                  .where = finding.where});
        } else if (finding.severity == Severity::warning && finding.bytes_skipped > 0) {
            lose({.kind = Loss::Kind::damaged_record,
                  .bytes = finding.bytes_skipped,
                  .where = finding.where});
        } else if (report_.corrections.size() < max_corrections) {
            report_.corrections.push_back(
                fmt::format("event log at 0x{:x}: {}", finding.where.value, finding.what));
        }
        const bool is_damage = finding.severity == Severity::warning;
        report_.is_complete = report_.is_complete && !is_damage;
        report_.is_intact = report_.is_intact && !is_damage;
    }
}

void Account::tell_of_missing(const trace::MissingBuffers& missing, bool is_headless) {
    if (is_headless) { // the header buffer has no number, but may have had events
        miss({.kind = Loss::Kind::missing_buffers,
              .buffers = 1,
              .before = known_.empty() ? std::nullopt : known_.front().oldest});
    }
    if (!missing.is_loss()) {
        return; // what is missing was overwritten, and is among the findings
    }
    for (const trace::MissingBuffers::Gap& gap : missing.gaps) {
        Loss loss{
            .kind = Loss::Kind::missing_buffers, .processor = gap.processor, .buffers = gap.count};
        set_span(loss, gap, known_);
        miss(loss);
    }
}

void Account::tell_of_session(const format::LogfileHeader& header) {
    if (header.events_lost > 0 || header.buffers_lost > 0) {
        losses_.add({.kind = Loss::Kind::reported_by_session,
                     .buffers = header.buffers_lost,
                     .events = header.events_lost});
    }
}

void Account::give() {
    losses_.give(report_);
}

} // namespace etl::repair

#include <etl/base/limits.hpp>
#include <etl/format/kernel_group.hpp>
#include <etl/format/records.hpp>
#include <etl/repair/repair.hpp>

#include "repair/buffer_times.hpp"
#include "repair/chosen_recording.hpp"
#include "repair/losses.hpp"
#include "repair/mended.hpp"
#include "repair/output_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace etl::repair {

namespace {

using format::BufferType;
using trace::BufferContent;
using trace::BufferEntry;
namespace head_layout = format::buffer_header;
namespace mode = format::log_mode;
namespace flag = format::buffer_flag;

bool begins_with_header(Bytes records) noexcept {
    const format::RecordShape first = format::record_at(records);
    return (first.kind == format::RecordKind::system32 ||
            first.kind == format::RecordKind::system64) &&
           load_le<std::uint16_t>(records.data() + format::system_record::hook_id.offset) ==
               format::logfile_header_hook;
}

/// One repair under way.
class Repair {
public:
    Repair(trace::Reader& reader, const DiagnosticList& findings, const Options& options)
        : reader_(reader), findings_(findings), options_(options), buffers_(reader.buffers()) {}

    Result<Report> run(const std::string& path, const std::optional<Error>& input_damage) {
        read_head();
        plan();
        if (auto opened = open(path); !opened) {
            return std::unexpected(opened.error());
        }
        write_buffers();
        if (auto closed = close(); !closed) {
            return std::unexpected(closed.error());
        }
        tell(input_damage);
        return std::move(report_);
    }

private:
    const format::LogfileHeader& told() const noexcept { return reader_.info().header; }

    bool has_head() const noexcept {
        return reader_.info().has_header || buffers_.front().type == BufferType::header;
    }

    bool is_rotating() const noexcept {
        return (chosen_.recording.header.log_file_mode & mode::circular) != 0;
    }

    /// How many buffers there should be by the trace's own account; 0: it has none.
    std::uint64_t expected() const noexcept {
        const bool counts = reader_.info().has_header && !reader_.info().unfinished &&
                            (told().log_file_mode & (mode::circular | mode::append)) == 0;
        return counts ? told().buffers_written : 0;
    }

    void read_head();
    void plan();
    Result<void> open(const std::string& path);
    void write_buffers();
    void write(const BufferContent& buffer);
    void note_holes(const BufferContent& buffer, const Rescued& rescued);
    void note_facts(const BufferContent& buffer, const Rescued& rescued);
    Result<void> close();
    void tell(const std::optional<Error>& input_damage);
    void tell_of_opening();
    void tell_of_missing();

    trace::Reader& reader_;
    const DiagnosticList& findings_;
    const Options& options_;
    std::span<const BufferEntry> buffers_;
    std::vector<std::byte> head_; // bytes of the header buffer
    ChosenRecording chosen_;
    std::optional<BufferTimes> times_;
    trace::LogFileOptions file_options_;
    std::unique_ptr<trace::LogFile> file_;
    std::map<std::uint16_t, std::int64_t> newest_; // raw, by processor
    std::vector<KnownBuffer> known_;               // by number
    std::set<std::uint16_t> processors_;
    LossList losses_;
    std::uint64_t done_ = 0;
    std::uint64_t unlinked_ = 0;
    Report report_;
};

void Repair::read_head() {
    if (!has_head()) {
        chosen_ = choose_recording(reader_, {}, options_.recording);
        return;
    }
    std::vector<std::byte> records;
    reader_.show_buffers({0}, [&](const BufferContent& buffer) {
        head_.assign(buffer.context->bytes.begin(), buffer.context->bytes.end());
        std::vector<std::byte> whole((head_.size() + 7) / 8 * 8 + head_layout::size);
        const Rescued rescued = rescue(buffer, {}, whole);
        note_holes(buffer, rescued);
        unlinked_ += rescued.unlinked;
        whole.resize(rescued.used);
        const Bytes found = clamped(whole, head_layout::size);
        const bool has_header = begins_with_header(found);
        const Bytes extras =
            has_header ? clamped(found, format::padded(format::record_at(found).size)) : found;
        records.assign(extras.begin(), extras.end());
        report_.records += rescued.records - (has_header ? 1U : 0U);
    });
    chosen_ = choose_recording(reader_, head_, options_.recording);
    if (!records.empty() || chosen_.recording.extras.empty()) {
        chosen_.recording.extras = std::move(records);
    }
}

/// What decides about the file before the first buffer is looked at.
void Repair::plan() {
    trace::Recording& recording = chosen_.recording;
    const bool is_windows7 = recording.lineage == trace::Lineage::windows7;
    const auto most = std::ranges::max(buffers_, {}, &BufferEntry::processor).processor;
    constexpr std::uint16_t last_of_windows7 = 255;
    if (is_windows7 && most > last_of_windows7) {
        recording.lineage = trace::Lineage::session;
    }
    // The end of a session that was stopped is a fact; where buffers are missing it is not known
    // which, and the newest event is the end of what there is.
    const bool adds_up =
        expected() != 0 ? expected() == buffers_.size() : !reader_.info().unfinished;
    const bool is_cut = std::ranges::any_of(buffers_, &BufferEntry::cut);
    const bool has_end = adds_up && !is_cut && reader_.info().has_header;
    recording.header.end_time = has_end ? recording.header.end_time : 0;
    file_options_ = options_.file;
    file_options_.mode = trace::FileMode::sequential;
    file_options_.threads = options_.threads;
    file_options_.buffer_size = output_buffer_size(reader_.info(), buffers_, recording);
    times_.emplace(recording);
    report_.clock = chosen_.clock();
}

Result<void> Repair::open(const std::string& path) {
    const std::uint64_t size = buffers_.size() * std::uint64_t{file_options_.buffer_size};
    if (size > limits::unpacked_bytes) {
        return fail(ErrorCode::limit, "size of the repaired trace", {}, limits::unpacked_bytes,
                    size);
    }
    auto& header = chosen_.recording.header;
    if (header.log_file_name.empty()) { // else LogFile's own choice, however long the path is
        header.log_file_name = u"repaired.etl";
    }
    auto opened = trace::LogFile::open(path, chosen_.recording, file_options_,
                                       options_.files != nullptr ? *options_.files : io::disk());
    if (!opened) {
        return std::unexpected(opened.error());
    }
    file_ = std::move(*opened);
    return {};
}

void Repair::write_buffers() {
    std::vector<std::uint32_t> numbers;
    std::uint32_t run = 0;
    known_.resize(buffers_.size());
    for (std::uint32_t i = 0; i < buffers_.size(); ++i) {
        run = std::max(run, buffers_[i].run);
        known_[i] = {buffers_[i].where, buffers_[i].sequence, run, {}, {}};
        if (i > 0 || !has_head()) {
            numbers.push_back(i);
        }
    }
    if (is_rotating()) {
        std::ranges::sort(numbers, {},
                          [&](std::uint32_t i) { return std::tuple(buffers_[i].sequence, i); });
    }
    reader_.show_buffers(std::move(numbers), [&](const BufferContent& buffer) {
        write(buffer);
        constexpr std::uint64_t every = 64;
        if (options_.progress && ++done_ % every == 0) {
            options_.progress(static_cast<double>(done_) / static_cast<double>(buffers_.size()));
        }
    });
}

void Repair::write(const BufferContent& buffer) {
    const BufferEntry& entry = *buffer.entry;
    const auto newest = newest_.find(entry.processor);
    const auto last = newest != newest_.end() ? std::optional(newest->second) : std::nullopt;
    trace::BufferMemory memory = file_->memory();
    const Rescued rescued =
        rescue(buffer, times_->bounds(buffer, last), {memory.get(), file_options_.buffer_size});
    if (rescued.oldest) {
        losses_.begin_buffer(entry.processor, *rescued.oldest);
    }
    note_holes(buffer, rescued);
    note_facts(buffer, rescued);
    const auto head = format::BufferHeaderView::at(buffer.context->bytes, entry.where);
    constexpr std::uint32_t own = flag::known & ~(flag::processor_index | flag::compressed);
    file_->write({.memory = std::move(memory),
                  .used = rescued.used,
                  .processor = entry.processor,
                  .flags = static_cast<std::uint16_t>(entry.flags & own),
                  .sequence = entry.sequence,
                  .time_stamp = head ? head->time_stamp() : 0,
                  .newest_time = rescued.newest.value_or(chosen_.recording.reference_time),
                  .type = entry.type,
                  .logger_id = entry.logger_id});
}

/// Bytes that the buffer says it has, and that are not there.
std::uint64_t missing_end(const BufferContent& buffer) noexcept {
    const BufferEntry& entry = *buffer.entry;
    const std::uint64_t there = buffer.context->bytes.size();
    return entry.used > there ? entry.used - there : 0;
}

void Repair::note_holes(const BufferContent& buffer, const Rescued& rescued) {
    const BufferEntry& entry = *buffer.entry;
    const auto newest = newest_.find(entry.processor);
    const auto last = newest != newest_.end() ? std::optional(newest->second) : std::nullopt;
    std::vector<Hole> holes = rescued.holes;
    const std::size_t end = buffer.context->bytes.size();
    if (const std::uint64_t missing = missing_end(buffer); missing > 0) {
        const bool goes_on = !holes.empty() && holes.back().offset + holes.back().bytes == end;
        if (!goes_on) {
            holes.push_back({static_cast<std::uint32_t>(end), 0, rescued.newest, {}});
        }
        holes.back().bytes += missing;
    }
    const bool contradicts = std::ranges::any_of(
        buffer.findings, [](const Diagnostic& one) { return !one.offset.has_value(); });
    if (holes.empty() && contradicts) {
        holes.push_back({0, 0, last, rescued.oldest});
    }
    for (const Hole& hole : holes) {
        const bool is_cut = entry.cut && hole.offset + hole.bytes >= end;
        Loss loss{.what = is_cut ? Loss::What::cut_buffer : Loss::What::damaged_buffer,
                  .processor = entry.processor,
                  .bytes = hole.bytes,
                  .sequence = entry.sequence,
                  .where = entry.where,
                  .after = hole.after ? hole.after : last,
                  .before = hole.before};
        if (!loss.before && times_) {
            loss.before = times_->flushed(buffer, loss.after);
        }
        losses_.add_inside(loss);
        report_.is_whole = false;
    }
}

void Repair::note_facts(const BufferContent& buffer, const Rescued& rescued) {
    const BufferEntry& entry = *buffer.entry;
    report_.records += rescued.records;
    unlinked_ += rescued.unlinked;
    processors_.insert(entry.processor);
    KnownBuffer& known = known_[buffer.context->number];
    known.oldest = rescued.oldest;
    known.newest = rescued.newest;
    constexpr std::uint32_t losing = flag::events_lost | flag::buffer_lost;
    if ((entry.flags & losing) != 0) {
        const auto newest = newest_.find(entry.processor);
        losses_.add(
            {.what = Loss::What::told_by_trace,
             .processor = entry.processor,
             .sequence = entry.sequence,
             .where = entry.where,
             .after = newest != newest_.end() ? std::optional(newest->second) : std::nullopt,
             .before = rescued.newest});
    }
    if (rescued.newest) {
        auto& newest = newest_.try_emplace(entry.processor, *rescued.newest).first->second;
        newest = std::max(newest, *rescued.newest);
    }
}

Result<void> Repair::close() {
    const auto closed = file_->close();
    const trace::LogFileStatus& status = file_->status();
    if (status.failure) {
        return std::unexpected(status.failure->error);
    }
    report_.buffers = status.buffers_written;
    ++report_.records; // the log file header
    return closed;
}

/// What the index pass found: bytes that are no buffer, and headers that contradict the file.
void Repair::tell_of_opening() {
    constexpr std::size_t most = 20;
    const auto is_cut = [&](FileOffset where) {
        const auto cut = std::ranges::find(buffers_, true, &BufferEntry::cut);
        return cut != buffers_.end() && cut->where == where; // the last one, if any
    };
    for (const Diagnostic& finding : findings_.list()) {
        const bool is_damage = finding.severity == Severity::warning;
        if (finding.bytes_skipped > 0 && is_damage) {
            Loss loss{.bytes = finding.bytes_skipped, .where = finding.where};
            set_span(loss, known_);
            losses_.add(loss);
            report_.is_whole = false;
        } else if (finding.buffer && !is_cut(finding.where) && report_.mended.size() < most) {
            report_.mended.push_back(
                fmt::format("buffer at 0x{:X}: {}", finding.where.value, finding.what));
        }
    }
}

void Repair::tell_of_missing() {
    // Numbers go missing without a loss; only an account that does not add up makes them one.
    const std::uint64_t expected = this->expected();
    const bool adds_up =
        expected != 0 ? expected == buffers_.size()
                      : reader_.info().has_header && !reader_.info().unfinished && report_.is_whole;
    if (!adds_up) {
        const std::uint64_t before = losses_.count();
        std::vector<KnownBuffer> buffers = known_;
        if (has_head()) {
            buffers.erase(buffers.begin());
        }
        const bool from_first =
            (chosen_.recording.header.log_file_mode & (mode::circular | mode::new_file)) == 0;
        find_missing(std::move(buffers),
                     {.expected = expected > 0 && has_head() ? expected - 1 : expected,
                      .from_first = from_first,
                      .processor = processors_.size() == 1 ? std::optional(*processors_.begin())
                                                           : std::nullopt},
                     losses_);
        report_.is_whole = report_.is_whole && losses_.count() == before;
    }
    const format::LogfileHeader& header = chosen_.recording.header;
    if (header.events_lost > 0 || header.buffers_lost > 0) {
        losses_.add({.what = Loss::What::told_by_trace,
                     .buffers = header.buffers_lost,
                     .events = header.events_lost});
    }
}

void Repair::tell(const std::optional<Error>& input_damage) {
    const trace::Recording& recording = chosen_.recording;
    std::int64_t newest = recording.reference_time;
    for (const auto& [processor, time] : newest_) {
        newest = std::max(newest, time);
    }
    report_.end_time = recording.header.end_time != 0
                           ? recording.header.end_time
                           : std::max<std::int64_t>(report_.clock.to_filetime(newest).ticks, 1);
    report_.mended = std::move(chosen_.mended);
    report_.is_whole = report_.is_whole && !chosen_.is_guessed && unlinked_ == 0 && !input_damage;
    if (reader_.info().has_header) {
        const std::uint32_t processors = processors_.empty() ? 0 : *processors_.rbegin() + 1U;
        describe_changes(told(),
                         {.end_time = report_.end_time,
                          .buffers_written = report_.buffers,
                          .processors = std::max(processors, recording.header.number_of_processors),
                          .buffer_size = file_options_.buffer_size,
                          .is_compressed = file_options_.compression != codec::Format::none},
                         report_.mended);
    }
    tell_of_opening();
    if (unlinked_ > 0) {
        report_.mended.push_back(fmt::format(
            "{} events: extended items that do not parse are payload from now on", unlinked_));
    }
    if (input_damage) {
        report_.mended.push_back("packed input: " + etl::describe(*input_damage));
    }
    tell_of_missing();
    losses_.give(report_);
}

} // namespace

std::string_view name(Loss::What what) noexcept {
    switch (what) {
    case Loss::What::missing_buffers:
        return "missing";
    case Loss::What::damaged_buffer:
        return "damaged";
    case Loss::What::cut_buffer:
        return "cut";
    case Loss::What::told_by_trace:
        break;
    }
    return "told";
}

Result<Report> run(const std::shared_ptr<const io::InputFile>& file, const std::string& path,
                   const Options& options) {
    DiagnosticList findings;
    auto reader = trace::Reader::open(file, {.threads = options.threads, .diagnostics = &findings});
    if (!reader) {
        return std::unexpected(reader.error());
    }
    return Repair(**reader, findings, options).run(path, file->damage());
}

} // namespace etl::repair

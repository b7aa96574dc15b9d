#include "repair/repair.hpp"

#include <etl/time.hpp>

#include "base/limits.hpp"
#include "flow/context.hpp"
#include "flow/losses.hpp"
#include "flow/trace_info.hpp"
#include "format/logfile_header.hpp"
#include "format/records.hpp"
#include "io/limits.hpp"
#include "repair/account.hpp"
#include "repair/live_additions.hpp"
#include "repair/live_records.hpp"
#include "repair/rescue.hpp"
#include "trace/limits.hpp"
#include "trace/missing_buffers.hpp"
#include "trace/reader.hpp"
#include "trace/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace etl::repair {

namespace {

// How large the buffers of a repaired trace are.

/// BufferSize of the trace where its buffers lie as they are; of a compressed one that, or no more
/// than they hold. There is room for every buffer, and for the header that `recording` makes. What
/// a damaged buffer claims to hold beyond BufferSize counts only as far as there are records in it:
/// such buffers are looked into. 0: buffers so large would make more than
/// io::limits::unpacked_bytes, and more than the input, even if what does not fit in a smaller one
/// was left out.
std::uint32_t output_buffer_size(trace::Reader& reader, bool has_head,
                                 const trace::Recording& recording);

using trace::BufferEntry;

constexpr std::uint32_t min_buffer = 1024;

std::uint64_t rounded(std::uint64_t size) noexcept {
    return (size + trace::limits::buffer_granule - 1) / trace::limits::buffer_granule *
           trace::limits::buffer_granule;
}

/// Of the header buffer, padding included.
std::uint64_t size_of_header(const trace::Recording& recording) {
    return format::buffer_header::size + format::system_record::size +
           format::encode_logfile_header(recording.header, recording.header_pointer_size).size() +
           recording.extra_records.size() + 4 * sizeof(std::uint64_t);
}

/// What most buffers of a plain file take; the size of a compressed trace's buffers, if it says so.
std::uint64_t usual_size(const flow::TraceInfo& trace, std::span<const BufferEntry> buffers) {
    constexpr std::uint32_t always_kept = 1U << 20U;
    const bool is_plain = std::ranges::none_of(buffers, &BufferEntry::is_compressed);
    const bool is_cut = std::ranges::all_of(buffers, &BufferEntry::is_truncated);
    if (!is_plain || (is_cut && trace.has_header)) {
        return trace.has_header ? std::min(trace.header.buffer_size, always_kept) : 0;
    }
    std::map<std::uint32_t, std::size_t> counts;
    for (const BufferEntry& buffer : buffers) {
        counts[buffer.disk_size] += buffer.is_truncated ? 0U : 1U;
    }
    return std::ranges::max_element(
               counts, {}, [](const auto& one) { return std::pair(one.second, one.first); })
        ->first;
}

std::uint32_t claim_of(const BufferEntry& buffer, const flow::TraceInfo& trace) noexcept {
    if (buffer.is_compressed()) {
        return std::min(buffer.used != 0 ? buffer.used : trace.header.buffer_size,
                        etl::limits::buffer_bytes);
    }
    return buffer.used != 0 ? std::min(buffer.used, buffer.disk_size) : buffer.disk_size;
}

/// What each buffer needs: its claim up to `usual`, beyond it what is there.
std::vector<std::uint32_t> needs_of(trace::Reader& reader, bool has_head, std::uint64_t usual) {
    const auto buffers = reader.buffers();
    std::vector<std::uint32_t> needs(buffers.size());
    std::vector<std::uint32_t> doubtful;
    for (std::uint32_t i = has_head ? 1 : 0; i < buffers.size(); ++i) {
        needs[i] = claim_of(buffers[i], reader.info());
        if (needs[i] > usual) {
            doubtful.push_back(i);
        }
    }
    std::vector<std::byte> memory;
    reader.show_buffers(std::move(doubtful), [&](const trace::BufferContent& buffer) {
        memory.resize(std::max(memory.size(), buffer.context->bytes.size() + sizeof(std::uint64_t) +
                                                  format::buffer_header::size));
        needs[buffer.context->number] = rescue(buffer, {}, memory).used;
    });
    return needs;
}

std::uint32_t output_buffer_size(trace::Reader& reader, bool has_head,
                                 const trace::Recording& recording) {
    const auto buffers = reader.buffers();
    std::uint64_t usual = usual_size(reader.info(), buffers);
    std::vector<std::uint32_t> needs = needs_of(reader, has_head, usual);
    const std::uint64_t min = std::max<std::uint64_t>(min_buffer, size_of_header(recording));
    const auto sum_of = [](const auto& sizes) {
        return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
    };
    // A size that so little of is used is a damaged field of the header.
    constexpr std::uint64_t small = 16U << 20U;
    constexpr std::uint64_t wasteful = 4;
    const bool is_plain = std::ranges::none_of(buffers, &BufferEntry::is_compressed);
    if (!is_plain && usual * buffers.size() > std::max(small, wasteful * sum_of(needs))) {
        usual = 0;
    }
    std::uint64_t input = 0;
    for (const BufferEntry& buffer : buffers) {
        input += buffer.disk_size;
    }
    const std::uint64_t max = std::max(io::limits::unpacked_bytes, 2 * input) / buffers.size();
    needs.push_back(
        static_cast<std::uint32_t>(std::min<std::uint64_t>(usual, etl::limits::buffer_bytes)));
    std::uint64_t size = 0;
    for (const std::uint32_t need : needs) {
        const std::uint64_t wanted = rounded(std::max<std::uint64_t>(need, min));
        size = wanted <= max ? std::max(size, wanted) : size;
    }
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(size, etl::limits::buffer_bytes));
}

// What of a log file header was set right, in words.

/// What the header of the repaired trace says where it may differ.
struct NewHeader {
    std::int64_t end_time = 0;
    std::uint64_t buffers_written = 0;
    std::uint32_t processors = 0;
    std::uint32_t buffer_size = 0;
    std::uint32_t events_lost = 0, buffers_lost = 0;
    bool is_compressed = false;
};

/// Appends a line for each difference: "EndTime: 2024-05-17T04:01:00.0000000Z, was not set".
void describe_changes(const format::LogfileHeader& old, const NewHeader& now,
                      std::vector<std::string>& to);

namespace mode = format::log_mode;

std::string as_text(std::int64_t filetime) {
    std::string text;
    append_rfc3339(text, {filetime});
    return text;
}

void describe_number(std::string_view field, std::uint64_t old, std::uint64_t now,
                     std::vector<std::string>& to) {
    if (old != now) {
        to.push_back(fmt::format("{}: {}, was {}", field, now, old));
    }
}

void describe_changes(const format::LogfileHeader& old, const NewHeader& now,
                      std::vector<std::string>& to) {
    if (old.end_time != now.end_time) {
        to.push_back(fmt::format("EndTime: {}, was {}", as_text(now.end_time),
                                 old.end_time == 0 ? "not set" : as_text(old.end_time)));
    }
    describe_number("BuffersWritten", old.buffers_written, now.buffers_written, to);
    describe_number("NumberOfProcessors", old.number_of_processors, now.processors, to);
    describe_number("BufferSize", old.buffer_size, now.buffer_size, to);
    describe_number("EventsLost", old.events_lost, now.events_lost, to);
    describe_number("BuffersLost", old.buffers_lost, now.buffers_lost, to);
    const std::pair<std::uint32_t, const char*> ended[] = {
        {mode::circular, "circular"},
        {mode::append, "append"},
        {mode::new_file, "new file"},
        {mode::preallocate, "preallocate"},
        {now.is_compressed ? 0U : mode::compressed, "compressed"}};
    for (const auto& [bit, word] : ended) {
        if ((old.log_file_mode & bit) != 0) {
            to.push_back(fmt::format("LogFileMode: cleared {}", word));
        }
    }
}

using format::BufferType;
using trace::BufferContent;
using trace::BufferEntry;
namespace head_layout = format::buffer_header;
namespace mode = format::log_mode;
namespace flag = format::buffer_flag;

bool begins_with_header(Bytes records) noexcept {
    const format::RecordShape first = format::record_at(records);
    return flow::is_logfile_header({.record = records.data(), .kind = first.kind});
}

/// What is wrong with a log file as a whole.
struct LogFaults {
    std::optional<Error> damage;     // of its container
    std::optional<Error> unreadable; // the trace is the header in the live buffers instead
    std::uint64_t lost_bytes = 0;    // of one that cannot be read
};

/// One repair under way.
class Repair {
public:
    /// `live`: buffers of the session; null: none.
    Repair(trace::Reader& reader, const DiagnosticList& findings, const Options& options,
           LiveRecords* live)
        : reader_(reader), findings_(findings), options_(options), buffers_(reader.buffers()),
          account_(reader.buffers(), report_), live_(live, reader.buffers(), account_) {}

    Result<Report> run(const std::string& path, const LogFaults& faults) {
        read_head();
        plan();
        if (auto opened = open(path); !opened) {
            return std::unexpected(opened.error());
        }
        write_buffers();
        live_.write(*file_, file_options_.buffer_size, chosen_.recording.reference_time);
        if (auto closed = close(); !closed) {
            return std::unexpected(closed.error());
        }
        tell(faults);
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

    /// How many buffers the trace has, without repeated ones.
    std::uint64_t found() const noexcept { return buffers_.size() - repeats_.size(); }

    /// How many there should be by the trace's own account; 0: it has none.
    std::uint64_t expected() const noexcept {
        const bool counts = reader_.info().has_header && !reader_.info().is_unfinalized &&
                            (told().log_file_mode & (mode::circular | mode::append)) == 0;
        return counts ? told().buffers_written : 0;
    }

    /// Whether the file itself states that losses are unknown.
    void note_events(flow::Run events) noexcept {
        has_unknown_losses_ =
            has_unknown_losses_ || std::ranges::any_of(events, flow::indicates_unknown_losses);
    }

    void read_head();
    void plan();
    void count_losses();
    void find_repeats();
    Result<void> open(const std::string& path);
    void write_buffers();
    void write(const BufferContent& buffer);
    Result<void> close();
    void tell(const LogFaults& faults);

    trace::Reader& reader_;
    const DiagnosticList& findings_;
    const Options& options_;
    std::span<const BufferEntry> buffers_;
    std::vector<std::byte> head_; // bytes of the header buffer
    ChosenRecording chosen_;
    std::optional<BufferTimes> times_;
    trace::LogFileOptions file_options_;
    std::unique_ptr<trace::LogFile> file_;
    trace::MissingBuffers missing_;
    format::LogfileHeader of_session_;   // its losses, without what the file lacks
    std::vector<std::uint32_t> repeats_; // buffers that are copies of others
    std::map<std::uint32_t, std::pair<std::int64_t, std::int64_t>> written_; // by stream
    std::uint64_t done_ = 0;
    bool has_unknown_losses_ = false; // an event of the file says so
    Report report_;
    Account account_;
    LiveAdditions live_;
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
        account_.note_head(buffer, rescued);
        note_events(buffer.events);
        whole.resize(rescued.used);
        const Bytes found = clamped(whole, head_layout::size);
        const bool has_header = begins_with_header(found);
        const Bytes extras =
            has_header ? clamped(found, format::padded(format::record_at(found).size)) : found;
        records.assign(extras.begin(), extras.end());
        report_.records += rescued.records - (has_header ? 1U : 0U);
    });
    chosen_ = choose_recording(reader_, head_, options_.recording);
    if (!records.empty() || chosen_.recording.extra_records.empty()) {
        chosen_.recording.extra_records = std::move(records);
    }
}

/// What decides about the file before the first buffer is looked at.
void Repair::plan() {
    trace::Recording& recording = chosen_.recording;
    live_.find(reader_.info(), chosen_.corrections);
    count_losses();
    find_repeats();
    const auto max = std::max(std::ranges::max(buffers_, {}, &BufferEntry::processor).processor,
                              live_.last_processor());
    if (max >= trace::most_processors(recording.lineage)) {
        recording.lineage = trace::Lineage::session;
    }
    // The end of a session that was stopped is a fact; where buffers are missing it is not known
    // which, and the newest event is the end of what there is.
    const bool adds_up = expected() != 0 ? expected() == found() : !reader_.info().is_unfinalized;
    const bool is_cut = std::ranges::any_of(buffers_, &BufferEntry::is_truncated);
    const bool has_end =
        adds_up && !is_cut && reader_.info().has_header && recording.header.end_time > 0;
    recording.header.end_time = has_end ? recording.header.end_time : 0;
    file_options_ = options_.file;
    file_options_.mode = trace::FileMode::sequential;
    file_options_.threads = options_.threads;
    file_options_.buffer_size = output_buffer_size(reader_, has_head(), recording);
    if (file_options_.buffer_size != 0) {
        file_options_.buffer_size = live_.size_for(file_options_.buffer_size);
    }
    times_.emplace(recording);
    report_.clock = chosen_.clock();
}

/// A header is complete when its session was stopped; live buffers have the counts of the moment
/// at which its process ended.
void Repair::count_losses() {
    const auto raise = [](std::uint32_t& count, std::uint64_t to) {
        constexpr std::uint64_t max = std::numeric_limits<std::uint32_t>::max();
        count = std::max(count, static_cast<std::uint32_t>(std::min(to, max)));
    };
    format::LogfileHeader& header = chosen_.recording.header;
    const bool is_mode_known = reader_.info().has_header || options_.recording.has_value();
    missing_ = trace::find_missing_buffers(reader_.info(), buffers_,
                                           is_mode_known ? std::optional(header.log_file_mode)
                                                         : std::nullopt);
    if (is_mode_known) { // counts are those of the reader
        header.buffers_lost = trace::buffers_lost_by_session(reader_.info());
    }
    const bool is_converted = !options_.recording && flow::is_of_event_log(reader_.info());
    report_.is_of_event_log = options_.log_findings != nullptr || is_converted;
    const auto losses = live_.losses();
    if (losses) {
        raise(header.events_lost, losses->events);
        raise(header.buffers_lost, losses->buffers);
    }
    report_.are_losses_known =
        (losses.has_value() || chosen_.counts_losses) && options_.is_log_closed;
    if (!report_.are_losses_known && !has_unknown_losses_) {
        trace::record_unknown_losses(chosen_.recording);
    }
    if (options_.log_findings != nullptr) {
        return; // the records that the log lacks are losses of their own
    }
    report_.events_lost = header.events_lost;
    report_.buffers_lost = header.buffers_lost;
    if (!report_.is_of_event_log) {
        of_session_ = header;
    }
    if (missing_.is_loss()) {
        const std::uint64_t counted = reader_.info().is_unfinalized ? 0 : header.buffers_lost;
        raise(header.buffers_lost, counted + missing_.count());
    }
}

/// Finds buffers that are the same as the one before of their stream, byte for byte.
void Repair::find_repeats() {
    std::map<std::uint32_t, std::uint32_t> last;
    for (std::uint32_t i = 0; i < buffers_.size(); ++i) {
        const BufferEntry& entry = buffers_[i];
        const auto [before, is_first] =
            last.try_emplace(trace::stream_of(entry, told().log_file_mode), i);
        const BufferEntry& earlier = buffers_[before->second];
        const trace::BufferId id{earlier.sequence, earlier.time_stamp};
        const bool may_repeat = !is_first && id.is_repeated_by(entry);
        std::vector<std::byte> bytes;
        if (may_repeat) {
            reader_.show_buffers({before->second, i}, [&](const BufferContent& buffer) {
                const Bytes content = buffer.context->bytes;
                if (buffer.context->number != i) {
                    bytes.assign(content.begin(), content.end());
                } else if (std::ranges::equal(bytes, content)) {
                    repeats_.push_back(i);
                }
            });
        }
        before->second = i;
    }
    if (!repeats_.empty()) {
        chosen_.corrections.push_back(fmt::format("omitted {} repeated buffer{}", repeats_.size(),
                                                  repeats_.size() == 1 ? "" : "s"));
    }
}

Result<void> Repair::open(const std::string& path) {
    if (file_options_.buffer_size == 0) {
        return fail(ErrorCode::limit, "size of the repaired trace", {}, io::limits::unpacked_bytes);
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
    for (std::uint32_t i = 0; i < buffers_.size(); ++i) {
        if ((i > 0 || !has_head()) && !live_.replaces(buffers_[i]) &&
            !std::ranges::binary_search(repeats_, i)) {
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
    trace::BufferMemory memory = file_->memory();
    const Rescued rescued = rescue(buffer, times_->bounds(buffer, account_.newest(entry.processor)),
                                   {memory.get(), file_options_.buffer_size});
    account_.note(buffer, rescued, *times_, file_options_.buffer_size);
    note_events(buffer.events);
    const auto head = format::BufferHeaderView::at(buffer.context->bytes, entry.where);
    constexpr std::uint32_t own = flag::known & ~(flag::processor_index | flag::compressed);
    // Another buffer with the same number and time would be taken for a repetition.
    std::int64_t time_stamp = head ? head->time_stamp() : 0;
    const auto [last, is_first] = written_.try_emplace(
        trace::stream_of(entry, told().log_file_mode), entry.sequence, time_stamp);
    if (!is_first && last->second == std::pair(entry.sequence, time_stamp) && time_stamp != 0) {
        time_stamp = time_stamp < std::numeric_limits<std::int64_t>::max() ? time_stamp + 1 : 0;
    }
    last->second = {entry.sequence, time_stamp};
    file_->write({.memory = std::move(memory),
                  .used = rescued.used,
                  .processor = entry.processor,
                  .flags = static_cast<std::uint16_t>(entry.flags & own),
                  .sequence = entry.sequence,
                  .time_stamp = time_stamp,
                  .newest_time = rescued.newest.value_or(chosen_.recording.reference_time),
                  .type = entry.type,
                  .logger_id = entry.logger_id});
}

Result<void> Repair::close() {
    const auto closed = file_->close();
    const trace::LogFileStatus& status = file_->status();
    if (status.failure) {
        return std::unexpected(status.failure->error);
    }
    report_.buffers = status.buffers_written;
    const bool has_header = reader_.info().has_header && options_.log_findings == nullptr;
    report_.records += has_header ? 1U : 0U; // its record
    return closed;
}

void Repair::tell(const LogFaults& faults) {
    const trace::Recording& recording = chosen_.recording;
    const std::int64_t newest = account_.newest_of_all(recording.reference_time);
    report_.end_time = recording.header.end_time != 0
                           ? recording.header.end_time
                           : std::max<std::int64_t>(report_.clock.to_filetime(newest).ticks, 1);
    report_.corrections = std::move(chosen_.corrections);
    report_.live.is_used = live_.are_own();
    report_.live.is_identified = live_.are_identified();
    report_.are_losses_known = report_.are_losses_known && !has_unknown_losses_;
    report_.is_intact =
        report_.is_intact && !chosen_.is_guessed && account_.unlinked() == 0 && !faults.damage;
    report_.is_complete = report_.is_complete && report_.is_intact;
    if (reader_.info().has_header) {
        format::LogfileHeader old = told();
        old.buffers_lost = trace::buffers_lost_by_session(reader_.info());
        describe_changes(
            old,
            {.end_time = report_.end_time,
             .buffers_written = report_.buffers,
             .processors = std::max(account_.processors(), recording.header.number_of_processors),
             .buffer_size = file_options_.buffer_size,
             .events_lost = recording.header.events_lost,
             .buffers_lost = recording.header.buffers_lost,
             .is_compressed = file_options_.compression != codec::Format::none},
            report_.corrections);
    }
    account_.tell_of_opening(findings_, reader_.info().has_header);
    if (options_.log_findings != nullptr) {
        account_.tell_of_log(*options_.log_findings);
    }
    if (account_.unlinked() > 0) {
        report_.corrections.push_back(
            fmt::format("{} event{} with invalid extended data items: these bytes are now payload",
                        account_.unlinked(), account_.unlinked() == 1 ? "" : "s"));
    }
    if (const LiveReport& live = report_.live; live.records > 0 || live.incomplete > 0) {
        report_.corrections.push_back(
            fmt::format("live buffers: recovered {} records of {} buffers that were not in the "
                        "file; skipped {} incomplete or abandoned records",
                        live.records, live.buffers, live.incomplete));
    }
    if (faults.damage) {
        report_.corrections.push_back("compressed input: " + etl::describe(*faults.damage));
    }
    if (faults.unreadable) {
        report_.corrections.push_back(
            "log file header: taken from the live buffers; the log file: " +
            etl::describe(*faults.unreadable));
    }
    if (faults.lost_bytes > 0) {
        account_.lose({.bytes = faults.lost_bytes});
    }
    account_.tell_of_missing(missing_, !has_head() && buffers_.front().where.value == 0);
    account_.tell_of_session(of_session_);
    account_.give();
}

} // namespace

std::string_view name(Loss::Kind what) noexcept {
    switch (what) {
    case Loss::Kind::missing_buffers:
        return "missing_buffers";
    case Loss::Kind::damaged_buffer:
        return "damaged_buffer";
    case Loss::Kind::truncated_buffer:
        return "truncated_buffer";
    case Loss::Kind::missing_records:
        return "missing_records";
    case Loss::Kind::damaged_record:
        return "damaged_record";
    case Loss::Kind::reported_by_session:
        break;
    }
    return "reported_by_session";
}

Result<Report> run(const std::shared_ptr<const io::InputFile>& file, const std::string& path,
                   const Options& options) {
    DiagnosticList findings;
    std::optional<LiveRecords> live;
    std::optional<Error> no_live;
    if (options.live_buffers) {
        if (auto opened = LiveRecords::open(options.live_buffers)) {
            live.emplace(std::move(*opened));
        } else {
            no_live = opened.error();
        }
    }
    auto reader = trace::Reader::open(
        file, {.is_single_pass = true, .threads = options.threads, .diagnostics = &findings});
    LogFaults faults;
    if (!reader && live) {
        auto header = io::InputFile::from_memory(live->empty_trace(), file->name());
        auto other = trace::Reader::open(std::move(header), {.diagnostics = &findings});
        if (other) {
            faults.unreadable = reader.error();
            faults.lost_bytes = file->bytes().size();
            reader = std::move(other);
        }
    }
    if (!reader) {
        return std::unexpected(reader.error());
    }
    faults.damage = file->damage();
    auto report = Repair(**reader, findings, options, live ? &*live : nullptr).run(path, faults);
    if (report && no_live) {
        report->corrections.push_back("live buffers: " + etl::describe(*no_live));
        report->is_complete = false;
    }
    return report;
}

} // namespace etl::repair

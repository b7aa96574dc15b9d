#include "eventlog/convert.hpp"

#include "eventlog/self_describing.hpp"
#include "evtx/event.hpp"
#include "format/buffer_header.hpp"
#include "format/logfile_header.hpp"
#include "format/records.hpp"
#include "io/writable_file.hpp"
#include "trace/writer.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace etl::eventlog {

namespace {

using format::ExtendedItem;
using format::ItemType;

// A record of 64 KB, the largest, must fit into a buffer.
constexpr std::uint32_t trace_buffer_size = 128U << 10U;

template <typename T>
std::array<std::byte, sizeof(T)> bytes_of(T value) noexcept {
    std::array<std::byte, sizeof(T)> bytes;
    store_le(bytes.data(), value);
    return bytes;
}

class Converter {
public:
    Converter(const io::InputFile& log, const evtx::ReaderOptions& options)
        : name_(log.name()), options_(options) {}

    Result<Conversion> run(evtx::Reader reader) {
        evtx::Record record;
        while (reader.next(record)) {
            const auto event = events_.read(record);
            if (!event) {
                ++done_.undecodable;
                report("a record with damaged XML", record);
                continue;
            }
            if (auto added = add(**event, record); !added) {
                return std::unexpected(added.error());
            }
        }
        done_.counts = reader.counts();
        return finish();
    }

private:
    /// The writer begins with the time of the first event.
    Result<void> open(Filetime start) {
        trace::Recording recording = trace::begin_recording(start);
        recording.header.boot_time = 0; // a log states neither
        recording.header.provider_version = 0;
        recording.header.major_version = 0;
        trace::WriterOptions options{.recording = std::move(recording), .files = &files_};
        options.file.buffer_size = trace_buffer_size;
        auto writer = trace::Writer::create(name_, std::move(options));
        if (!writer) {
            return std::unexpected(writer.error());
        }
        writer_ = std::move(*writer);
        return {};
    }

    Result<void> add(const evtx::Event& event, const evtx::Record& record) {
        const Filetime time = event.time.value_or(record.written);
        if (!writer_) {
            if (auto opened = open(time); !opened) {
                return opened;
            }
        }
        self_describing_.describe(event);
        items_.clear();
        const Guid related = event.related_activity.value_or(Guid{});
        if (event.related_activity) {
            items_.push_back({ItemType::related_activity_id, related.bytes});
        }
        if (!event.user_sid.empty()) {
            items_.push_back({ItemType::sid, event.user_sid});
        }
        const auto session = bytes_of(event.session.value_or(0));
        if (event.session) {
            items_.push_back({ItemType::terminal_session_id, session});
        }
        const auto record_id = bytes_of(event.record_id);
        items_.push_back({ItemType::event_key, record_id});
        items_.push_back({ItemType::event_schema_tl, self_describing_.metadata()});
        items_.push_back({ItemType::provider_traits, self_describing_.traits()});
        const std::uint32_t processor = event.processor.value_or(0);
        const auto added = writer_->add(
            record_of(event, time),
            static_cast<std::uint16_t>(processor < limits::processors ? processor : 0));
        if (!added && added.error().code == ErrorCode::limit) {
            ++done_.too_large;
            report("an event that exceeds a record of 64 KB", record);
            return {};
        }
        return added;
    }

    format::EventRecord record_of(const evtx::Event& event, Filetime time) const noexcept {
        return {.process_id = event.process_id.value_or(format::unknown_id),
                .thread_id = event.thread_id.value_or(format::unknown_id),
                .time = time.ticks,
                .provider = event.provider_guid.value_or(Guid{}),
                .descriptor = {.id = static_cast<std::uint16_t>(event.id),
                               .version = event.version,
                               .level = event.level,
                               .opcode = event.opcode,
                               .task = event.task,
                               .keyword = event.keywords},
                .kernel_time = event.kernel_time.value_or(0),
                .user_time = event.user_time.value_or(0),
                .activity = event.activity.value_or(Guid{}),
                .items = items_,
                .payload = self_describing_.payload()};
    }

    void report(const char* what, const evtx::Record& record) {
        if (options_.diagnostics != nullptr) {
            options_.diagnostics->report({.severity = Severity::warning,
                                          .what = what,
                                          .where = record.where,
                                          .bytes_skipped = record.size + evtx::record_overhead,
                                          .file = options_.file});
        }
    }

    Result<Conversion> finish() {
        if (!writer_) {
            if (auto opened = open(Filetime{Filetime::unix_epoch}); !opened) {
                return std::unexpected(opened.error());
            }
        }
        if (auto closed = writer_->close(); !closed) {
            return std::unexpected(closed.error());
        }
        writer_.reset();
        std::vector<std::byte> trace = std::move(files_.files().begin()->second);
        count_missing(trace);
        done_.trace = io::InputFile::from_memory(std::move(trace), name_);
        return std::move(done_);
    }

    /// The header was written before it was known what is missing.
    void count_missing(MutableBytes trace) const {
        constexpr unsigned pointer_size = 8;
        const MutableBytes record = trace.subspan(format::buffer_header::size);
        const MutableBytes payload =
            record.first(format::record_at(record).size).subspan(format::system_record::size);
        if (auto header = format::parse_logfile_header(payload, pointer_size, {})) {
            constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
            header->events_lost = static_cast<std::uint32_t>(std::min(done_.missing(), most));
            std::ranges::copy(format::encode_logfile_header(*header, pointer_size),
                              payload.begin());
        }
    }

    std::string name_;
    evtx::ReaderOptions options_;
    io::MemoryFiles files_;
    std::unique_ptr<trace::Writer> writer_;
    evtx::EventReader events_;
    SelfDescribing self_describing_;
    std::vector<ExtendedItem> items_;
    Conversion done_;
};

} // namespace

bool is_event_log(const io::InputFile& file) noexcept {
    return evtx::looks_like_event_log(file.bytes());
}

Result<Conversion> convert(const io::InputFile& log, const evtx::ReaderOptions& options) {
    auto reader = evtx::Reader::open(log.bytes(), options);
    if (!reader) {
        return std::unexpected(reader.error());
    }
    return Converter(log, options).run(std::move(*reader));
}

} // namespace etl::eventlog

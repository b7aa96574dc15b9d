#include "trace/writer.hpp"

#include "base/limits.hpp"
#include "flow/context.hpp"
#include "flow/losses.hpp"
#include "format/set_field.hpp"
#include "trace/writing/open_buffers.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace etl::trace {

namespace {

/// The least record has four bytes, but is only recognised with its padding.
format::RecordShape shape_of(Bytes record) noexcept {
    std::array<std::byte, 8> padded{};
    if (record.empty() || record.size() >= padded.size()) {
        return format::record_at(record);
    }
    std::ranges::copy(record, padded.begin());
    return format::record_at(padded);
}

bool has_invalid_flags(const flow::Event& event) noexcept {
    return format::has_invalid_flags(event.kind, event.bytes());
}

} // namespace

struct Writer::State {
    State(std::unique_ptr<LogFile> log_file, const WriterOptions& options,
          const Recording& recording)
        : file(std::move(log_file)), buffers(*file, options, recording),
          logger_id(recording.logger_id),
          per_processor(
              (recording.header.log_file_mode & format::log_mode::no_per_processor_buffering) == 0),
          indicates_losses(flow::indicate_unknown_losses(recording.extra_records)) {}

    using Place = OpenBuffers::Place;

    Result<void> add(Place place, Bytes record, const format::RecordShape& shape);
    void add(flow::Run run);
    void add_others(flow::Run run);
    void add_sound(Place place, flow::Run run);
    void add_broken(Place place, flow::Event event);
    Place place_of(const flow::Event& event) const noexcept;
    void lose_event();

    std::unique_ptr<LogFile> file;
    OpenBuffers buffers;
    std::uint16_t logger_id; // of records that come without one
    bool per_processor;
    bool indicates_losses; // by an event in the header buffer: no other is needed
    std::uint64_t events_written = 0;
    std::uint64_t events_lost = 0;
    std::uint64_t events_corrected = 0;
    std::vector<std::byte> mended; // the record of the one at hand
};

void Writer::State::lose_event() {
    ++events_lost;
    file->add_lost_events(1);
}

Writer::State::Place Writer::State::place_of(const flow::Event& event) const noexcept {
    return {.processor = per_processor ? event.buffer->processor : std::uint16_t{0},
            .logger_id = event.buffer->logger_id};
}

Result<void> Writer::State::add(Place place, Bytes record, const format::RecordShape& shape) {
    if (place.processor >= etl::limits::processors) {
        return fail(ErrorCode::limit, "processor number", {}, etl::limits::processors - 1,
                    place.processor);
    }
    if (shape.size > buffers.capacity()) {
        lose_event();
        return fail(ErrorCode::limit, "record larger than a buffer", {}, buffers.capacity(),
                    shape.size);
    }
    buffers.append(place, record, shape);
    ++events_written;
    return {};
}

void Writer::State::add(flow::Run run) {
    while (indicates_losses && !run.empty()) {
        const auto own = std::ranges::find_if(run, flow::indicates_unknown_losses);
        if (own == run.end()) {
            break;
        }
        add_others({run.begin(), own});
        run = {own + 1, run.end()};
    }
    add_others(run);
}

void Writer::State::add_others(flow::Run run) {
    if (run.empty()) {
        return;
    }
    const Place place = place_of(run.front());
    if (place.processor >= etl::limits::processors) {
        std::ranges::for_each(run, [&](const flow::Event&) { lose_event(); });
        return;
    }
    while (!run.empty()) {
        const auto broken = std::ranges::find_if(run, has_invalid_flags);
        add_sound(place, run.first(static_cast<std::size_t>(broken - run.begin())));
        run = {broken, run.end()};
        if (!run.empty()) {
            add_broken(place, run.front());
            run = run.subspan(1);
        }
    }
}

void Writer::State::add_sound(Place place, flow::Run run) {
    while (!run.empty()) {
        if (run.front().size > buffers.capacity()) [[unlikely]] {
            lose_event();
            run = run.subspan(1);
            continue;
        }
        const std::size_t count = buffers.append_block(place, run);
        events_written += count;
        run = run.subspan(count);
    }
}

void Writer::State::add_broken(Place place, flow::Event event) {
    mended.assign(event.record, event.record + event.size);
    format::clear_invalid_flags(event.kind, mended);
    event.record = mended.data();
    ++events_corrected;
    add_sound(place, {&event, 1});
}

Writer::Writer(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}

Writer::~Writer() = default;

Result<std::unique_ptr<Writer>> Writer::create(const std::string& path, WriterOptions options) {
    Recording recording =
        options.recording ? *std::move(options.recording) : begin_recording(now());
    if ((recording.header.log_file_mode & format::log_mode::no_per_processor_buffering) != 0) {
        recording.header.number_of_processors = 1;
    }
    auto file = LogFile::open(path, recording, options.file,
                              options.files != nullptr ? *options.files : io::disk());
    if (!file) {
        return std::unexpected(file.error());
    }
    return std::unique_ptr<Writer>(
        new Writer(std::make_unique<State>(*std::move(file), options, recording)));
}

Result<void> Writer::add(std::uint16_t processor, Bytes record, bool has_usable_time) {
    format::RecordShape shape = shape_of(record);
    shape.has_time = shape.has_time && has_usable_time;
    if (shape.kind == format::RecordKind::none || shape.size != record.size()) {
        return fail(ErrorCode::malformed, "record", {}, shape.size, record.size());
    }
    const bool is_alone = !state_->per_processor && processor < etl::limits::processors;
    return state_->add({is_alone ? std::uint16_t{0} : processor, state_->logger_id}, record, shape);
}

Result<void> Writer::add(const flow::Event& event) {
    return state_->add(state_->place_of(event), event.bytes(),
                       {.kind = event.kind,
                        .has_time = event.has_time,
                        .size = event.size,
                        .time = event.raw_time});
}

void Writer::add(flow::Run run) {
    if (!run.empty()) {
        state_->add(run);
    }
}

void Writer::flush() {
    state_->buffers.write_all(0);
    state_->file->drain();
}

Result<void> Writer::close() {
    state_->buffers.write_all(format::buffer_flag::flush_marker);
    return state_->file->close();
}

const LogFileStatus& Writer::status() const noexcept {
    return state_->file->status();
}

std::uint64_t Writer::events_written() const noexcept {
    return state_->events_written;
}

std::uint64_t Writer::events_lost() const noexcept {
    return state_->events_lost;
}

std::uint64_t Writer::events_corrected() const noexcept {
    return state_->events_corrected;
}

namespace {

constexpr std::uint64_t events_between_progress = 1U << 14U;

/// Runs into a writer, without the records that are the writer's own.
class Copying {
public:
    explicit Copying(Writer& writer) noexcept
        : writer_(&writer), written_before_(writer.events_written()),
          lost_before_(writer.events_lost()), corrected_before_(writer.events_corrected()) {}

    void add(flow::Run run) {
        while (!run.empty()) {
            const auto header = std::ranges::find_if(run, flow::is_logfile_header);
            const auto count = static_cast<std::size_t>(header - run.begin());
            writer_->add(run.first(count));
            const bool ends_at_header = count < run.size();
            headers_ += ends_at_header ? 1U : 0U;
            run = run.subspan(count + (ends_at_header ? 1U : 0U));
        }
    }

    CopyResult result() const noexcept {
        return {.events = writer_->events_written() - written_before_,
                .headers = headers_,
                .lost = writer_->events_lost() - lost_before_,
                .corrected = writer_->events_corrected() - corrected_before_};
    }

private:
    Writer* writer_;
    std::uint64_t written_before_, lost_before_, corrected_before_;
    std::uint64_t headers_ = 0;
};

} // namespace

Result<CopyResult> copy(flow::Source& source, Writer& writer, const CopyOptions& options) {
    Copying copying(writer);
    std::uint64_t taken = 0;
    std::uint64_t told = 0;
    for (flow::Run run = source.next_run(); !run.empty(); run = source.next_run()) {
        copying.add(run);
        taken += run.size();
        if (options.progress && taken - told >= events_between_progress) {
            told = taken;
            if (!options.progress(taken, run.back())) {
                CopyResult result = copying.result();
                result.stopped = true;
                return result;
            }
        }
    }
    if (const Error* const error = source.error()) {
        return std::unexpected(*error);
    }
    return copying.result();
}

} // namespace etl::trace

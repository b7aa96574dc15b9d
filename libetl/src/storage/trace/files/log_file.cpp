#include "trace/log_file.hpp"

#include "base/limits.hpp"
#include "base/text.hpp"
#include "trace/files/gathered_writer.hpp"
#include "trace/files/packing_line.hpp"
#include "trace/limits.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace etl::trace {

namespace {

// Which options of a log contradict each other, or its path. Errors: invalid_option, see
// LogFile::open.

std::unexpected<Error> contradiction(const char* what, std::uint64_t need = 0,
                                     std::uint64_t have = 0) {
    return fail(ErrorCode::invalid_option, what, {}, need, have);
}

Result<void> check_sizes(const LogFileOptions& options) {
    const std::uint32_t size = options.buffer_size;
    if (size < limits::min_buffer || size > etl::limits::buffer_bytes ||
        size % limits::buffer_granule != 0) {
        return contradiction("buffer size: must be a multiple of 512 from 1 KB to 16 MB", 0, size);
    }
    const std::uint64_t limit = options.limit.bytes();
    if (limit == 0 && options.mode == FileMode::circular) {
        return contradiction("a circular file requires a size limit");
    }
    if (limit == 0 && options.mode == FileMode::new_file) {
        return contradiction("a series of files requires a size limit");
    }
    if (limit == 0 && options.preallocate) {
        return contradiction("preallocation requires a size limit");
    }
    if (limit != 0 && limit < 2 * std::uint64_t{size} && options.mode != FileMode::circular) {
        return contradiction("the size limit is smaller than two buffers", 2 * std::uint64_t{size},
                             limit);
    }
    return {};
}

Result<void> check_log_file(const std::string& path, const LogFileOptions& options) {
    const bool compresses = options.compression != codec::Format::none;
    const bool packs = options.container != io::Container::none;
    if (options.mode == FileMode::circular && (compresses || packs)) {
        return contradiction("a circular file cannot be compressed");
    }
    if (options.mode == FileMode::append && (compresses || packs)) {
        return contradiction("a compressed file cannot be appended to");
    }
    if (compresses && packs) {
        return contradiction("buffer compression and a container exclude each other");
    }
    if (options.preallocate && packs) {
        return contradiction("a container cannot be preallocated");
    }
    if (options.mode == FileMode::new_file && find_series_number(path) == std::string_view::npos) {
        return contradiction("the file name of a series requires one `%d` and no other `%`");
    }
    return check_sizes(options);
}

} // namespace

struct LogFile::State {
    State(const std::string& path, const Recording& recording, const LogFileOptions& options,
          io::FileFactory& files);

    Lineage lineage;
    LogFileOptions options;
    LogCounts counts;
    FileSeries series;
    std::optional<GatheredWriter> gathering; // none: every buffer is written by itself
    std::unique_ptr<PackingLine> line;
    std::vector<BufferMemory> free;
    std::int64_t first_sequence = 1;

    bool is_sound(const FilledBufferView& buffer) const noexcept;
    bool admits(const FilledBufferView& buffer);
    void put_down(PackedBuffer& packed);
    void keep_memory(BufferMemory memory);
    void end_file();
};

LogFile::State::State(const std::string& path, const Recording& recording,
                      const LogFileOptions& given, io::FileFactory& files)
    : lineage(recording.lineage), options(given), counts(recording.reference_time),
      series(path, recording, given, files, counts) {
    if (options.gather && options.compression != codec::Format::none) {
        gathering.emplace(options.buffer_size, series, counts);
    }
}

bool LogFile::State::is_sound(const FilledBufferView& buffer) const noexcept {
    return buffer.memory != nullptr && buffer.used >= format::buffer_header::size &&
           buffer.used <= options.buffer_size && buffer.processor < most_processors(lineage);
}

/// A buffer that is no buffer, or comes too late, is lost.
bool LogFile::State::admits(const FilledBufferView& buffer) {
    if (series.is_closed()) {
        counts.lose({ErrorCode::invalid_option, "buffer for a closed file"});
        return false;
    }
    if (!is_sound(buffer)) {
        counts.lose({ErrorCode::invalid_option, "buffer out of bounds"});
        return false;
    }
    return true;
}

void LogFile::State::put_down(PackedBuffer& packed) {
    counts.forget_latest_failure();
    if (!packed.bytes) {
        counts.lose(packed.bytes.error());
    } else if (!(gathering ? gathering->put(packed) : series.put(packed))) {
        counts.add_lost(1);
    }
    keep_memory(std::exchange(packed.memory, nullptr));
}

void LogFile::State::keep_memory(BufferMemory memory) {
    // Those under way, and one to fill: a flush writes as many at once as there are processors.
    if (memory && free.size() < line->most_under_way() + 1) {
        free.push_back(std::move(memory));
    }
}

/// Nothing more comes into the open file.
void LogFile::State::end_file() {
    if (gathering) {
        gathering->give_up();
    }
}

LogFile::LogFile(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}

LogFile::~LogFile() = default;

Result<std::unique_ptr<LogFile>> LogFile::open(const std::string& path, const Recording& recording,
                                               const LogFileOptions& options,
                                               io::FileFactory& files) {
    if (auto checked = check_log_file(path, options); !checked) {
        return std::unexpected(checked.error());
    }
    auto state = std::make_unique<State>(path, recording, options, files);
    auto line = PackingLine::create(recording, options);
    if (!line) {
        return std::unexpected(line.error());
    }
    state->line = std::move(*line);
    if (auto fits = HeaderBuffer::make(recording, options, to_utf16(path)); !fits) {
        return std::unexpected(fits.error());
    }
    if (!options.delay_open || options.mode == FileMode::append) {
        if (auto opened = state->series.open(); !opened) {
            return std::unexpected(opened.error());
        }
        state->first_sequence = state->series.file().last_sequence() + 1;
    }
    return std::unique_ptr<LogFile>(new LogFile(std::move(state)));
}

BufferMemory LogFile::memory() {
    if (state_->free.empty()) {
        return std::make_unique_for_overwrite<std::byte[]>(state_->options.buffer_size);
    }
    BufferMemory memory = std::move(state_->free.back());
    state_->free.pop_back();
    return memory;
}

void LogFile::write(FilledBuffer buffer) {
    if (state_->admits(buffer.view())) {
        state_->line->feed(std::move(buffer),
                           [&](PackedBuffer& packed) { state_->put_down(packed); });
    }
}

void LogFile::write_view(const FilledBufferView& buffer) {
    if (!state_->admits(buffer)) {
        return;
    }
    const LogFileStatus& status = state_->counts.status();
    const std::uint64_t before = status.buffers_written + status.buffers_lost;
    try {
        take_view(buffer);
    } catch (const std::bad_alloc&) {
        if (status.buffers_written + status.buffers_lost == before) {
            state_->counts.lose({ErrorCode::limit, "not enough memory for a buffer"});
        }
    }
}

void LogFile::take_view(const FilledBufferView& buffer) {
    const auto put_down = [&](PackedBuffer& packed) { state_->put_down(packed); };
    if (state_->line->packs_at_once()) {
        return state_->line->feed_at_once(buffer, put_down);
    }
    FilledBuffer copy{.memory = memory(),
                      .used = buffer.used,
                      .processor = buffer.processor,
                      .flags = buffer.flags,
                      .sequence = buffer.sequence,
                      .time_stamp = buffer.time_stamp,
                      .newest_time = buffer.newest_time,
                      .type = buffer.type,
                      .logger_id = buffer.logger_id};
    std::ranges::copy(Bytes(buffer.memory, buffer.used), copy.memory.get());
    state_->line->feed(std::move(copy), put_down);
}

std::int64_t LogFile::first_sequence() const noexcept {
    return state_->first_sequence;
}

void LogFile::add_lost_events(std::uint64_t count) noexcept {
    state_->counts.add_lost_events(count);
}

void LogFile::extend_to(std::int64_t raw_time) noexcept {
    state_->counts.extend_to(raw_time);
}

Result<void> LogFile::update_header() {
    FileSeries& series = state_->series;
    return series.is_open() ? series.file().update_header(state_->counts.losses()) : Result<void>{};
}

Result<void> LogFile::switch_file() {
    if (state_->options.mode != FileMode::new_file) {
        return fail(ErrorCode::invalid_option,
                    "only a series of files can switch to the next file");
    }
    FileSeries& series = state_->series;
    if (series.is_closed()) {
        return fail(ErrorCode::invalid_option, "the series is closed");
    }
    drain();
    if (series.is_open()) {
        state_->end_file();
        series.leave();
    }
    series.ensure_open();
    return series.last_open();
}

void LogFile::drain() {
    state_->line->drain([&](PackedBuffer& packed) { state_->put_down(packed); });
    if (state_->gathering) {
        state_->gathering->write_all();
    }
}

Result<void> LogFile::close() {
    drain();
    state_->end_file();
    return state_->series.close();
}

Bytes LogFile::header_buffer() const noexcept {
    if (!state_->series.is_open()) {
        return {};
    }
    const HeaderBuffer& header = state_->series.file().header();
    return clamped(header.bytes(), 0, header.used());
}

const LogFileStatus& LogFile::status() const noexcept {
    return state_->counts.status();
}

} // namespace etl::trace

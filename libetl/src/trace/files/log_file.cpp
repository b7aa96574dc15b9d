#include <etl/base/limits.hpp>
#include <etl/base/text.hpp>
#include <etl/flow/clock.hpp>
#include <etl/trace/limits.hpp>
#include <etl/trace/log_file.hpp>

#include "trace/files/gathered.hpp"
#include "trace/files/packing_line.hpp"
#include "trace/files/trace_file.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace etl::trace {

namespace {

std::unexpected<Error> contradiction(const char* what, std::uint64_t need = 0,
                                     std::uint64_t have = 0) {
    return fail(ErrorCode::invalid_option, what, {}, need, have);
}

/// `pattern` with `number` in place of the last `%d`.
template <typename Text>
Text numbered(const Text& pattern, unsigned number) {
    const typename Text::value_type directive[] = {'%', 'd'};
    const std::size_t at = pattern.rfind(directive, Text::npos, 2);
    if (at == Text::npos) {
        return pattern;
    }
    const std::string digits = std::to_string(number);
    Text text = pattern.substr(0, at);
    text.append(digits.begin(), digits.end());
    return text.append(pattern, at + 2);
}

Result<void> check_sizes(const LogFileOptions& options) {
    const std::uint32_t size = options.buffer_size;
    if (size < limits::smallest_buffer || size > limits::buffer_bytes ||
        size % limits::buffer_granule != 0) {
        return contradiction("buffer size: a multiple of 512 from 1 KB to 16 MB", 0, size);
    }
    const std::uint64_t limit = options.limit.bytes();
    if (limit == 0 && options.mode == FileMode::circular) {
        return contradiction("a circular file needs a limit");
    }
    if (limit == 0 && options.mode == FileMode::new_file) {
        return contradiction("a series of files needs a limit");
    }
    if (limit == 0 && options.preallocate) {
        return contradiction("preallocation needs a limit");
    }
    if (limit != 0 && limit < 2 * std::uint64_t{size} && options.mode != FileMode::circular) {
        return contradiction("the limit has no room for two buffers", 2 * std::uint64_t{size},
                             limit);
    }
    return {};
}

Result<void> check(const std::string& path, const LogFileOptions& options) {
    const bool compresses = options.compression != codec::Format::none;
    const bool packs = options.container != io::Container::none;
    if (options.mode == FileMode::circular && (compresses || packs)) {
        return contradiction("a circular file cannot be compressed: its buffers have one size");
    }
    if (options.mode == FileMode::append && (compresses || packs)) {
        return contradiction("a compressed file cannot be appended to");
    }
    if (compresses && packs) {
        return contradiction("compression and a container at once");
    }
    if (options.preallocate && packs) {
        return contradiction("a container cannot be preallocated");
    }
    if (options.mode == FileMode::new_file && series_number_at(path) == std::string_view::npos) {
        return contradiction("the file name of a series has one `%d` and no other `%`");
    }
    return check_sizes(options);
}

} // namespace

std::size_t series_number_at(std::string_view path) noexcept {
    constexpr std::size_t none = std::string_view::npos;
    const std::size_t slash = path.find_last_of("/\\");
    const std::size_t name = slash == none ? 0 : slash + 1;
    const std::size_t at = path.find('%', name);
    const bool has_one_number =
        at != none && path.substr(at).starts_with("%d") && path.find('%', at + 1) == none;
    return has_one_number ? at : none;
}

struct LogFile::State {
    std::string pattern; // the path as it was given
    Recording recording;
    LogFileOptions options;
    io::FileMaker* files = nullptr;
    LogFileStatus status;
    std::unique_ptr<PackingLine> line;
    std::unique_ptr<TraceFile> file;  // null: delayed, or could not be made
    std::optional<Gathered> gathered; // compressed buffers that are not in the file yet
    std::vector<BufferMemory> free;
    unsigned number = 1; // of the file in a series
    std::int64_t first_sequence = 1;
    std::uint64_t events_lost = 0;
    std::int64_t newest_time = 0;
    std::uint32_t processors = 0;
    std::uint64_t buffers_in_file = 0; // behind the header buffer
    Result<void> last_open;            // the last time that a file was to be made
    Result<void> finished;             // the first failure
    bool is_closed = false;

    bool is_sound(const BufferView& buffer) const noexcept;
    bool admits(const BufferView& buffer);
    void lose(const Error& error);
    bool is_owed_a_file() const noexcept;
    Result<void> close();
    Result<void> open_file();
    void finish_file(std::int64_t end_time);
    void leave_file();
    FileCounts counts(std::int64_t end_time) const;
    FileCounts losses() const noexcept;
    bool make_room();
    void put_down(PackingLine::Packed& packed);
    bool put(Bytes bytes);
    void note_written(std::int64_t buffer_newest, std::uint16_t processor);
    bool gather(const PackingLine::Packed& packed);
    bool make_room_to_gather(std::uint64_t size);
    bool write_gathered();
    void write_all_gathered();
    void give_up_gathered();
    void keep(const Error& error);
};

void LogFile::State::keep(const Error& error) {
    if (!status.failure) {
        status.failure = {.path = status.path, .error = error};
    }
}

bool LogFile::State::is_sound(const BufferView& buffer) const noexcept {
    constexpr std::uint32_t processors_of_windows7 = 256; // the number has a byte
    const std::uint32_t most =
        recording.lineage == Lineage::windows7 || recording.lineage == Lineage::unmarked
            ? processors_of_windows7
            : limits::processors;
    return buffer.memory != nullptr && buffer.used >= format::buffer_header::size &&
           buffer.used <= options.buffer_size && buffer.processor < most;
}

void LogFile::State::lose(const Error& error) {
    ++status.buffers_lost;
    status.latest_failure = error;
    keep(error);
}

/// A buffer that is no buffer, or comes too late, is lost.
bool LogFile::State::admits(const BufferView& buffer) {
    if (is_closed) {
        lose({ErrorCode::invalid_option, "a buffer for a file that is closed"});
        return false;
    }
    if (!is_sound(buffer)) {
        lose({ErrorCode::invalid_option, "a buffer out of bounds"});
        return false;
    }
    return true;
}

Result<void> LogFile::State::open_file() {
    const bool is_series = options.mode == FileMode::new_file;
    status.path = is_series ? numbered(pattern, number) : pattern;
    Recording named = recording;
    if (is_series) {
        named.header.log_file_name = numbered(named.header.log_file_name, number);
    }
    Result<std::unique_ptr<TraceFile>> opened = fail(ErrorCode::not_found, "no file yet");
    if (options.mode == FileMode::append) {
        opened = TraceFile::append_to(*files, status.path, named, options);
    }
    const bool is_new = !opened && opened.error().code == ErrorCode::not_found;
    if (is_new) {
        opened = TraceFile::create(*files, status.path, named, options, to_utf16(status.path));
    }
    if (!opened) {
        return std::unexpected(opened.error());
    }
    file = std::move(*opened);
    buffers_in_file = 0;
    ++status.files;
    if (is_new) {
        ++status.buffers_written;
        status.bytes_written += file->header_bytes();
    }
    return {};
}

/// `end_time` 0: that of the newest event.
FileCounts LogFile::State::counts(std::int64_t end_time) const {
    const format::LogfileHeader& header = file->header().header();
    const std::int64_t reference = file->header().reference_time();
    const std::int64_t newest =
        flow::Clock(header, reference).to_filetime(std::max(newest_time, reference)).ticks;
    constexpr std::int64_t earliest_end = 1; // 0 would say that it is not finished
    return {.end_time =
                end_time != 0 ? end_time : std::max({newest, header.end_time, earliest_end}),
            .buffers_written = buffers_in_file,
            .processors = processors,
            .events_lost = events_lost,
            .buffers_lost = status.buffers_lost};
}

FileCounts LogFile::State::losses() const noexcept {
    return {
        .processors = processors, .events_lost = events_lost, .buffers_lost = status.buffers_lost};
}

void LogFile::State::finish_file(std::int64_t end_time) {
    give_up_gathered();
    auto outcome = file->finish(counts(end_time));
    status.bytes_written += file->table_bytes();
    file.reset();
    if (!outcome) {
        keep(outcome.error());
        finished = finished ? outcome : finished;
    }
}

/// Finishes the file of a series that is not the last one. A failure is kept and ends nothing.
void LogFile::State::leave_file() {
    finish_file(0);
    ++number;
}

/// Makes sure that a file is open.
bool LogFile::State::make_room() {
    if (file) {
        return true;
    }
    last_open = open_file();
    if (!last_open) {
        status.latest_failure = last_open.error();
        keep(last_open.error());
    }
    return last_open.has_value();
}

/// There is none, but there is something to say in one.
bool LogFile::State::is_owed_a_file() const noexcept {
    const bool lost_anything = events_lost != 0 || status.buffers_lost != 0;
    return !file && (!last_open || (status.files == 0 && lost_anything));
}

Result<void> LogFile::State::close() {
    if (!is_closed && is_owed_a_file()) {
        make_room();
    }
    if (file) {
        finish_file(recording.header.end_time);
    }
    is_closed = true;
    return finished ? last_open : finished;
}

/// True when the buffer got into a file.
bool LogFile::State::put(Bytes bytes) {
    for (unsigned attempt = 0; attempt < 2; ++attempt) {
        if (status.full || !make_room()) {
            return false;
        }
        const auto outcome = file->put(bytes, options.buffer_size);
        if (!outcome) {
            status.latest_failure = outcome.error();
            keep(outcome.error());
            return false;
        }
        if (*outcome == TraceFile::Put::written) {
            return true;
        }
        if (options.mode != FileMode::new_file) {
            status.full = true; // a series never ends
            return false;
        }
        if (buffers_in_file == 0) {
            return false; // what an empty file has no room for, the next one has not either
        }
        leave_file();
    }
    return false;
}

void LogFile::State::note_written(std::int64_t buffer_newest, std::uint16_t processor) {
    ++status.buffers_written;
    ++buffers_in_file;
    newest_time = std::max(newest_time, buffer_newest);
    processors = std::max(processors, processor + 1U);
}

/// What was gathered, up to one buffer's worth. False: all that lay there as a whole is lost; the
/// rest of a buffer that is in the file in part stays for the next time.
bool LogFile::State::write_gathered() {
    const Bytes bytes = gathered->next();
    const auto outcome = file->put(bytes, options.buffer_size);
    if (!outcome) {
        status.latest_failure = outcome.error();
        keep(outcome.error());
        status.buffers_lost += gathered->drop();
        return false;
    }
    status.bytes_written += bytes.size();
    for (const Gathered::Buffer& buffer : gathered->written()) {
        note_written(buffer.newest_time, buffer.processor);
    }
    if (options.durability == Durability::every_buffer) {
        if (const auto synced = file->sync(); !synced) {
            keep(synced.error());
        }
    }
    return true;
}

void LogFile::State::write_all_gathered() {
    while (gathered && file && gathered->bytes() != 0 && write_gathered()) {
    }
}

/// The file ends: what could not be written is lost, with the part of it that could.
void LogFile::State::give_up_gathered() {
    if (!gathered) {
        return;
    }
    write_all_gathered();
    if (const std::uint64_t begun = gathered->begun(); begun != 0) {
        file->take_back(begun);
        ++status.buffers_lost;
    }
    gathered->clear();
}

/// A file that has room for what was gathered and so many bytes more.
bool LogFile::State::make_room_to_gather(std::uint64_t size) {
    for (unsigned attempt = 0; attempt < 2; ++attempt) {
        if (status.full || !make_room()) {
            return false;
        }
        if (file->has_room(gathered->bytes() + size)) {
            return true;
        }
        write_all_gathered();
        if (options.mode != FileMode::new_file) {
            status.full = true;
            return false;
        }
        if (buffers_in_file == 0) {
            return false;
        }
        leave_file();
    }
    return false;
}

/// True when the buffer is in the file, or will be.
bool LogFile::State::gather(const PackingLine::Packed& packed) {
    if (!make_room_to_gather(packed.bytes->size())) {
        return false;
    }
    gathered->add(*packed.bytes, {.bytes = packed.bytes->size(),
                                  .newest_time = packed.buffer.newest_time,
                                  .processor = packed.buffer.processor});
    while (gathered->is_ready() && write_gathered()) {
    }
    return true;
}

void LogFile::State::put_down(PackingLine::Packed& packed) {
    status.latest_failure.reset();
    if (packed.bytes && gathered) {
        status.buffers_lost += gather(packed) ? 0U : 1U;
    } else if (packed.bytes && put(*packed.bytes)) {
        note_written(packed.buffer.newest_time, packed.buffer.processor);
        status.bytes_written += packed.bytes->size();
        if (options.durability == Durability::every_buffer) {
            if (const auto synced = file->sync(); !synced) {
                keep(synced.error());
            }
        }
    } else {
        ++status.buffers_lost;
        if (!packed.bytes) {
            status.latest_failure = packed.bytes.error();
            keep(packed.bytes.error());
        }
    }
    // Those under way, and one to fill: a flush writes as many at once as there are processors.
    if (packed.memory && free.size() < line->most_under_way() + 1) {
        free.push_back(std::move(packed.memory));
    }
    packed.memory.reset();
}

LogFile::LogFile(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}

LogFile::~LogFile() = default;

Result<std::unique_ptr<LogFile>> LogFile::open(const std::string& path, const Recording& recording,
                                               const LogFileOptions& options,
                                               io::FileMaker& files) {
    if (auto checked = check(path, options); !checked) {
        return std::unexpected(checked.error());
    }
    auto state = std::make_unique<State>();
    state->pattern = path;
    state->recording = recording;
    state->options = options;
    state->files = &files;
    state->newest_time = recording.reference_time;
    if (options.gather && options.compression != codec::Format::none) {
        state->gathered.emplace(options.buffer_size);
    }
    auto line = PackingLine::create(recording, options);
    if (!line) {
        return std::unexpected(line.error());
    }
    state->line = std::move(*line);
    if (auto fits = HeaderBuffer::make(recording, options, to_utf16(path)); !fits) {
        return std::unexpected(fits.error());
    }
    if (!options.delay_open || options.mode == FileMode::append) {
        if (auto opened = state->open_file(); !opened) {
            return std::unexpected(opened.error());
        }
        state->first_sequence = state->file->last_sequence() + 1;
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
                           [&](PackingLine::Packed& packed) { state_->put_down(packed); });
    }
}

void LogFile::write_view(const BufferView& buffer) {
    if (!state_->admits(buffer)) {
        return;
    }
    const LogFileStatus& status = state_->status;
    const std::uint64_t before = status.buffers_written + status.buffers_lost;
    try {
        take_view(buffer);
    } catch (const std::bad_alloc&) {
        if (status.buffers_written + status.buffers_lost == before) {
            state_->lose({ErrorCode::limit, "no memory for a buffer"});
        }
    }
}

void LogFile::take_view(const BufferView& buffer) {
    const auto put_down = [&](PackingLine::Packed& packed) { state_->put_down(packed); };
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
    state_->events_lost += count;
}

void LogFile::extend_to(std::int64_t raw_time) noexcept {
    state_->newest_time = std::max(state_->newest_time, raw_time);
}

Result<void> LogFile::update_header() {
    return state_->file ? state_->file->update_header(state_->losses()) : Result<void>{};
}

Result<void> LogFile::switch_file() {
    if (state_->options.mode != FileMode::new_file) {
        return contradiction("only a series of files has a next one");
    }
    if (state_->is_closed) {
        return contradiction("the series is closed");
    }
    drain();
    if (state_->file) {
        state_->leave_file();
    }
    state_->make_room();
    return state_->last_open;
}

void LogFile::drain() {
    state_->line->drain([&](PackingLine::Packed& packed) { state_->put_down(packed); });
    state_->write_all_gathered();
}

Result<void> LogFile::close() {
    drain();
    return state_->close();
}

Bytes LogFile::header_buffer() const noexcept {
    if (!state_->file) {
        return {};
    }
    const HeaderBuffer& header = state_->file->header();
    return clamped(header.bytes(), 0, header.used());
}

const LogFileStatus& LogFile::status() const noexcept {
    return state_->status;
}

} // namespace etl::trace

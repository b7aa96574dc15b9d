#include "tests/support/traces/trace_builder.hpp"

#include "format/records.hpp"
#include "trace/log_file.hpp"

#include <algorithm>
#include <map>

namespace etl::test {

namespace {

namespace header = format::buffer_header;

constexpr std::uint16_t logger_id = 5;
constexpr const char* path = "made.etl";

template <typename T>
T must(Result<T> result) {
    if (!result) {
        throw std::logic_error(describe(result.error()));
    }
    return *std::move(result);
}

/// Valid bytes that are not those which the buffer has.
void say_used(Image& buffer, std::uint32_t used) {
    const auto front = MutableBytes(buffer).first<header::size>();
    store<header::saved_offset>(front, used);
    store<header::current_offset>(front, used);
    store<header::offset>(front, used);
}

} // namespace

BufferBuilder::BufferBuilder(const BufferFacts& facts, std::int64_t sequence)
    : facts_(facts), sequence_(sequence) {
    records_.fill(header::size);
}

BufferBuilder& BufferBuilder::raw(Bytes bytes) {
    records_.align(8).bytes(bytes);
    return *this;
}

TraceBuilder::TraceBuilder(TraceFacts facts)
    : facts_(std::move(facts)), header_({.type = format::BufferType::header}, 0) {}

BufferBuilder& TraceBuilder::buffer(const BufferFacts& facts) {
    const std::int64_t sequence = facts.sequence.value_or(next_sequence_);
    next_sequence_ = sequence + 1;
    return buffers_.emplace_back(facts, sequence);
}

TraceBuilder& TraceBuilder::begin_run() noexcept {
    next_sequence_ = 1;
    return *this;
}

TraceBuilder& TraceBuilder::wrap(std::size_t count) {
    std::ranges::rotate(buffers_, buffers_.begin() + static_cast<std::ptrdiff_t>(count));
    return *this;
}

bool TraceBuilder::is_compressed() const noexcept {
    return std::ranges::any_of(buffers_, [](const BufferBuilder& buffer) {
        return buffer.facts().compression != codec::Format::none;
    });
}

format::LogfileHeader TraceBuilder::logfile_header() const {
    format::LogfileHeader h;
    const bool relogged = facts_.lineage == trace::Lineage::relogger;
    h.buffer_size = facts_.buffer_size;
    h.major_version = facts_.windows_major;
    h.minor_version = facts_.windows_minor;
    h.sub_version = is_compressed() ? 2 : facts_.layout_major;
    h.sub_minor_version = is_compressed() ? 0 : facts_.layout_minor;
    h.provider_version = facts_.build;
    h.number_of_processors = facts_.processors;
    h.end_time = facts_.end_time.value_or(0);
    h.timer_resolution = 156'250;
    h.log_file_mode = facts_.mode | (relogged ? format::log_mode::relog : 0U) |
                      (is_compressed() ? format::log_mode::compressed : 0U);
    const auto written = static_cast<std::uint32_t>(1 + buffers_.size());
    h.buffers_written = facts_.buffers_written.value_or(facts_.end_time ? written : 0U);
    h.start_buffers = 1;
    h.pointer_size = facts_.pointer_size;
    h.events_lost = facts_.events_lost;
    h.cpu_speed_mhz = facts_.cpu_speed_mhz;
    h.logger_name_pointer = relogged ? 0 : 2;
    h.log_file_name_pointer = relogged ? 0 : 5;
    h.time_zone = {.bias = -60,
                   .standard_name = u"@tzres.dll,-322",
                   .standard_date = {0, 10, 0, 5, 3, 0, 0, 0},
                   .standard_bias = 0,
                   .daylight_name = u"@tzres.dll,-321",
                   .daylight_date = {0, 3, 0, 5, 2, 0, 0, 0},
                   .daylight_bias = -60};
    h.boot_time = facts_.boot_time;
    h.perf_freq = facts_.perf_freq;
    h.start_time = facts_.start_time;
    h.reserved_flags = static_cast<std::uint32_t>(facts_.clock);
    h.buffers_lost = facts_.buffers_lost;
    h.session_name = facts_.session_name;
    h.log_file_name = facts_.file_name;
    return h;
}

trace::Recording TraceBuilder::recording() const {
    trace::Recording recording;
    recording.header = logfile_header();
    recording.header_pointer_size = facts_.pointer_size;
    recording.reference_time = facts_.reference_time;
    recording.process_id = facts_.process_id;
    recording.thread_id = facts_.thread_id;
    recording.logger_id = logger_id;
    recording.lineage = facts_.lineage;
    const Bytes extras = header_.bytes().subspan(header::size);
    recording.extra_records.assign(extras.begin(), extras.end());
    return recording;
}

TraceBuilder::Pieces TraceBuilder::write(codec::Format compression) const {
    io::MemoryFiles files;
    const auto log = must(trace::LogFile::open(
        path, recording(), {.buffer_size = facts_.buffer_size, .compression = compression}, files));
    const Image& file = files.files().at(path);
    Pieces pieces{file, {}};
    for (const BufferBuilder& buffer : buffers_) {
        const BufferFacts& facts = buffer.facts();
        const Bytes bytes = buffer.bytes();
        if (bytes.size() > facts_.buffer_size) {
            throw std::logic_error("the records do not fit into a buffer");
        }
        const auto last = &buffer == &buffers_.back() ? format::buffer_flag::flush_marker : 0U;
        trace::BufferMemory memory = log->memory();
        std::ranges::copy(bytes, memory.get());
        const auto begin = static_cast<std::ptrdiff_t>(file.size());
        log->write({.memory = std::move(memory),
                    .used = static_cast<std::uint32_t>(bytes.size()),
                    .processor = facts.processor,
                    .flags = static_cast<std::uint16_t>(facts.flags | last),
                    .sequence = buffer.sequence(),
                    .time_stamp = facts.time_stamp,
                    .type = facts.type});
        pieces.buffers.emplace_back(file.begin() + begin, file.end());
        if (facts.used) {
            say_used(pieces.buffers.back(), *facts.used);
        }
    }
    if (!log->close()) {
        throw std::logic_error("the file cannot be finished");
    }
    std::copy_n(file.begin(), pieces.header.size(), pieces.header.begin());
    return pieces;
}

/// What the file says of itself where that is not what was done: modes in which buffers came to lie
/// as they do, a session that was never stopped, a layout of old.
void TraceBuilder::restate(Image& header_buffer) const {
    constexpr std::size_t payload_at = header::size + format::system_record::size;
    const auto payload = MutableBytes(header_buffer).subspan(payload_at);
    auto header = must(format::parse_logfile_header(payload, facts_.pointer_size, {}));
    const format::LogfileHeader wanted = logfile_header();
    header.log_file_mode = wanted.log_file_mode;
    header.end_time = wanted.end_time;
    header.buffers_written = wanted.buffers_written;
    header.sub_version = wanted.sub_version;
    header.sub_minor_version = wanted.sub_minor_version;
    std::ranges::copy(format::encode_logfile_header(header, facts_.pointer_size), payload.begin());
}

Image TraceBuilder::build() const {
    // A file of LogFile has one compression. Where the buffers of a made-up one have several, it is
    // written once with each, and put together from these.
    std::map<codec::Format, Pieces> written;
    codec::Format header_format = codec::Format::none;
    for (const BufferBuilder& buffer : buffers_) {
        const codec::Format format = buffer.facts().compression;
        header_format = std::max(header_format, format);
        if (!written.contains(format)) {
            written.emplace(format, write(format));
        }
    }
    if (written.empty()) {
        written.emplace(header_format, write(header_format));
    }
    Image file = written.at(header_format).header;
    restate(file);
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
        const Image& buffer = written.at(buffers_[i].facts().compression).buffers[i];
        file.insert(file.end(), buffer.begin(), buffer.end());
    }
    return file;
}

} // namespace etl::test

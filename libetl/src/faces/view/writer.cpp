#include "trace/writer.hpp"

#include <etl/writer.hpp>

#include "io/find_files.hpp"
#include "io/writable_file.hpp"
#include "rewrite/output.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace etl::inline view {

namespace {

constexpr const char* memory_name = "memory";

} // namespace

struct Writer::State {
    io::MemoryFiles memory{};
    bool is_in_memory = false;
    bool is_closed = false;
    std::unique_ptr<trace::Writer> writer{};

    std::optional<TraceError> open(const std::string& path, const WriterOptions& options);

    /// The result of a call, or an earlier failure to write.
    Result<void> checked(const Result<void>& result) const {
        const auto& failure = writer->status().failure;
        return result && failure ? std::unexpected(failure->error) : result;
    }
};

Writer::Writer(Owned<State> state) noexcept : state_(std::move(state)) {}

Writer::Writer(Writer&& other) noexcept = default;
Writer& Writer::operator=(Writer&& other) noexcept = default;
Writer::~Writer() = default;

std::optional<TraceError> Writer::State::open(const std::string& path,
                                              const WriterOptions& options) {
    trace::WriterOptions how{
        .recording = trace::begin_recording(options.start == Filetime{} ? now() : options.start,
                                            options.processors == 0 ? 1 : options.processors)};
    how.file.compression = rewrite::codec_of(options.compression);
    how.file.buffer_size = options.buffer_size;
    how.file.limit = {.count = options.max_size_mb};
    if (options.is_circular) {
        how.file.mode = trace::FileMode::circular;
    }
    if (is_in_memory) {
        how.files = &memory;
    }
    auto created = trace::Writer::create(path, std::move(how));
    if (!created) {
        return TraceError{created.error(), path, {}};
    }
    writer = *std::move(created);
    return std::nullopt;
}

std::expected<Writer, TraceError> Writer::create(const std::string& path,
                                                 const WriterOptions& options) {
    if (options.existing == Existing::keep && io::is_regular_file(path)) {
        return std::unexpected(TraceError{
            {.code = ErrorCode::invalid_option, .what = "existing file"}, path, "already exists"});
    }
    auto state = std::make_unique<State>();
    if (auto error = state->open(path, options)) {
        return std::unexpected(*std::move(error));
    }
    return Writer(std::move(state));
}

std::expected<Writer, TraceError> Writer::to_memory(const WriterOptions& options) {
    auto state = std::make_unique<State>();
    state->is_in_memory = true;
    if (auto error = state->open(memory_name, options)) {
        return std::unexpected(*std::move(error));
    }
    return Writer(std::move(state));
}

Result<void> Writer::add(const format::EventRecord& record, std::uint16_t processor) {
    return state_->writer->add(record, processor);
}

Result<void> Writer::flush() {
    state_->writer->flush();
    return state_->checked({});
}

Result<void> Writer::close() {
    state_->is_closed = true;
    return state_->checked(state_->writer->close());
}

std::uint64_t Writer::events_written() const noexcept {
    return state_->writer->events_written();
}

std::vector<std::byte> Writer::take() {
    if (!state_->is_closed) {
        return {};
    }
    return std::exchange(state_->memory.files()[memory_name], {});
}

} // namespace etl::inline view

// Traces read once and sequentially: from a pipe, from a device, or while another program writes
// them. Events are available before the end, in bounded memory. docs/streams.md
#pragma once

#include <etl/error.hpp>

#include "flow/source.hpp"
#include "io/byte_stream.hpp"
#include "trace/reader.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace etl::trace {

/// An open stream whose beginning has been examined. Not thread-safe.
class StreamInput {
public:
    /// Reads enough to recognize a trace: its first buffer, or at most 1 MB of other data. Errors:
    /// empty_file, not_a_trace, io_failure.
    static Result<StreamInput> open(std::shared_ptr<io::ByteStream> stream, std::string name);

    /// A spool_reason(). Chunks of an event log (.evtx) are rewritten in place while it grows.
    static constexpr std::string_view event_log = "an event log";

    /// Returns the name for messages; `-` for standard input.
    const std::string& name() const noexcept { return name_; }

    /// Returns why the trace must be spooled and cannot be read sequentially: "compressed or
    /// archived", "circular", ...; empty if StreamReader can read it.
    std::string_view spool_reason() const noexcept { return spool_reason_; }

    /// Reads the stream to its end into an unlinked temporary file. Call once. Errors: io_failure,
    /// limit.
    Result<std::shared_ptr<const io::InputFile>> spool(const io::UnpackOptions& options = {}) &&;

private:
    friend class StreamReader;

    StreamInput(std::shared_ptr<io::ByteStream> stream, std::string name)
        : stream_(std::move(stream)), name_(std::move(name)) {}

    Result<void> recognize();
    bool is_recognized(bool is_last);

    std::shared_ptr<io::ByteStream> stream_;
    std::string name_;
    std::vector<std::byte> head_; // bytes read so far
    bool has_ended_ = false;
    std::string_view spool_reason_;
};

class GrowingTrace;

struct StreamOptions {
    /// Order::time within the window, or Order::file: order of arrival.
    Order order = Order::time;
    std::uint32_t file = 0; // number of this input
    /// Must outlive the reader; null: findings are only counted.
    DiagnosticSink* diagnostics = nullptr;
    /// Called with the events of each arriving buffer, before any of them is returned.
    std::function<void(flow::Run events)> on_arrival{};
    /// Total size of buffers held back to sort their events, as stored in the stream. Compressed
    /// buffers use up to eight times as much memory.
    std::size_t window_bytes = 8U << 20U;
    /// After a pause of this length, all events that have arrived are returned.
    std::chrono::milliseconds pause{500};
    /// Maximum time for which events are held back while the reader waits for the stream.
    std::chrono::milliseconds max_delay{2000};
    /// Stop flag, set by any thread or signal handler: complete buffers that have arrived are
    /// returned, then the trace ends. May be null; must outlive the reader.
    const std::atomic<bool>* stop = nullptr;
    /// The stream, if it is a growing trace: whether buffers are missing is judged by its final
    /// header. Must outlive the reader; null: by the header that was read first.
    const GrowingTrace* growing = nullptr;
};

/// The events of a stream in time order, within a window. A source that pauses (Source::is_paused).
/// An event that arrives after later ones were returned is returned late, and counted. Buffers are
/// found and loaded as by Reader, with the same findings. Not thread-safe.
class StreamReader final : public flow::Source {
public:
    /// Errors: invalid_option (an input with a spool_reason(), or Order::buffers).
    static Result<std::unique_ptr<StreamReader>> open(StreamInput input,
                                                      const StreamOptions& options = {});
    ~StreamReader() override;

    /// Returns the content of the header buffer. Sizes and buffer counts are 0, because they are
    /// known only at the end.
    const flow::TraceInfo& info() const noexcept;

    /// Blocks until events can be returned or the stream pauses.
    flow::Run next_run() override;
    flow::Pin pin() const override;
    /// Returns io_failure of the stream; events that arrived before it were returned.
    const Error* error() const noexcept override;
    bool is_paused() const noexcept override;

    /// Returns the number of events returned after later ones despite Order::time.
    std::uint64_t late_events() const noexcept;

    /// Returns the number of findings of Severity::warning so far, which report structural damage.
    std::uint64_t damage() const noexcept;

private:
    struct State;
    explicit StreamReader(std::unique_ptr<State> state) noexcept;

    std::unique_ptr<State> state_;
};

/// A trace file that is being written by another program, as a stream of complete buffers. It
/// pauses at the end of the written data and ends when the file is finalized (EndTime in its
/// header). Not thread-safe.
class GrowingTrace final : public io::ByteStream {
public:
    /// Errors: not_found, io_failure, unsupported (not a regular file).
    static Result<std::unique_ptr<GrowingTrace>> open(const std::string& path);
    ~GrowingTrace() override;

    Result<Arrival> read(MutableBytes into, std::chrono::milliseconds timeout) override;

    /// Skips all complete buffers without waiting or reading their records. Returns how many bytes
    /// precede the first one that is not complete; after truncation, how many preceded it before.
    /// Errors: io_failure.
    Result<std::uint64_t> skip();

    /// Returns the first `size` bytes, as a trace that does not grow and can outlive this object.
    /// Errors: io_failure.
    Result<std::shared_ptr<const io::InputFile>> head(std::uint64_t size) const;

    /// The reason the stream ended.
    enum class End : std::uint8_t {
        none,      // not ended
        finalized, // finalized by its writer
        truncated, // the file became shorter than the data already read; its current content is not
                   // read
        replaced,  // the path refers to another file, or none; the old file was read to its end
    };

    End end() const noexcept;

    /// Returns the header of the finalized trace; null: the end is another one, or not reached.
    const format::LogfileHeader* final_header() const noexcept;

private:
    struct State;
    explicit GrowingTrace(std::unique_ptr<State> state) noexcept;

    std::unique_ptr<State> state_;
};

} // namespace etl::trace

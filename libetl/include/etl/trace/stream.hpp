// A trace that can be read once and in sequence: through a pipe, from a device, or while another
// program writes it. Its events come before its end, in bounded memory. docs/streams.md
#pragma once

#include <etl/base/diagnostic.hpp>
#include <etl/flow/source.hpp>
#include <etl/io/byte_stream.hpp>
#include <etl/trace/reader.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace etl::trace {

/// An open stream whose beginning was looked at. One thread.
class StreamInput {
public:
    /// Reads what it takes to recognize a trace: its first buffer, or at most 1 MB of what is none.
    /// Errors: empty_file, not_a_trace, io_failure.
    static Result<StreamInput> open(std::shared_ptr<io::ByteStream> stream, std::string name);

    /// For messages; `-` for standard input.
    const std::string& name() const noexcept { return name_; }

    /// Why the trace must be read more than once: "compressed or archived", "circular", ... Empty:
    /// StreamReader reads it as it comes.
    std::string_view spool_reason() const noexcept { return spool_reason_; }

    /// Reads all of it into an unlinked temporary file. Call once. Errors: io_failure, limit.
    Result<std::shared_ptr<const io::InputFile>> spool(const io::UnpackOptions& options = {}) &&;

private:
    friend class StreamReader;

    StreamInput(std::shared_ptr<io::ByteStream> stream, std::string name)
        : stream_(std::move(stream)), name_(std::move(name)) {}

    Result<void> recognize();
    bool is_recognized(bool is_last);

    std::shared_ptr<io::ByteStream> stream_;
    std::string name_;
    std::vector<std::byte> head_; // what was read
    bool has_ended_ = false;
    std::string_view spool_reason_;
};

struct StreamOptions {
    /// Order::time within the window, or Order::file: as the buffers come.
    Order order = Order::time;
    std::uint32_t file = 0;                // number of this input among several
    DiagnosticSink* diagnostics = nullptr; // outlives the reader; null: findings are only counted
    /// Called with the events of each buffer when it has arrived, before any of them is returned.
    std::function<void(flow::Run events)> on_arrival{};
    /// Buffers are held back up to this size, as they are in the stream, so that their events can
    /// be put in order. Compressed ones take up to eight times as much memory.
    std::size_t window_bytes = 8U << 20U;
    /// After a pause of this length everything that has arrived is returned.
    std::chrono::milliseconds pause{500};
    /// Nothing is held back longer than this while the reader waits for the stream.
    std::chrono::milliseconds max_delay{2000};
    /// Set by any thread or signal handler: complete buffers that have arrived are returned, then
    /// the trace ends. May be null; outlives the reader.
    const std::atomic<bool>* stop = nullptr;
};

/// The events of a stream in time order, within a window. A source that pauses (Source::is_paused):
/// an event that arrives after later ones were returned is returned all the same, and counted.
/// Buffers are found and loaded as Reader does it, with the same findings. One thread.
class StreamReader final : public flow::Source {
public:
    /// Errors: invalid_option (an input with an obstacle, or Order::buffers).
    static Result<std::unique_ptr<StreamReader>> open(StreamInput input,
                                                      const StreamOptions& options = {});
    ~StreamReader() override;

    /// What the header buffer says. Sizes and numbers of buffers are 0: they are known at the end.
    const flow::TraceInfo& info() const noexcept;

    /// Waits until events can be returned or the stream pauses.
    flow::Run next_run() override;
    flow::Pin pin() const override;
    /// io_failure of the stream; what arrived before was returned.
    const Error* error() const noexcept override;
    bool is_paused() const noexcept override;

    /// Events so far that were returned after later ones, although Order::time was asked for.
    std::uint64_t late_events() const noexcept;

    /// Findings of Severity::warning so far: the structure was damaged.
    std::uint64_t damage() const noexcept;

private:
    struct State;
    explicit StreamReader(std::unique_ptr<State> state) noexcept;

    std::unique_ptr<State> state_;
};

/// A trace file that another program still writes, as a stream: bytes of complete buffers, as they
/// are written. It pauses at the end of what is written, and ends when the file is finalized
/// (EndTime in its header). One thread.
class GrowingTrace final : public io::ByteStream {
public:
    /// Errors: not_found, io_failure, unsupported (not a regular file).
    static Result<std::unique_ptr<GrowingTrace>> open(const std::string& path);
    ~GrowingTrace() override;

    Result<Arrival> read(MutableBytes into, std::chrono::milliseconds timeout) override;

    /// Why the stream ended.
    enum class End : std::uint8_t {
        none,      // it has not
        finalized, // its writer is done
        truncated, // the file became shorter than what was read; what it holds now is not read
        replaced,  // its path names another file, or none; the old file was read to its end
    };

    End end() const noexcept;

private:
    struct State;
    explicit GrowingTrace(std::unique_ptr<State> state) noexcept;

    std::unique_ptr<State> state_;
};

} // namespace etl::trace

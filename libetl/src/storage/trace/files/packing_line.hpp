// Makes of filled buffers what lies in the file: one at a time (BufferPacker), and in the threads
// of a line, in order (PackingLine). docs/format/writing.md#buffers
#pragma once

#include "base/function_ref.hpp"
#include "base/task_pool.hpp"
#include "codec/codec.hpp"
#include "trace/log_file.hpp"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace etl::trace {

/// Owns the tables of its encoders. One thread; each thread has its own.
class BufferPacker {
public:
    /// Errors: unsupported (no such compression or container).
    static Result<BufferPacker> create(const Recording& recording, const LogFileOptions& options);

    /// The bytes for the file. They lie in the buffer's memory or in `scratch`, which keeps its
    /// memory from call to call; where nothing is compressed, maybe in this object, until the next
    /// call. Memory behind what the buffer uses is touched where that is little only. Errors: those
    /// of FrameEncoder::encode; limit (memory).
    Result<Bytes> pack(const FilledBufferView& buffer, std::vector<std::byte>& scratch);

private:
    BufferPacker() = default;
    void complete(const FilledBufferView& buffer) const noexcept;
    Result<Bytes> packed(const FilledBufferView& buffer, std::vector<std::byte>& scratch);
    Bytes fill_up(const FilledBufferView& buffer) const noexcept;
    Bytes filled_up(const FilledBufferView& buffer);
    Bytes compress(const FilledBufferView& buffer, std::vector<std::byte>& scratch);

    Lineage lineage_ = Lineage::session;
    std::uint16_t logger_id_ = 0;
    std::uint32_t buffer_size_ = 0;
    codec::Format format_ = codec::Format::none;
    std::optional<codec::Compressor> compressor_;
    std::optional<io::FrameEncoder> framer_;
    std::unique_ptr<std::byte[]> copy_; // of a large buffer; buffer_size_ bytes, or none yet
};

// Buffers on their way to the file: packed by the caller or by several threads, put down in the
// order in which they came. One thread; those of the pool only pack.

/// A buffer, and the bytes that shall lie in the file for it.
struct PackedBuffer {
    BufferMemory memory; // of the buffer; null: it is somebody else's
    FilledBufferView buffer;
    std::vector<std::byte> scratch;
    Result<Bytes> bytes{Bytes{}};
};

class PackingLine {
public:
    using PutDown = FunctionRef<void(PackedBuffer& packed)>;

    /// Errors: those of BufferPacker::create.
    static Result<std::unique_ptr<PackingLine>> create(const Recording& recording,
                                                       const LogFileOptions& options);
    PackingLine(const PackingLine&) = delete;
    PackingLine& operator=(const PackingLine&) = delete;
    /// What is under way is dropped.
    ~PackingLine() = default;

    /// How many buffers may be under way at once.
    std::size_t most_under_way() const noexcept { return most_; }

    /// Takes a buffer. Puts down what is ready, and waits for the oldest when too many are under
    /// way.
    void feed(FilledBuffer buffer, PutDown put_down);

    /// Whether a buffer is put down when feed() returns: then it need not own its memory.
    bool packs_at_once() const noexcept { return most_ == 0; }

    void feed_at_once(const FilledBufferView& buffer, PutDown put_down);

    /// Puts down all that is under way.
    void drain(PutDown put_down);

private:
    struct Job {
        PackedBuffer packed;
        bool is_done = false; // guarded by mutex_
    };

    PackingLine(std::vector<BufferPacker> packers, unsigned threads);
    void start(FilledBuffer buffer);
    void work(Job& job);
    bool is_ready(const Job& job);
    void put_down_first(PutDown put_down);

    std::mutex mutex_;
    std::condition_variable done_;
    std::vector<BufferPacker> packers_; // that nobody uses now; guarded by mutex_
    std::deque<std::unique_ptr<Job>> under_way_;
    std::vector<std::unique_ptr<Job>> idle_;
    std::size_t most_;
    TaskPool pool_; // last: its threads end before what they work on
};

} // namespace etl::trace

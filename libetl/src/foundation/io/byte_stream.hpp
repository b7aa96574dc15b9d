// Byte streams that can only be read sequentially, once: pipes, FIFOs, devices. Not thread-safe.
#pragma once

#include "io/input_file.hpp"
#include "io/unpack.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace etl::io {

class ByteStream {
public:
    enum class State : std::uint8_t {
        data,  // `size` bytes were read, at least one
        pause, // no data available at the moment
        end,   // no more data
    };

    struct Arrival {
        State state = State::end;
        std::size_t size = 0;
    };

    virtual ~ByteStream() = default;

    /// Reads available data into `into`, which must not be empty. Waits at most `timeout` for the
    /// first byte, or until a signal is handled. Errors: io_failure.
    virtual Result<Arrival> read(MutableBytes into, std::chrono::milliseconds timeout) = 0;
};

/// Returns whether `path` (`-`: standard input) can only be read sequentially: it is neither a
/// regular file nor a directory.
bool is_stream(const std::string& path) noexcept;

/// Opens a path for which is_stream() is true. A FIFO opens once a writer has opened it. Errors:
/// not_found, io_failure.
Result<std::unique_ptr<ByteStream>> open_stream(const std::string& path);

/// Reads `stream` to its end into an unlinked temporary file, after `head`, and maps it. Errors:
/// io_failure, limit (more than UnpackOptions::max_unpacked bytes).
Result<std::shared_ptr<const InputFile>> spool(ByteStream& stream, Bytes head, std::string name,
                                               const UnpackOptions& options = {});

/// Returns the directory for temporary files: $TMPDIR or /tmp; the user's temporary directory on
/// Windows.
std::string spool_directory();

/// Returns half of the free bytes in spool_directory(), the default limit of the copy of a stream;
/// limits::unpacked_bytes if unknown.
std::uint64_t spool_allowance() noexcept;

/// Returns the default limit of what `packed_size` bytes are decompressed to: 100 times as much,
/// but at least 1 GB, and at most spool_allowance(). The temporary directory can be memory.
std::uint64_t unpack_allowance(std::uint64_t packed_size) noexcept;

/// A regular file that another program is writing. Not thread-safe.
class GrowingFile {
public:
    /// Errors: not_found, io_failure, unsupported (not a regular file).
    static Result<GrowingFile> open(const std::string& path);
    GrowingFile(GrowingFile&& other) noexcept;
    GrowingFile& operator=(GrowingFile&&) = delete;
    GrowingFile(const GrowingFile&) = delete;
    GrowingFile& operator=(const GrowingFile&) = delete;
    ~GrowingFile();

    /// Reads bytes at `where`; fewer than the size of `into` only at the end of the file. Errors:
    /// io_failure.
    Result<std::size_t> read_at(FileOffset where, MutableBytes into) const;

    /// Returns the current file size. Errors: io_failure.
    Result<std::uint64_t> size() const;

    /// Maps the first `size` bytes, or all if there are fewer: an input that does not grow, has the
    /// path as its name, and outlives this object. Errors: io_failure.
    Result<std::shared_ptr<const InputFile>> head(std::uint64_t size) const;

    /// Returns whether its path now refers to another file, or none.
    bool is_replaced() const noexcept;

private:
    struct State;
    explicit GrowingFile(std::unique_ptr<State> state) noexcept;

    std::unique_ptr<State> state_;
};

} // namespace etl::io

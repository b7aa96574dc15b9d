// Bytes that can be read once and in sequence: pipes, FIFOs, devices. One thread.
#pragma once

#include <etl/io/input_file.hpp>
#include <etl/io/unpack.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace etl::io {

class ByteStream {
public:
    enum class State : std::uint8_t {
        data,  // `size` bytes were read, at least one
        pause, // nothing has arrived for now
        end,   // nothing will arrive
    };

    struct Arrival {
        State state = State::end;
        std::size_t size = 0;
    };

    virtual ~ByteStream() = default;

    /// Reads what has arrived into `into`, which is not empty; waits at most `timeout` for the
    /// first byte, or until a signal is handled. Errors: io_failure.
    virtual Result<Arrival> read(MutableBytes into, std::chrono::milliseconds timeout) = 0;
};

/// Whether `path` (`-`: standard input) can only be read in sequence: it is neither a regular file
/// nor a folder.
bool is_stream(const std::string& path) noexcept;

/// Opens a path for which is_stream() holds; a FIFO when a writer has opened it. Errors: not_found,
/// io_failure.
Result<std::unique_ptr<ByteStream>> open_stream(const std::string& path);

/// Reads `stream` to its end into an unlinked temporary file, after `head`, and maps it. Errors:
/// io_failure, limit (more than UnpackOptions::max_unpacked bytes).
Result<std::shared_ptr<const InputFile>> spool(ByteStream& stream, Bytes head, std::string name,
                                               const UnpackOptions& options = {});

/// The folder of temporary files: $TMPDIR, else /tmp; the user's temporary folder on Windows.
std::string spool_directory();

/// Half of the bytes that are free in spool_directory() now; limits::unpacked_bytes if the system
/// does not say.
std::uint64_t spool_allowance() noexcept;

/// A regular file that another program writes to. One thread.
class GrowingFile {
public:
    /// Errors: not_found, io_failure, unsupported (not a regular file).
    static Result<GrowingFile> open(const std::string& path);
    GrowingFile(GrowingFile&& other) noexcept;
    GrowingFile& operator=(GrowingFile&&) = delete;
    GrowingFile(const GrowingFile&) = delete;
    GrowingFile& operator=(const GrowingFile&) = delete;
    ~GrowingFile();

    /// Reads what is at `where`: less than `into` holds only at the end of the file. Errors:
    /// io_failure.
    Result<std::size_t> read_at(FileOffset where, MutableBytes into) const;

    /// Bytes in the file now. Errors: io_failure.
    Result<std::uint64_t> size() const;

    /// Whether its path has come to name another file, or none.
    bool is_replaced() const noexcept;

private:
    struct State;
    explicit GrowingFile(std::unique_ptr<State> state) noexcept;

    std::unique_ptr<State> state_;
};

} // namespace etl::io

// Writer: writes a trace file with the program's own records (docs/writing.md).
//
//     auto writer = etl::Writer::create("out.etl");
//     if (!writer) {
//         return std::puts(etl::describe(writer.error()).c_str());
//     }
//     auto added = writer->add(event.record({.time = etl::now().ticks})); // a provider's event
//     auto closed = writer->close(); // before it the file is not finalized, yet readable
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>
#include <etl/log_file.hpp>
#include <etl/owned.hpp>
#include <etl/record.hpp>
#include <etl/time.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace etl::inline view {

struct WriterOptions {
    /// Size of every buffer, in bytes: a multiple of 512, 1 KB to 16 MB. No record can be larger.
    std::uint32_t buffer_size = 64U << 10U;
    Compression compression = Compression::none;
    std::uint32_t processors = 1;
    Filetime start{}; // 0: now
    /// Limit for the file, in MB; 0: none. At the limit, further buffers are lost, or replace the
    /// oldest ones.
    std::uint32_t max_size_mb = 0;
    bool is_circular = false;           // requires a limit, and no compression
    Existing existing = Existing::keep; // a file of this name; it is replaced at once
};

/// Writes records to the buffers of their processors. Times are FILETIME. Not thread-safe.
class Writer {
public:
    /// Creates the file. Errors: invalid_option (an option, or the file exists), those of the file
    /// system.
    static std::expected<Writer, TraceError> create(const std::string& path,
                                                    const WriterOptions& options = {});

    /// Writes to memory; take() returns the bytes.
    static std::expected<Writer, TraceError> to_memory(const WriterOptions& options = {});

    Writer(Writer&& other) noexcept;
    Writer& operator=(Writer&& other) noexcept;
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    /// Without close(), the file remains unfinalized; records not flushed are lost.
    ~Writer();

    /// Appends a record, with its time as FILETIME. Errors: limit (larger than a buffer, or a
    /// processor number beyond 2047).
    Result<void> add(const format::EventRecord& record, std::uint16_t processor = 0);

    /// Writes every open buffer. Errors: those of the file system, also of earlier writes.
    Result<void> flush();

    /// Flushes and finalizes the file. Records added later are lost. Errors: as flush().
    Result<void> close();

    /// Returns the number of accepted records.
    std::uint64_t events_written() const noexcept;

    /// After close(): returns the bytes that a writer to memory has written. Empty before it, the
    /// second time, and for a file.
    std::vector<std::byte> take();

private:
    struct State;

    explicit Writer(Owned<State> state) noexcept;

    Owned<State> state_;
};

} // namespace etl::inline view

// Records of an event log, also of a damaged one. Not thread-safe. docs/format/evtx.md#damage
#pragma once

#include <etl/error.hpp>
#include <etl/time.hpp>

#include "evtx/layout.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace etl::evtx {

/// A record: views of the file.
struct Record {
    std::uint64_t id = 0; // EventRecordID
    Filetime written{};
    FileOffset where{};     // in the file
    Bytes chunk{};          // names and templates are at offsets in it
    std::uint32_t body = 0; // offset of the binary XML in `chunk`
    std::uint32_t size = 0; // of the binary XML, with padding
};

struct ReaderOptions {
    std::uint32_t file = 0;                // input number, for findings
    DiagnosticSink* diagnostics = nullptr; // null: findings are not reported
};

/// What reading encountered so far.
struct ReaderCounts {
    std::uint64_t chunks = 0;         // with records
    std::uint64_t damaged_chunks = 0; // a checksum mismatch, or no valid header
    std::uint64_t records = 0;
    std::uint64_t bytes_skipped = 0; // that were no records; zeros only in place of chunks
    /// Records that the log lacks, by the numbers of those around them. Not those that a log of
    /// limited size has overwritten.
    std::uint64_t missing_records = 0;
};

/// The finding about a log whose header is marked as dirty.
inline constexpr std::string_view not_closed = "the event log was not closed";

/// Returns whether the log was closed, judging by what was found in it.
inline bool was_closed(const DiagnosticList& findings) {
    return std::ranges::none_of(
        findings.list(), [](const Diagnostic& finding) { return finding.what == not_closed; });
}

/// Returns whether a file starts like an event log: with a file header or with a chunk.
bool looks_like_event_log(Bytes head) noexcept;

/// Reads chunks in the order of their record IDs, so also a log that wrapped around. If the file
/// header is damaged, chunks are found by their signatures; if a chunk header or a record is,
/// records are found by theirs and the size at both of their ends. Gaps between the numbers of
/// records, chunks of zeros, and chunks out of order are findings.
class Reader {
public:
    /// `file` must outlive the reader and its records. Errors: empty_file, not_a_trace (neither a
    /// file header nor a chunk), unsupported (major version).
    static Result<Reader> open(Bytes file, const ReaderOptions& options = {});

    /// Returns false at the end.
    bool next(Record& record);

    /// The file header; empty: damaged.
    const std::optional<FileHeader>& header() const noexcept { return header_; }

    const ReaderCounts& counts() const noexcept { return counts_; }

private:
    struct Chunk {
        std::size_t offset = 0;
        std::size_t size = 0;
        std::uint64_t number = 0; // in the file
        std::uint64_t first_id = 0;
        bool has_signature = false;
        bool has_header = false; // whose checksum is valid
    };

    Reader(Bytes file, const ReaderOptions& options) : file_(file), options_(options) {}

    void find_chunks();
    void add_chunk(Chunk chunk);
    void check_order();
    void check_end();
    void open_chunk(const Chunk& chunk);
    void begin_numbers(const ChunkHeader& header);
    void end_numbers();
    void count(const Record& record);
    void report_missing(const char* what, std::uint64_t until, std::size_t offset_in_chunk);
    bool next_in_chunk(Record& record);
    std::size_t record_size_at(std::size_t at) const noexcept;
    void skip_to_record();
    void report(Severity severity, const char* what, std::size_t offset_in_chunk,
                std::uint64_t skipped = 0, std::optional<MissingNumbers> missing = {});

    Bytes file_;
    ReaderOptions options_;
    std::optional<FileHeader> header_;
    std::vector<Chunk> chunks_;
    std::size_t zero_chunks_ = 0;      // before others
    std::uint64_t highest_number_ = 0; // that a chunk header or the file header states
    std::size_t next_chunk_ = 0;
    ReaderCounts counts_;

    Chunk current_{};
    Bytes chunk_{};
    std::size_t at_ = 0;     // in chunk_
    std::size_t end_ = 0;    // of records
    std::size_t stale_ = 0;  // here and after, records can be of an earlier use of the chunk
    bool has_newer_ = false; // records after stale_ that are newer; reported
    bool damaged_ = false;   // chunk_ is counted as damaged
    std::optional<std::uint64_t> last_id_; // in chunk_

    // Numbers count the records of a file. IDs do so, too, from another start; except in a log that
    // a query was exported into, whose records keep the IDs that they had.
    std::optional<std::uint64_t> last_number_; // of the records so far; none: not known
    std::optional<std::uint64_t> id_offset_;   // ID - number in chunk_; none: IDs have gaps
    std::optional<ChunkHeader> numbers_;       // of chunk_
    bool has_repeats_ = false;                 // of earlier records; reported
    bool has_ended_ = false;
};

} // namespace etl::evtx

// Writes an event log, version 3.1, one chunk of 64 KB in memory at a time. Not thread-safe.
// docs/format/evtx.md#writing
#pragma once

#include "base/output.hpp"
#include "evtx/event.hpp"
#include "evtx/layout.hpp"

#include <array>
#include <memory>

namespace etl::evtx {

/// Most chunks of a file, whose header counts them in 16 bits: 4 GB.
inline constexpr std::size_t max_chunks = 65535;

struct WriterOptions {
    std::uint64_t first_record = 1; // ID of the first record
    /// Most chunks; then add() returns the error limit. At least 1.
    std::size_t chunks = max_chunks;
};

struct WriterCounts {
    std::uint64_t records = 0;
    std::uint64_t cut = 0; // records with shortened values, because none may exceed a chunk
    std::uint64_t chunks = 0;
};

class ChunkWriter;
struct KnownTemplates;

class Writer {
public:
    using HeaderBlock = std::array<std::byte, block_size>;

    /// `output` receives the file from its start; it must outlive the writer.
    explicit Writer(Output& output, const WriterOptions& options = {});
    ~Writer();
    Writer(Writer&&) noexcept;
    Writer& operator=(Writer&&) noexcept;

    /// Writes an event. Its EventRecordID is Event::record_id, or if that is 0, the ID of the
    /// record. IDs of records ascend: it is the same unless that of an earlier record was higher.
    /// Events of one provider, channel, computer, and set of fields share their templates.
    ///
    /// EventData has an element `Data` per field and the attribute `Name` if Event::payload_name is
    /// set, others an element named like the field; characters that an XML name cannot contain
    /// become `_`. A value longer than 65,535 bytes and a record longer than a chunk are shortened
    /// at their longest strings, binary data, and arrays (WriterCounts::cut).
    ///
    /// Errors: those of the output; limit (the file has its most chunks: nothing was written,
    /// finish() and continue with another file; or the names alone exceed a chunk: the event is
    /// left out); invalid_option (an event ID or processor number too large for the format: the
    /// event is left out).
    Result<void> add(const Event& event);

    /// The same; faster if `known` was passed with all earlier events that differ from this one in
    /// nothing but their properties, their user, and the data of their values. Private to evtx.
    Result<void> add(const Event& event, KnownTemplates& known);

    /// Writes the last chunk; a file without records has an empty one. Returns the block that
    /// replaces the first block_size bytes of the output, which until then mark the log as not
    /// closed. Call once.
    Result<HeaderBlock> finish();

    /// Returns whether add() has failed because the file has its most chunks.
    bool is_full() const noexcept { return is_full_; }

    const WriterCounts& counts() const noexcept { return counts_; }

    /// ID of the next record.
    std::uint64_t next_record() const noexcept { return next_record_; }

private:
    Result<void> begin();
    Result<void> flush();
    HeaderBlock header_block(std::uint32_t flags) const;
    std::size_t put(const Event& event, KnownTemplates& known);
    Result<void> add_to_chunk(const Event& event, KnownTemplates& known, bool is_cut);
    Result<void> add_shortened(Event event, KnownTemplates& known, std::size_t excess);

    Output* output_;
    WriterOptions options_;
    WriterCounts counts_;
    std::unique_ptr<ChunkWriter> chunk_;
    std::vector<Field> shortened_;
    std::string key_;           // of a template
    std::uint64_t next_record_; // ID
    bool has_begun_ = false;
    bool is_full_ = false;
};

} // namespace etl::evtx

// The index pass: hops over buffer headers, finds every buffer, steps over damage.
// docs/format/buffer.md#index
#pragma once

#include <etl/byte_writer.hpp>

#include "trace/missing_buffers.hpp"
#include "trace/reader.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace etl::trace {

/// What the index pass found out about a file.
struct BufferIndex {
    std::vector<BufferEntry>
        entries; // in file order; entry 0 is the header buffer of an undamaged file
    std::vector<Diagnostic> findings;
    std::uint32_t codec = 3;    // COMPRESSION_FORMAT of compressed buffers
    bool is_convincing = false; // one header or more hardly is one by chance
};

/// Facts of the log file header that the hops need; all zero when it could not be read.
struct IndexHints {
    std::uint32_t buffer_size = 0;
    std::uint32_t log_file_mode = 0;
};

/// `content` is the file with these bytes: headers are read from it, not through its mapping, of
/// which each would take a page. Null: there is no file.
BufferIndex index_buffers(Bytes file, const IndexHints& hints,
                          const io::InputFile* content = nullptr);

/// Appends what the header of a buffer says, and where the buffer is: 44 bytes.
void add_entry(ByteWriter& to, const BufferEntry& entry);

/// Writes an index without findings, of a trace that is no container.
std::vector<std::byte> encode(const BufferIndex& index);

/// Returns what encode() wrote, if headers of the file at 256 places are as it says; nothing: it is
/// not the index of this file.
std::optional<BufferIndex> known_index(Bytes encoded, const io::InputFile& file);

/// What the fullest buffer holds, header included. `nominal` is what buffers hold at most.
std::uint32_t fullest(std::span<const BufferEntry> entries, std::uint32_t nominal) noexcept;

/// The highest processor number that buffers name, plus one.
std::uint32_t count_processors(std::span<const BufferEntry> entries) noexcept;

// Puts the index of a trace together, buffer by buffer in file order, and holds what the buffers'
// headers say against each other. What hops over the file decides where buffers are.

class IndexBuilder {
public:
    explicit IndexBuilder(const IndexHints& hints) : hints_(hints) {}

    /// Adds the buffer at `at` whose header is `head`: `size` bytes, of which `there` are in the
    /// file. The reference is good until the next call.
    BufferEntry& add(Bytes head, std::uint64_t at, std::uint32_t size, std::uint64_t there);

    /// The same for a buffer in a frame of a container; it is not known how much of a frame that is
    /// cut off can be had.
    enum class Frame : std::uint8_t { complete, truncated };
    void add_packed(Bytes head, std::uint64_t at, std::uint32_t size, FileOffset packed_where,
                    std::uint32_t packed_size, Frame state);

    void find(Severity severity, const char* what, std::uint64_t at, std::uint64_t skipped,
              std::optional<FileOffset> packed = {});

    std::uint64_t buffers() const noexcept { return drained_ + index_.entries.size(); }

    /// The entries and findings since the last call, for a trace that is indexed while it comes.
    BufferIndex drain();

    /// The index; nothing may be called after it.
    BufferIndex take(std::uint32_t codec);

private:
    void bound_claims();
    std::uint32_t run_of(const BufferEntry& entry);

    struct Last {
        BufferId id;
        std::uint32_t run;
    };

    IndexHints hints_;
    BufferIndex index_;
    std::uint64_t drained_ = 0; // entries
    std::unordered_map<std::uint32_t, Last> last_;
};

} // namespace etl::trace

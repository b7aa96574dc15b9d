// Puts the index of a trace together, buffer by buffer in file order, and holds what the buffers'
// headers say against each other. What hops over the file decides where buffers are.
#pragma once

#include "trace/buffer_id.hpp"
#include "trace/index/buffer_index.hpp"

#include <optional>
#include <unordered_map>

namespace etl::trace {

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

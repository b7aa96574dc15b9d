// Which addresses are mapped files, for the handler of MappingGuard. Private to io, POSIX only.
#pragma once

#include "base/bytes.hpp"

#include <atomic>
#include <cstdint>

namespace etl::io {

/// One mapping. Never freed, because the handler may look at it at any moment, but used again.
struct MappedRange {
    std::atomic<std::uint64_t> version{0}; // odd while the next two change
    std::atomic<std::uintptr_t> begin{0};
    std::atomic<std::uintptr_t> end{0};
    std::atomic<std::uint64_t> readable{0}; // from `begin` on; the handler lowers it
    MappedRange* next = nullptr;
    std::atomic<bool> is_taken{false};
};

/// Makes a mapping known. Null when there is no memory: it is then not guarded. Any thread.
MappedRange* enter_mapping(Bytes bytes) noexcept;

/// Call before it is unmapped.
void leave_mapping(MappedRange* range) noexcept;

} // namespace etl::io

// What packing and unpacking of containers share.
#pragma once

#include "trace/repack.hpp"

#include <algorithm>

namespace etl::trace {

/// Content that one thread works on before it is written.
inline constexpr std::size_t batch_bytes = 256U << 10U;

/// Memory of the batches under way at one time.
class MemoryUnderWay {
public:
    void take(std::size_t bytes) noexcept { bytes_ += bytes; }

    void give_back(std::size_t bytes) noexcept { bytes_ -= bytes; }

    bool is_full() const noexcept { return bytes_ >= max; }

private:
    static constexpr std::size_t max = 32U << 20U; // one batch may take more

    std::size_t bytes_ = 0;
};

inline RepackOptions with_sound_threads(RepackOptions options) {
    options.threads = std::clamp(options.threads, 1U, 64U);
    return options;
}

/// The caller only fills and writes.
inline unsigned pool_threads(const RepackOptions& options) noexcept {
    return options.threads > 1 ? options.threads : 0;
}

inline bool goes_on(const RepackOptions& options, std::uint64_t done, std::uint64_t all) {
    return !options.progress ||
           options.progress(static_cast<double>(done) / static_cast<double>(all));
}

} // namespace etl::trace

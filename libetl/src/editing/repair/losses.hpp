// What is not in a repaired trace: collected while it is written, in the order of time at the end.
#pragma once

#include "repair/repair.hpp"
#include "trace/missing_buffers.hpp"

#include <map>
#include <span>

namespace etl::repair {

/// What is known of one buffer once it was gone through.
struct KnownBuffer {
    FileOffset where{};
    std::optional<std::int64_t> oldest, newest; // raw
};

/// Keeps the first limits::repair_losses and counts the others.
class LossList {
public:
    void add(const Loss& loss);

    /// That of a part of a buffer: where nothing tells yet what it lies before, the next buffer of
    /// its processor will.
    void add_inside(const Loss& loss);

    /// A buffer of `processor` begins at a raw time.
    void begin_buffer(std::uint16_t processor, std::int64_t oldest);

    std::uint64_t count() const noexcept { return losses_.size() + more_; }

    /// Puts them into the report, in the order of time.
    void give(Report& report);

private:
    std::vector<Loss> losses_;
    std::map<std::uint16_t, std::vector<std::size_t>> open_ended_; // by processor
    std::uint64_t more_ = 0;
    bool has_losses_ = false;           // that the session did not report,
    std::uint64_t missing_buffers_ = 0; // and buffers among them
};

/// Fills in between what a damaged place of the file lies; `buffers` are in the order of the file.
void set_span(Loss& loss, std::span<const KnownBuffer> buffers);

/// What lies before and after buffers that are missing; `buffers` by number.
void set_span(Loss& loss, const trace::MissingBuffers::Gap& gap,
              std::span<const KnownBuffer> buffers);

} // namespace etl::repair

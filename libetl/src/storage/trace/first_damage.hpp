// Search for the first damage in the structure of a trace, for readers that stop there.
#pragma once

#include <etl/diagnostic.hpp>

#include "flow/event.hpp"
#include "io/input_file.hpp"

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>

namespace etl::trace {

/// The location of a finding of Severity::warning in the decompressed trace.
struct DamageLocation {
    FileOffset buffer{};      // offset of the damaged buffer, or of bytes between buffers
    std::uint32_t offset = 0; // in the decompressed buffer; records before it are intact
    Diagnostic finding{};     // description of the damage

    /// Returns whether the damage is after the event's record.
    bool is_after(const flow::Event& event) const noexcept {
        return event.buffer->where != buffer ? event.buffer->where < buffer
                                             : event.offset() < offset;
    }

    /// Compares locations.
    friend constexpr std::strong_ordering operator<=>(const DamageLocation& a,
                                                      const DamageLocation& b) noexcept {
        const auto by_buffer = a.buffer <=> b.buffer;
        return by_buffer != 0 ? by_buffer : a.offset <=> b.offset;
    }

    friend constexpr bool operator==(const DamageLocation& a, const DamageLocation& b) noexcept {
        return (a <=> b) == 0;
    }
};

/// Returns the first damage in file order, as Reader finds it; nothing for an intact trace. Reads
/// the entire trace with up to `threads` threads. A file that is not a trace is damaged at its
/// beginning. Thread-safe.
std::optional<DamageLocation> find_first_damage(std::shared_ptr<const io::InputFile> file,
                                                unsigned threads);

} // namespace etl::trace

// Where the structure of a trace is first damaged: for readers that want nothing after it.
#pragma once

#include <etl/base/diagnostic.hpp>
#include <etl/flow/event.hpp>
#include <etl/io/input_file.hpp>

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>

namespace etl::trace {

/// A place in the plain trace, that of a finding of Severity::warning.
struct DamageLocation {
    FileOffset buffer{};      // of the buffer that is damaged, or of bytes between buffers
    std::uint32_t offset = 0; // in the uncompressed buffer: its records before it are intact
    Diagnostic finding{};     // says what it is

    /// True for events whose record is stored before the damage.
    bool is_after(const flow::Event& event) const noexcept {
        return event.buffer->where != buffer ? event.buffer->where < buffer
                                             : event.offset() < offset;
    }

    /// By place.
    friend constexpr std::strong_ordering operator<=>(const DamageLocation& a,
                                                      const DamageLocation& b) noexcept {
        const auto by_buffer = a.buffer <=> b.buffer;
        return by_buffer != 0 ? by_buffer : a.offset <=> b.offset;
    }

    friend constexpr bool operator==(const DamageLocation& a, const DamageLocation& b) noexcept {
        return (a <=> b) == 0;
    }
};

/// Returns the first damage in the order of the file, as Reader finds it; nothing for an intact
/// trace. Reads all of the trace with up to `threads` threads. A file that is no trace is damaged
/// at its beginning. Thread-safe.
std::optional<DamageLocation> find_first_damage(std::shared_ptr<const io::InputFile> file,
                                                unsigned threads);

} // namespace etl::trace

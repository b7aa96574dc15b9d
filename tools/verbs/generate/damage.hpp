// Deliberate damage to a finished trace, reproducible by seed. docs/generate.md#damage
#pragma once

#include <etl/error.hpp>

#include "verbs/generate/random.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cli::generate {

struct Damage {
    enum class What : std::uint8_t {
        bad_sizes,   // set BufferSize of some buffers to random values
        zero_buffer, // zero some buffers
        flip,        // flip a bit in some bytes after the header buffer
        truncate,    // end the file somewhere in its second half
    };

    /// Larger counts take minutes and add nothing.
    static constexpr std::uint32_t max = 1'000'000;

    What what;
    std::uint32_t count = 1; // up to `max`
};

/// `flip:20`, `truncate`, `zero-buffer:2`, `bad-sizes`.
std::optional<Damage> parse_damage(std::string_view text) noexcept;

/// Applies all damage, in the order of What; in a container, to frames instead of buffers.
/// Errors: those of opening and writing; malformed if the header buffer is the only buffer.
etl::Result<void> do_damage(const std::string& path, const std::vector<Damage>& damages,
                            Random random);

} // namespace cli::generate

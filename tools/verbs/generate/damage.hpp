// Damage done to a finished trace on purpose, the same for the same seed. docs/generate.md#damage
#pragma once

#include <etl/base/result.hpp>

#include "verbs/generate/random.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cli::generate {

struct Damage {
    enum class What : std::uint8_t {
        bad_sizes,   // BufferSize of some buffers is something else
        zero_buffer, // some buffers are all zero
        flip,        // a bit in some bytes behind the header buffer
        cut,         // the file ends somewhere in its second half
    };

    /// More is no use, and takes minutes.
    static constexpr std::uint32_t most = 1'000'000;

    What what;
    std::uint32_t count = 1; // up to `most`
};

/// `flip:20`, `cut`, `zero-buffer:2`, `bad-sizes`.
std::optional<Damage> parse_damage(std::string_view text) noexcept;

/// Does all of it, in the order of What. In a container frames take the place of buffers.
/// Errors: those of opening and writing; malformed when there is no buffer but the first.
etl::Result<void> do_damage(const std::string& path, const std::vector<Damage>& damages,
                            Random random);

} // namespace cli::generate

// Synthetic text: names and remarks of a railway. One thread.
#pragma once

#include "generate/generate.hpp"
#include "generate/random.hpp"

#include <string>
#include <string_view>

namespace etl::generate {

/// Names that repeat.
std::string_view word(Recipe::Text text, std::uint64_t number) noexcept;

/// A sequence of words with exactly `bytes` bytes of UTF-8, without split characters.
std::string remark(Recipe::Text text, std::size_t bytes, Random& random);

/// The same as UTF-16, at most `units` units.
std::u16string remark16(Recipe::Text text, std::size_t units, Random& random);

} // namespace etl::generate

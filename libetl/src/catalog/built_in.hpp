// The schemas that come with the library: schemas/kernel/*.mof, embedded by
// cmake/embed_texts.cmake. Constants; any thread. Private to catalog.
#pragma once

#include <span>
#include <string_view>

namespace etl::catalog {

struct BuiltInText {
    std::string_view name; // of the file, "process.mof"
    std::string_view text;
};

std::span<const BuiltInText> built_in_texts() noexcept;

} // namespace etl::catalog

// `file.ptr` of a symbol store: where the file lies instead. Private to symbols.
#pragma once

#include <optional>
#include <string>

namespace etl::symbols {

struct PointerFile {
    std::optional<std::string> target;
    std::string problem; // if there is no target
};

PointerFile read_pointer_file(const std::string& path);

} // namespace etl::symbols

// The end of a string as raw memory to write to. Private to base.
#pragma once

#include <cstddef>
#include <string>

namespace etl {

/// Makes room for `most` more characters, lets `write(char* from) -> char* end` fill some of them,
/// and keeps those. No character is written twice, as resize() would.
template <typename Write>
void append_at_most(std::string& to, std::size_t most, Write write) {
    const std::size_t before = to.size();
    to.resize_and_overwrite(before + most, [&](char* data, std::size_t) {
        return static_cast<std::size_t>(write(data + before) - data);
    });
}

} // namespace etl

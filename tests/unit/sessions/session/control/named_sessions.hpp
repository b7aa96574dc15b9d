// Options of sessions that tests of a runtime start.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace etl::session {

inline constexpr std::uint32_t private_in_proc = mode::private_logger | mode::private_in_proc;

inline SessionOptions real_time(std::string name) {
    SessionOptions options;
    options.name = std::move(name);
    options.mode = mode::real_time;
    return options;
}

inline SessionOptions to_file(std::string name, std::string file, std::uint32_t chosen = 0) {
    SessionOptions options;
    options.name = std::move(name);
    options.mode = chosen;
    options.file = std::move(file);
    return options;
}

} // namespace etl::session

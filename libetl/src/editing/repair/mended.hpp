// What of a log file header was set right, in words.
#pragma once

#include "format/logfile_header.hpp"

#include <string>
#include <vector>

namespace etl::repair {

/// What the header of the repaired trace says where it may differ.
struct NewHeader {
    std::int64_t end_time = 0;
    std::uint64_t buffers_written = 0;
    std::uint32_t processors = 0;
    std::uint32_t buffer_size = 0;
    std::uint32_t events_lost = 0, buffers_lost = 0;
    bool is_compressed = false;
};

/// Appends a line for each difference: "EndTime: 2024-05-17T04:01:00.0000000Z, was not set".
void describe_changes(const format::LogfileHeader& old, const NewHeader& now,
                      std::vector<std::string>& to);

} // namespace etl::repair

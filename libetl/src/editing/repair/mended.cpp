#include "repair/mended.hpp"

#include "base/time.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace etl::repair {

namespace {

namespace mode = format::log_mode;

std::string as_text(std::int64_t filetime) {
    std::string text;
    append_rfc3339(text, {filetime});
    return text;
}

void describe_number(std::string_view field, std::uint64_t old, std::uint64_t now,
                     std::vector<std::string>& to) {
    if (old != now) {
        to.push_back(fmt::format("{}: {}, was {}", field, now, old));
    }
}

} // namespace

void describe_changes(const format::LogfileHeader& old, const NewHeader& now,
                      std::vector<std::string>& to) {
    if (old.end_time != now.end_time) {
        to.push_back(fmt::format("EndTime: {}, was {}", as_text(now.end_time),
                                 old.end_time == 0 ? "not set" : as_text(old.end_time)));
    }
    describe_number("BuffersWritten", old.buffers_written, now.buffers_written, to);
    describe_number("NumberOfProcessors", old.number_of_processors, now.processors, to);
    describe_number("BufferSize", old.buffer_size, now.buffer_size, to);
    describe_number("EventsLost", old.events_lost, now.events_lost, to);
    describe_number("BuffersLost", old.buffers_lost, now.buffers_lost, to);
    const std::pair<std::uint32_t, const char*> ended[] = {
        {mode::circular, "circular"},
        {mode::append, "append"},
        {mode::new_file, "new file"},
        {mode::preallocate, "preallocate"},
        {now.is_compressed ? 0U : mode::compressed, "compressed"}};
    for (const auto& [bit, word] : ended) {
        if ((old.log_file_mode & bit) != 0) {
            to.push_back(fmt::format("LogFileMode: cleared {}", word));
        }
    }
}

} // namespace etl::repair

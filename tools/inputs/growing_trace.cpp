#include "inputs/growing_trace.hpp"

#include "cli/console.hpp"

#include <fmt/format.h>

#include <utility>

namespace cli {

using etl::trace::StreamInput;

std::optional<GrowingInput> open_growing(const std::string& path, const std::string& why_not) {
    auto opened = etl::trace::GrowingTrace::open(path);
    if (!opened) {
        say(path, opened.error());
        return std::nullopt;
    }
    const std::shared_ptr<etl::trace::GrowingTrace> trace = *std::move(opened);
    auto stream = StreamInput::open(trace, path);
    if (!stream) {
        say(path, stream.error());
        return std::nullopt;
    }
    const std::string_view kind = stream->spool_reason();
    if (!kind.empty() || !why_not.empty()) {
        say(fmt::format("{}: cannot be followed: {}", printable(path),
                        kind.empty() ? why_not : fmt::format("it is {}", kind)));
        if (kind == StreamInput::event_log) {
            say("Windows rewrites its chunks in place; dump it again with --where 'record_id > N'");
        }
        return std::nullopt;
    }
    return GrowingInput{trace, *std::move(stream)};
}

} // namespace cli

// One trace into several: each event goes to the part that its key names. docs/split.md
#pragma once

#include <etl/base/result.hpp>
#include <etl/flow/source.hpp>
#include <etl/trace/copy.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace etl::relog {

enum class SplitBy : std::uint8_t { size, time, count, provider, process, processor };

struct SplitOptions {
    SplitBy by = SplitBy::size;
    std::uint64_t limit = 0;     // size: bytes of records; time: of 100 ns; count: events
    bool with_context = true;    // context (flow/context.hpp) goes into every part
    trace::WriterOptions writer; // of each part; its recording is that of the whole
};

/// One file that was made.
struct Part {
    std::string path;
    std::string key; // what its events have in common: a provider, a process, a span of time
    std::uint64_t events = 0;
};

/// `open` makes the source anew, in the order of time: parts that cannot be open together are made
/// one after the other. `pattern` has one `%d`, which counts from 1. Errors: invalid_option, those
/// of the source and of Writer.
Result<std::vector<Part>> split(const std::function<Result<std::unique_ptr<flow::Source>>()>& open,
                                const std::string& pattern, const SplitOptions& options);

} // namespace etl::relog

#include "verbs/view/following.hpp"

#include "cli/console.hpp"
#include "inputs/growing_trace.hpp"
#include "verbs/view/indexing.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace cli {

namespace {

using Clock = std::chrono::steady_clock;
using etl::explore::Explorer;
using End = etl::trace::GrowingTrace::End;

/// Between two looks at the file, at least.
constexpr auto least_pause = std::chrono::seconds(1);

/// Times the duration of a step before the next one.
constexpr int rest = 3;

/// Waits unless it is to stop.
void wait(Clock::duration pause, const etl::Stop& stop) {
    constexpr auto often = std::chrono::milliseconds(100);
    const auto end = Clock::now() + pause;
    while (Clock::now() < end && !stop.is_requested()) {
        std::this_thread::sleep_for(often);
    }
}

/// Why nothing is added any more, for pages.
std::string why(End end) {
    switch (end) {
    case End::truncated:
        return "The file was truncated. Answers about what was cut off are not complete.";
    case End::replaced:
        return "The file was replaced or removed. All of the old one is shown.";
    case End::finalized:
    case End::none:
        break;
    }
    return "The session has ended.";
}

} // namespace

Following::Following(std::shared_ptr<etl::trace::GrowingTrace> trace, etl::dataset::Options options)
    : trace_(std::move(trace)), options_(std::move(options)) {}

std::optional<Following> Following::open(const std::string& path, etl::dataset::Options options) {
    auto growing = open_growing(path);
    return growing ? std::optional(Following(std::move(growing->trace), std::move(options)))
                   : std::nullopt;
}

std::expected<std::optional<Explorer>, etl::TraceError> Following::next(const etl::Stop& stop) {
    const auto failed = [](const etl::Error& error) {
        return std::unexpected(etl::TraceError{error, {}, {}});
    };
    const auto size = trace_->skip();
    if (!size) {
        return failed(size.error());
    }
    const bool has_other_header = trace_->end() == End::finalized;
    if (shown_ > 0 && *size == shown_ && !has_other_header) {
        return std::nullopt;
    }
    auto file = trace_->head(*size);
    if (!file) {
        return failed(file.error());
    }
    etl::dataset::Input input{.file = *std::move(file)};
    if (shown_ > 0 && !options_.ignores_indexes) { // the first picture comes at once
        input = with_index(std::move(input), options_, [](double) {}, stop);
    }
    auto explorer = Explorer::open_inputs(etl::dataset::Inputs{.files = {std::move(input)}},
                                          shown_ > 0 ? quiet(options_) : options_);
    if (!explorer) {
        return std::unexpected(std::move(explorer.error()));
    }
    shown_ = *size;
    return std::optional(*std::move(explorer));
}

void Following::run(etl::viewer::Service& service, const etl::Stop& stop) {
    service.show_growth({});
    for (auto pause = Clock::duration(least_pause); !stop.is_requested(); wait(pause, stop)) {
        const auto begin = Clock::now();
        auto more = next(stop);
        if (stop.is_requested()) {
            return;
        }
        if (!more) {
            service.show_growth({.has_ended = true, .why = etl::describe(more.error())});
            return;
        }
        if (*more) {
            service.replace(**std::move(more));
        }
        if (trace_->end() != End::none) {
            service.show_growth({.has_ended = true, .why = why(trace_->end())});
            return;
        }
        pause = std::max<Clock::duration>(least_pause, rest * (Clock::now() - begin));
    }
}

} // namespace cli

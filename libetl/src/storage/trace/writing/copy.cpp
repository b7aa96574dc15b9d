#include "trace/copy.hpp"

#include "flow/context.hpp"

#include <algorithm>

namespace etl::trace {

namespace {

constexpr std::uint64_t events_between_progress = 1U << 14U;

/// Runs into a writer, without the records that are the writer's own.
class Copying {
public:
    explicit Copying(Writer& writer) noexcept
        : writer_(&writer), written_before_(writer.events_written()),
          lost_before_(writer.events_lost()), corrected_before_(writer.events_corrected()) {}

    void add(flow::Run run) {
        while (!run.empty()) {
            const auto header = std::ranges::find_if(run, flow::is_logfile_header);
            const auto count = static_cast<std::size_t>(header - run.begin());
            writer_->add(run.first(count));
            const bool ends_at_header = count < run.size();
            headers_ += ends_at_header ? 1U : 0U;
            run = run.subspan(count + (ends_at_header ? 1U : 0U));
        }
    }

    CopyResult result() const noexcept {
        return {.events = writer_->events_written() - written_before_,
                .headers = headers_,
                .lost = writer_->events_lost() - lost_before_,
                .corrected = writer_->events_corrected() - corrected_before_};
    }

private:
    Writer* writer_;
    std::uint64_t written_before_, lost_before_, corrected_before_;
    std::uint64_t headers_ = 0;
};

} // namespace

Result<CopyResult> copy(flow::Source& source, Writer& writer, const CopyOptions& options) {
    Copying copying(writer);
    std::uint64_t taken = 0;
    std::uint64_t told = 0;
    for (flow::Run run = source.next_run(); !run.empty(); run = source.next_run()) {
        copying.add(run);
        taken += run.size();
        if (options.progress && taken - told >= events_between_progress) {
            told = taken;
            if (!options.progress(taken, run.back())) {
                CopyResult result = copying.result();
                result.stopped = true;
                return result;
            }
        }
    }
    if (const Error* const error = source.error()) {
        return std::unexpected(*error);
    }
    return copying.result();
}

} // namespace etl::trace

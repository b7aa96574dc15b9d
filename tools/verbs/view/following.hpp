// Traces that another program is writing, in the viewer. docs/view.md#live
#pragma once

#include "dataset/inputs.hpp"
#include "explore/explorer.hpp"
#include "trace/stream.hpp"
#include "viewer/service.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>

namespace cli {

/// A trace that another program is writing: an explorer of its complete buffers, again and again.
class Following {
public:
    /// Returns nothing on failure, after printing the reason.
    static std::optional<Following> open(const std::string& path, etl::dataset::Options options);

    /// Opens what is complete; from the second time on, a large trace has an index in memory.
    /// Returns nothing if nothing was added since the last call; never the first time.
    std::expected<std::optional<etl::explore::Explorer>, etl::TraceError>
    next(const etl::Stop& stop);

    /// Shows what is added, until the trace is finalized, or until it is to stop. A step costs as
    /// much as making an index of the trace, and steps together at most a quarter of the time.
    void run(etl::viewer::Service& service, const etl::Stop& stop);

private:
    Following(std::shared_ptr<etl::trace::GrowingTrace> trace, etl::dataset::Options options);

    std::shared_ptr<etl::trace::GrowingTrace> trace_;
    etl::dataset::Options options_;
    std::uint64_t shown_ = 0; // bytes; 0: not opened yet
};

} // namespace cli

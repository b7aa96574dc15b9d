// Records of file and disk I/O as they were logged. Private to analysis. docs/profilers.md#perfetto
#pragma once

#include "analysis/activity.hpp"

namespace etl::analysis {

class IoRecords {
public:
    explicit IoRecords(ActivitySink& sink) : sink_(&sink) {}

    static void subscribe(Subscriptions& subscriptions);

    /// Returns whether a record is one of those asked for; pass it to add().
    static bool takes(std::uint32_t tag) noexcept;

    void add(const Context& context, const Record& record);

private:
    ActivitySink* sink_;
};

} // namespace etl::analysis

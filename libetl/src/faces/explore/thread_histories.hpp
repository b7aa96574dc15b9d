// What threads did, as far as a walk back in time needs it: read in pieces. Private to explore.
#pragma once

#include "analysis/thread_history.hpp"
#include "base/function_ref.hpp"

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <vector>

namespace etl::explore {

/// Times are raw.
class ThreadHistories {
public:
    using Loaded = std::expected<analysis::ThreadHistory, TraceError>;
    using Found = std::expected<const analysis::ThreadInterval*, TraceError>;

    /// Reads what ends in a window (`to` is exclusive), of some threads or, if there are none, of
    /// all.
    using Load =
        std::function<Loaded(std::int64_t from, std::int64_t to, std::vector<std::uint32_t> tids)>;

    struct Range {
        std::int64_t start = 0, end = 0; // what is asked for
        std::int64_t last = 0;           // end of the trace
        std::int64_t second = 1;         // ticks
    };

    ThreadHistories(Load load, const Range& range)
        : load_(std::move(load)), range_(range), length_(range.second) {}

    /// What a thread did just before a time, which is not after that of earlier calls; null: that
    /// is not known. Valid until the next call.
    Found before(const analysis::ThreadId& thread, std::int64_t time);

    /// After before() returned null: the last time, before this one, at which it is or may be
    /// known what the thread did.
    std::int64_t known_before(const analysis::ThreadId& thread, std::int64_t time) const;

private:
    using Intervals = std::vector<analysis::ThreadInterval>;

    std::expected<void, TraceError> load_earlier();
    Found look_ahead(analysis::ThreadInterval& wait);
    void keep_first_ones();

    Load load_;
    Range range_;
    std::map<analysis::ThreadId, Intervals> threads_;              // in the order of their ends
    std::map<analysis::ThreadId, analysis::ThreadInterval> later_; // the first after the piece
    std::int64_t from_ = 0; // of the piece; intervals that end at this time or later are known
    std::int64_t length_;   // of the next piece
    bool is_loaded_ = false;
    unsigned looks_ahead_ = 0;
};

} // namespace etl::explore

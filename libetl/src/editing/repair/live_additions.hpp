// What the live buffers of a session that was killed add to its trace.
// docs/format/live-buffers.md
#pragma once

#include "repair/account.hpp"
#include "repair/live_records.hpp"
#include "trace/log_file.hpp"

#include <span>
#include <string>
#include <vector>

namespace etl::repair {

/// One repair's.
class LiveAdditions {
public:
    /// `live`: buffers of the session; null: none. `buffers` are those of its trace. All outlive
    /// this object.
    LiveAdditions(LiveRecords* live, std::span<const trace::BufferEntry> buffers,
                  Account& account) noexcept
        : live_(live), buffers_(buffers), account_(account) {}

    /// Looks for buffers that the file has not got; `mended` gets a line when they are of another
    /// session.
    void find(const flow::TraceInfo& info, std::vector<std::string>& mended);

    /// What the session lost until its process ended; nothing: there are no live buffers of it, or
    /// they do not count.
    std::optional<format::LiveLosses> losses() const;

    /// They are of this session, as far as is known.
    bool are_own() const noexcept { return is_own_; }

    /// They are known to be of this session.
    bool are_identified() const noexcept { return is_identified_; }

    /// The highest processor number of them; 0: there are none.
    std::uint16_t last_processor() const noexcept;

    /// The size of the output's buffers, `size` or more, that has room for them.
    std::uint32_t size_for(std::uint32_t size) const noexcept;

    /// A part of this one is in the file, all of it in a live buffer.
    bool replaces(const trace::BufferEntry& entry) const noexcept;

    /// They follow what is in the file, in the order in which they were opened. `reference_time` is
    /// for those without an event that has a time.
    void write(trace::LogFile& file, std::uint32_t buffer_size, std::int64_t reference_time);

private:
    std::int64_t next_sequence() const noexcept;

    LiveRecords* live_;
    std::span<const trace::BufferEntry> buffers_;
    Account& account_;
    std::vector<LiveBuffer> missing_;             // in the file
    bool is_own_ = false, is_identified_ = false; // the live buffers are of this session
};

} // namespace etl::repair

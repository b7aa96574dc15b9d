// The recording that a repaired trace goes by: its own log file header set right, one that is read
// although its record is damaged, that of another file, or one made of what the buffers tell.
// docs/repair.md#header
#pragma once

#include "repair/repair.hpp"
#include "repair/rescue.hpp"

namespace etl::repair {

struct ChosenRecording {
    trace::Recording recording; // EndTime as the trace has it
    bool is_guessed = false;    // nothing readable said what the clock is
    bool counts_losses = false; // the header of the trace has the totals
    std::vector<std::string> corrections;

    flow::Clock clock() const { return {recording.header, recording.reference_time}; }
};

/// `head`: the header buffer as it is, empty where there is none. Extras are left to the caller.
ChosenRecording choose_recording(trace::Reader& reader, Bytes head,
                                 const std::optional<trace::Recording>& given);

} // namespace etl::repair

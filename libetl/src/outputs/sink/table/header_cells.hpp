// The columns of an event that its header and its kind fill, without a look at the payload. Private
// to sink. docs/output.md#csv
#pragma once

#include "sink/kind_texts.hpp"
#include "sink/time_text.hpp"

#include <optional>

namespace etl::sink {

class HeaderCells {
public:
    explicit HeaderCells(std::optional<int> utc_offset_minutes) : time_(utc_offset_minutes) {}

    /// Appends the text of a column to `cell`; one that has nothing to say appends nothing. `key`:
    /// up to `wpp`, or a raw one; those of facts are none of these.
    void fill(std::string& cell, Key key, const decode::DecodedEvent& decoded,
              const KindTexts& texts);

private:
    void fill_head(std::string& cell, Key key, const decode::DecodedEvent& decoded);

    TimeText time_;
};

} // namespace etl::sink

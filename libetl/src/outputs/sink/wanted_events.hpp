// Whether an event is to be written at all. Private to sink.
#pragma once

#include "sink/options.hpp"

#include <optional>

namespace etl::sink {

class WantedEvents {
public:
    explicit WantedEvents(const Options& options)
        : matches_(options.matcher()), is_raw_(!options.decode) {
        if (options.tally) {
            met_.emplace(options.tally);
        }
    }

    /// `generation` is that of the decoder of the event.
    bool has(const decode::DecodedEvent& event, std::uint32_t generation) {
        const bool is_wanted = !matches_ || matches(event, generation);
        if (met_) {
            is_wanted ? met_->add(event, generation) : met_->reject(event, generation);
        }
        return is_wanted;
    }

private:
    bool matches(const decode::DecodedEvent& event, std::uint32_t generation) {
        // What is written raw was not decoded, but is asked about all the same.
        return is_raw_ ? (*matches_)(*event.event) : (*matches_)(event, generation);
    }

    std::optional<match::Matcher> matches_; // none: all events
    std::optional<Tally::Part> met_;        // none: nobody asks
    bool is_raw_ = false;
};

} // namespace etl::sink

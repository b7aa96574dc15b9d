// Whether an event is to be written at all. Private to sink.
#pragma once

#include <etl/sink/options.hpp>

#include <optional>

namespace etl::sink {

class WantedEvents {
public:
    explicit WantedEvents(const Options& options)
        : matches_(options.matcher()), is_raw_(!options.decode) {}

    /// `generation` is that of the decoder of the event.
    bool has(const decode::DecodedEvent& event, std::uint32_t generation) {
        if (!matches_) {
            return true;
        }
        // What is written raw was not decoded, but is asked about all the same.
        return is_raw_ ? (*matches_)(*event.event) : (*matches_)(event, generation);
    }

private:
    std::optional<match::Matcher> matches_; // none: all events
    bool is_raw_ = false;
};

} // namespace etl::sink

// Which keys and fields are wanted. Private to sink.
#pragma once

#include "decode/event_keys.hpp"
#include "sink/options.hpp"

#include <bitset>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::sink {

// Whether an event is to be written at all.

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

using decode::Key;

/// Keys that say how the event lies in the trace; only wanted if asked for.
constexpr bool is_raw_key(Key key) noexcept {
    return key >= Key::raw_time;
}

/// A name of Options::fields: a key, or Key::data and the path of a field.
struct Wanted {
    Key key = Key::data;
    std::string_view field; // empty: the key itself

    static Wanted of(std::string_view name) noexcept;
};

/// The options with what the names of their fields take.
Options completed(Options options);

class Selection {
public:
    explicit Selection(const Options& options);

    bool has(Key key) const noexcept { return keys_[static_cast<std::size_t>(key)]; }

    /// A field of `data`, by its path, or a structure with a member that is wanted.
    bool has_field(std::string_view path) const noexcept;

    /// Everything up to `keywords`, but for the origin: the common case, in which nothing has to be
    /// asked.
    bool has_whole_head() const noexcept { return has_whole_head_; }

private:
    std::bitset<decode::key_count> keys_;
    std::vector<std::string> fields_; // paths; empty: all of them
    bool has_whole_head_ = false;
};

} // namespace etl::sink

// What was true of a thing, and when: built of scattered observations, asked by time. Private to
// facts. docs/enrich.md#time
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

namespace etl::facts {

/// What a record says about the life of a thing.
enum class Moment : std::uint8_t {
    begin,   // it comes into being
    present, // it is there: a rundown
    end,     // it goes
    gone,    // it may have gone before: a process of which only handles are left
};

/// Who wrote a record. Both write one for each change where both are enabled.
enum class Recorder : std::uint8_t {
    classes,  // kernel classes
    provider, // a provider such as Microsoft-Windows-Kernel-Process
};

inline constexpr std::int64_t always = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t forever = std::numeric_limits<std::int64_t>::max();

template <typename Key, typename Value>
struct Observation {
    Key key{};
    Value value{};
    std::int64_t time = 0;
    Moment moment = Moment::present;
    bool has_value = true; // false: an end that does not say of what
    Recorder recorder = Recorder::classes;
};

/// Whether two values can be of one thing, as two recorders describe it.
template <typename Value>
constexpr bool is_of_one_thing(const Value& one, const Value& other) noexcept {
    return one == other;
}

/// Adds to a value what another recorder says of the same thing.
template <typename Value>
constexpr void complete(Value&, const Value&) noexcept {}

template <typename Key, typename Value>
class Timeline {
public:
    using Seen = Observation<Key, Value>;

    struct Life {
        Key key{};
        Value value{};
        std::int64_t begin = always;
        std::int64_t end = forever;
    };

    /// False: there are `most` already, those left aside that say the same of the same time.
    bool add(const Seen& seen, std::size_t most = std::numeric_limits<std::size_t>::max()) {
        if (seen_.size() >= most && !is_full_) {
            leave_repetitions();
            is_full_ = seen_.size() > most - most / 8; // sorting again would not pay
        }
        if (seen_.size() >= most) {
            return false;
        }
        seen_.push_back(seen);
        return true;
    }

    /// Turns the observations into lives. Once, at the end.
    void build() {
        leave_repetitions();
        const Seen* last = nullptr;
        for (const Seen& seen : seen_) {
            if (last != nullptr && is_repeated(*last, seen)) {
                if (!lives_.empty() && lives_.back().key == seen.key && seen.has_value) {
                    take_repetition(seen);
                }
                last = nullptr;
                continue;
            }
            place(seen);
            last = &seen;
        }
        seen_ = {};
        lives_.shrink_to_fit();
    }

    /// Ends each life whose begin is known no later than `end_of` its key and begin.
    template <typename EndOf>
    void end_by(EndOf end_of) {
        for (Life& life : lives_) {
            if (life.begin != always) {
                life.end = std::min(life.end, end_of(life.key, life.begin));
            }
        }
    }

    /// Ends the last life of a key that began by `time`, if its end is not known: after `end`
    /// has changed it.
    template <typename End>
    void end_open(const Key& key, std::int64_t time, End end) {
        const Life* const found = latest(key, time);
        if (found != nullptr && found->end == forever) {
            end(lives_[static_cast<std::size_t>(found - lives_.data())]);
        }
    }

    /// By key, then time; those of one key do not overlap.
    std::span<const Life> lives() const noexcept { return lives_; }

    /// The last life of a key that began by `time`, be it over or not; null: none.
    const Life* latest(const Key& key, std::int64_t time) const noexcept {
        const auto behind =
            std::ranges::upper_bound(lives_, std::tuple(key, time), {}, [](const Life& life) {
                return std::tuple(life.key, life.begin);
            });
        return behind != lives_.begin() && (behind - 1)->key == key ? &*(behind - 1) : nullptr;
    }

private:
    void leave_repetitions() {
        const auto all = [](const Seen& seen) {
            return std::tuple(seen.key, seen.time, seen.moment, seen.value, seen.has_value,
                              seen.recorder);
        };
        std::ranges::sort(seen_, {}, all);
        seen_.erase(std::ranges::unique(seen_, {}, all).begin(), seen_.end());
    }

    // The same change in the records of both recorders, whose times differ by microseconds. Two
    // ends with nothing in between are of the same thing, even if a recorder shortens its name.
    static bool is_repeated(const Seen& last, const Seen& seen) noexcept {
        return last.key == seen.key && last.moment == seen.moment &&
               last.recorder != seen.recorder &&
               (seen.moment == Moment::end ||
                (seen.moment == Moment::begin &&
                 (!last.has_value || !seen.has_value || is_of_one_thing(last.value, seen.value))));
    }

    /// Both records are within the life, but for an end of a provider after that of the class.
    void take_repetition(const Seen& seen) noexcept {
        complete(lives_.back().value, seen.value);
        if (seen.recorder == Recorder::classes && seen.moment == Moment::end) {
            lives_.back().end = seen.time;
        }
    }

    void place(const Seen& seen) {
        const bool is_new = lives_.empty() || lives_.back().key != seen.key;
        const bool is_open = !is_new && lives_.back().end == forever;
        switch (seen.moment) {
        case Moment::begin:
            if (is_open) {
                lives_.back().end = seen.time; // its end was lost
            }
            lives_.push_back({seen.key, seen.value, seen.time, forever});
            break;
        case Moment::gone:
            if (!is_new && !is_open && is_of_one_thing(lives_.back().value, seen.value)) {
                break;
            }
            [[fallthrough]];
        case Moment::present:
            if (is_open && is_of_one_thing(lives_.back().value, seen.value)) {
                complete(lives_.back().value, seen.value);
                break;
            }
            if (is_open) { // another one: when it changed is not known
                lives_.back().end = seen.time;
            }
            lives_.push_back({seen.key, seen.value, is_new ? always : lives_.back().end, forever});
            break;
        case Moment::end:
            if (is_open) {
                lives_.back().end = seen.time;
            } else if (seen.has_value) {
                lives_.push_back(
                    {seen.key, seen.value, is_new ? always : lives_.back().end, seen.time});
            }
            break;
        }
    }

    std::vector<Seen> seen_;
    bool is_full_ = false;
    std::vector<Life> lives_;
};

} // namespace etl::facts

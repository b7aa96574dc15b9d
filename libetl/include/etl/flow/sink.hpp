// What turns ordered events into bytes. One encoder per thread; the pipeline joins their bytes in
// order.
#pragma once

#include <etl/flow/source.hpp>

#include <memory>
#include <string>

namespace etl::flow {

/// How decoding went, so far.
struct DecodeCounts {
    std::uint64_t errors = 0;  // events whose payload contradicted their schema
    std::uint64_t guesses = 0; // events that a guess decoded (decode::EventKind::is_guess)

    DecodeCounts& operator+=(const DecodeCounts& other) noexcept {
        errors += other.errors;
        guesses += other.guesses;
        return *this;
    }
};

/// Turns events into text, one after another. Same event, same bytes: nothing may depend on earlier
/// events, except caches. One thread.
class Encoder {
public:
    virtual ~Encoder() = default;

    /// A fresh encoder of the same settings for another thread.
    virtual std::unique_ptr<Encoder> clone() const = 0;

    /// What stands before the first, between two, and behind the last event.
    virtual std::string_view head() const { return {}; }

    virtual std::string_view separator() const { return {}; }

    virtual std::string_view tail() const { return {}; }

    /// Appends one event. False: it is left out, and nothing was appended.
    virtual bool encode(const Event& event, std::string& to) = 0;

    /// How decoding went, so far.
    virtual DecodeCounts decode_counts() const { return {}; }
};

} // namespace etl::flow

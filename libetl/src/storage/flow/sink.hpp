// Encoders convert ordered events to bytes. One encoder per thread; the pipeline joins their output
// in order.
#pragma once

#include "flow/source.hpp"

#include <memory>
#include <string>

namespace etl::flow {

/// Decoding results so far.
struct DecodeCounts {
    std::uint64_t errors = 0;  // events whose payload contradicted their schema
    std::uint64_t guesses = 0; // events decoded by a guess (decode::EventKind::is_guess)

    DecodeCounts& operator+=(const DecodeCounts& other) noexcept {
        errors += other.errors;
        guesses += other.guesses;
        return *this;
    }
};

/// Converts events to text, one at a time. The same event always yields the same bytes: apart from
/// caches, nothing may depend on earlier events. Not thread-safe.
class Encoder {
public:
    virtual ~Encoder() = default;

    /// Returns a new encoder with the same settings, for another thread.
    virtual std::unique_ptr<Encoder> clone() const = 0;

    /// Text before the first event, between events, and after the last.
    virtual std::string_view head() const { return {}; }

    virtual std::string_view separator() const { return {}; }

    virtual std::string_view tail() const { return {}; }

    /// Appends one event. Returns false if the event is omitted; nothing is appended then.
    virtual bool encode(const Event& event, std::string& to) = 0;

    /// Decoding results so far.
    virtual DecodeCounts decode_counts() const { return {}; }
};

} // namespace etl::flow

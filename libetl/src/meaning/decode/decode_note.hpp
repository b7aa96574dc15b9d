// How certain the values of an event are, and what `decode_note` says about it. Pure; thread-safe.
// docs/output.md
#pragma once

#include "decode/decoder.hpp"

#include <string>

namespace etl::decode {

/// How well a payload matches the schema that decoded it. Only `exact` values are facts.
enum class Certainty : std::uint8_t {
    exact,         // completely consumed, every value valid
    guessed,       // by a guess (EventKind::is_guess), or with an assumed length
    trailing,      // with trailing bytes
    too_short,     // ended before the last field
    contradicting, // decoding stopped, or a value is invalid
};

/// `walked` is a walk over event.body to its end; the event must have a schema.
Certainty certainty_of(const DecodedEvent& event, const FieldWalker& walked) noexcept;

/// Returns whether a built-in schema decoded the event, but leaves bytes over or expects more: it
/// is of another build of Windows. `walked` as above.
bool is_misfit(const DecodedEvent& event, const FieldWalker& walked) noexcept;

/// Returns whether append_decode_note() appends something.
bool has_decode_note(const DecodedEvent& event, const FieldWalker* walked) noexcept;

/// Appends what may make values wrong: the assumption of a guess (EventKind::note), a value that is
/// invalid or whose length is assumed (`User: not a SID`), a built-in schema that does not match.
/// `walked` as above; null: the event has no schema.
void append_decode_note(std::string& to, const DecodedEvent& event, const FieldWalker* walked);

} // namespace etl::decode

// Provider traits as a program gives them when it registers: checked, unlike those found in traces.
// docs/sessions.md#traits
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/guid.hpp>

#include <optional>
#include <string>

namespace etl::session {

struct CheckedTraits {
    std::string name;          // UTF-8 as it was given
    std::optional<Guid> group; // the first one
};

/// Nothing: sizes or terminators are wrong. docs/format/decoding.md#provider-traits
std::optional<CheckedTraits> check_traits(Bytes traits);

} // namespace etl::session

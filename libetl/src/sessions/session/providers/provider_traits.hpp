// Provider traits as a program gives them when it registers: checked, unlike those found in traces.
// docs/sessions.md#traits
#pragma once

#include <etl/bytes.hpp>
#include <etl/guid.hpp>

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace etl::session {

struct CheckedTraits {
    std::string name;          // UTF-8 as it was given
    std::optional<Guid> group; // the first one
};

/// Nothing: sizes or terminators are wrong. docs/format/decoding.md#provider-traits
std::optional<CheckedTraits> check_traits(Bytes traits);

/// Keeps traits as long as it lives, those of the same bytes once.
class KeptTraits {
public:
    /// Bytes that it holds, in all, with what it takes to hold them.
    explicit KeptTraits(std::size_t max) noexcept : room_(max) {}

    /// Null: no room for them.
    const std::vector<std::byte>* keep(Bytes traits);

private:
    std::set<std::vector<std::byte>> all_;
    std::size_t room_;
};

} // namespace etl::session

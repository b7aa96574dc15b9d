// GUIDs that tests of sessions share.
#pragma once

#include <etl/guid.hpp>

namespace etl::session {

using namespace etl::literals;

inline constexpr Guid tea = "4a1d7b6e-3c52-4f0e-9b1d-52a6c3f7e801"_guid;       // a provider
inline constexpr Guid some_guid = "11111111-2222-3333-4444-555555555555"_guid; // a session

} // namespace etl::session

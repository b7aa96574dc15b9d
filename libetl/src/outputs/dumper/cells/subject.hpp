// Whom an event is about, and what earlier events say about it. Private to dumper.
#pragma once

#include "dumper/cells/requests.hpp"
#include "flow/event.hpp"

#include <cstdint>
#include <optional>

namespace etl::dumper {

struct Subject {
    std::uint32_t process = flow::no_id, thread = flow::no_id;
    SwitchTimes times{};
    std::optional<Request> request{};            // that ends
    std::optional<std::uint64_t> service{};      // ticks
    std::optional<std::uint64_t> thread_start{}; // address
};

} // namespace etl::dumper

// The one rule that says which process an event is about. Private to facts. docs/processes.md
#pragma once

#include "facts/attributor.hpp"
#include "facts/owner_fields.hpp"

#include <optional>

namespace etl::facts {

/// Numbers of the payload; nothing if the payload ends before the field.
struct OwnerIds {
    std::optional<std::uint32_t> process, thread, switched_out;
};

/// Returns whether an event is about the machine: names of files, the configuration, frames of
/// stack keys. Whichever thread writes them.
bool is_about_machine(const flow::Event& event) noexcept;

/// Returns the attribution of an event whose payload names no process.
Attribution attribution_by_header(const flow::EventHeader& header, const Facts& facts,
                                  std::int64_t time) noexcept;

/// Returns the attribution of any event. `ids` are those in `fields`.
Attribution attribution_of(const decode::DecodedEvent& event, const OwnerFields& fields,
                           const OwnerIds& ids, const Facts& facts) noexcept;

} // namespace etl::facts

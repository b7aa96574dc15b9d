// Which records tell facts, and of what. Private to facts. docs/enrich.md#records
#pragma once

#include "facts/collector.hpp"
#include "facts/tables/timeline.hpp"
#include "flow/event.hpp"

#include <optional>
#include <span>

namespace etl::facts {

enum class Topic : std::uint8_t {
    process,
    thread,
    image,
    method,        // of the .NET runtime
    script_method, // of a JavaScript engine
    module,        // of the .NET runtime
    script,        // the source of script methods
    file,
    disk,
    stack,       // frames of an event
    kernel_key,  // key of the frames of an event, its part in the kernel
    user_key,    // and its part in the program
    key_created, // the frames behind a key from here on
    key_ended,   // the frames behind a key up to here
    image_info,  // identity of an image
    image_pdb,
    image_il_pdb,
    volume, // paths of the kernel, and those of programs
};

struct Subject {
    Topic topic{};
    Moment moment = Moment::present; // of the topics up to file
};

/// What a record tells; none for nearly all records. Looks at little of the header.
std::optional<Subject> subject_of(const flow::Event& event) noexcept;

/// What a record of the kernel with a hook tells.
std::optional<Subject> subject_of_hook(std::uint16_t hook) noexcept;

/// Whether facts of a topic are in a scope.
constexpr bool is_within(Scope scope, Topic topic) noexcept {
    return scope == Scope::everything || topic == Topic::process || topic == Topic::thread;
}

/// Whether the provider of such records can have the first bytes `head` (format::head_of).
bool may_be_subject(std::uint32_t head, Scope scope) noexcept;

/// The manifest providers of such records.
std::span<const Guid> subject_providers() noexcept;

} // namespace etl::facts

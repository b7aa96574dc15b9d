// The one rule that says which process an event is about, and the fields that name it. Private to
// facts. docs/processes.md
#pragma once

#include "decode/decoder.hpp"
#include "facts/attributor.hpp"

#include <optional>
#include <vector>

namespace etl::facts {

/// The fields of one kind of event, by number in its schema. A process takes precedence over a
/// thread.
struct OwnerFields {
    static constexpr std::uint32_t no_field = 0xFFFFFFFF;

    std::uint32_t process = no_field;
    std::uint32_t thread = no_field;
    std::uint32_t switched_out = no_field; // thread; of context switches
    bool zero_is_kernel = false;           // process 0: an image of the kernel
    bool may_be_idle = false;              // thread 0: the Idle process, not an unknown thread
    bool header_counts = true;             // without such fields, the header names the process

    bool has_any() const noexcept { return process != no_field || thread != no_field; }

    /// Whether a field is one of them.
    bool names(std::uint32_t field) const noexcept {
        return field == process || field == thread || field == switched_out;
    }

    /// The last of them, behind which nothing is needed.
    std::uint32_t last() const noexcept;

    bool operator==(const OwnerFields&) const = default;
};

/// Whether the payload of an event can name a process. Looks at the header only. If false, the
/// header decides.
bool may_have_owner_fields(const flow::Event& event) noexcept;

/// Of an event for which may_have_owner_fields() is true. For other events: those of kernel
/// classes.
OwnerFields owner_fields_of(const decode::DecodedEvent& event);

/// The manifest providers of such events.
std::vector<Guid> owner_providers();

/// Numbers of the payload; nothing if the payload ends before the field.
struct OwnerIds {
    std::optional<std::uint32_t> process, thread, switched_out;
};

/// Returns whether an event is about the machine: names of files, the configuration, frames of
/// stack keys. Whichever thread writes them.
bool is_about_machine(const flow::Event& event) noexcept;

/// The thread that a header states to have logged its event, and the process; flow::no_id: the
/// header does not state it.
struct Logger {
    std::uint32_t thread = flow::no_id, process = flow::no_id;
};

/// Returns the attribution of an event whose payload names no process.
Attribution attribution_by_header(const Logger& logger, const Facts& facts,
                                  std::int64_t time) noexcept;

/// Returns the attribution of an event that is not about the machine. `ids` are those in `fields`.
Attribution attribution_by(const Logger& logger, const OwnerFields& fields, const OwnerIds& ids,
                           const Facts& facts, std::int64_t time) noexcept;

/// Returns the attribution of any event. `ids` are those in `fields`.
Attribution attribution_of(const decode::DecodedEvent& event, const OwnerFields& fields,
                           const OwnerIds& ids, const Facts& facts) noexcept;

} // namespace etl::facts

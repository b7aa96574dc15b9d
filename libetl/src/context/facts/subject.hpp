// Which records tell facts, and of what. Private to facts. docs/enrich.md#records
#pragma once

#include "facts/collector.hpp"
#include "facts/tables/timeline.hpp"
#include "flow/event.hpp"
#include "format/records.hpp"

#include <optional>
#include <span>
#include <vector>

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

// Which events may contain facts besides the process of their thread, by little of their header:
// nearly all contain none.

class Interest {
public:
    /// What an event may have, as bits.
    static constexpr unsigned subject = 1, stack = 2, source = 4, sampling = 8, runtime = 16;

    explicit Interest(Scope scope);

    /// 0: Collector::add() needs no more of the event than header_statement_of().
    unsigned parts_of(const flow::Event& event) const noexcept {
        if (format::has_hook(event.kind)) {
            const auto hook = flow::stored<format::system_record::hook_id>(event);
            return hook < hooks_.size() ? hooks_[hook] : 0U;
        }
        return format::is_event(event.kind)  ? parts_of_event(event)
               : format::is_full(event.kind) ? subject | stack | source | sampling
                                             : 0U;
    }

private:
    unsigned parts_of_event(const flow::Event& event) const noexcept;

    std::vector<std::uint8_t> hooks_; // parts by hook
    Scope scope_;
};

/// Whether records with a hook may contain the interval between two samples.
bool is_sampling_interval(std::uint16_t hook) noexcept;

/// What a record of the kernel with a hook says about what its classes record.
ClassSources class_sources_of_hook(std::uint16_t hook) noexcept;

} // namespace etl::facts

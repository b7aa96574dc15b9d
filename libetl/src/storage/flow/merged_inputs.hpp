// The inputs of a merge: which are of one machine and boot, and the events that describe them.
// docs/merge.md#sources
#pragma once

#include "flow/event.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace etl::flow {

/// How much the boot times of sessions of one boot may differ: Windows moves it when its clock is
/// set. No machine boots twice within this. 100 ns.
inline constexpr std::int64_t boot_tolerance = Filetime::per_second;

/// Numbers machines and boots, from 0, as far as they can be told apart: by the first processor in
/// the merged trace and the boot time (boot_tolerance). Not thread-safe.
class MachineNumbers {
public:
    /// Returns the number of a session. Programs that do not know the boot time record none, or the
    /// start of the session: such a session has a number of its own, with the other parts of its
    /// recording, which have the same start.
    std::uint32_t of(std::uint32_t first_processor, Filetime start, Filetime boot);

    /// Returns how many numbers there are.
    std::uint32_t count() const noexcept { return count_; }

private:
    using ProcessorAndTime = std::pair<std::uint32_t, std::int64_t>;

    std::map<ProcessorAndTime, std::uint32_t> known_;   // by boot
    std::map<ProcessorAndTime, std::uint32_t> started_; // by start: boots that are not known
    std::uint32_t count_ = 0;
};

/// Returns the number of the machine and boot of each input; equal ones are of one.
std::vector<std::uint32_t> machines_of(std::span<const MergedInput> inputs);

/// Returns whether a merge wrote the event, to describe one of its inputs
/// (format/own_events.hpp).
bool is_source_event(const Event& event) noexcept;

} // namespace etl::flow

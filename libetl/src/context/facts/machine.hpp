// Properties of the recording machine that are not in the log file header. Values; not thread-safe.
#pragma once

#include "flow/event.hpp"

#include <string>

namespace etl::facts {

/// Empty or 0: not recorded. Most fields are recorded only in kernel traces and merged traces.
struct Machine {
    std::string computer_name, domain_name;
    std::string build_lab;    // `22621.1.amd64fre.ni_release.220506-1250`
    std::string product_name; // `Windows 11 Pro`
    std::uint32_t processors = 0;
    std::uint32_t mhz = 0; // processor frequency
    std::uint32_t memory_mb = 0;

    bool operator==(const Machine&) const = default;
};

/// Returns whether an event is a BuildInfo, of EventTrace or of SystemConfigEx. Cheap: of each
/// event.
bool is_build_info(const flow::Event& event) noexcept;

/// Returns the build of Windows that a BuildInfo states (Machine::build_lab); empty if it is cut.
std::string build_lab_of(const flow::EventHeader& header);

/// Collects machine properties; the first records of a trace apply. combine() joins the results of
/// several threads.
class MachineCollector {
public:
    /// Reads an event if it is one of the few relevant records.
    void add(const flow::Event& event);

    void combine(const MachineCollector& other);

    Machine get() const;

private:
    /// The content of one record, and its raw time.
    struct Found {
        bool is_set = false;
        std::int64_t time = 0;
        Machine what;
    };

    static void take(Found& to, const Found& found);

    Found configuration_, product_, build_;
};

} // namespace etl::facts

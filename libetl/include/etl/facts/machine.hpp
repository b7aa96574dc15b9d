// What a trace says about the machine that it was recorded on, beyond its log file header. Values;
// one thread.
#pragma once

#include <etl/flow/event.hpp>

#include <string>

namespace etl::facts {

/// Empty or 0: not recorded. Only traces of the kernel, and merged ones, record most of it.
struct Machine {
    std::string computer_name, domain_name;
    std::string build_lab;    // `22621.1.amd64fre.ni_release.220506-1250`
    std::string product_name; // `Windows 11 Pro`
    std::uint32_t processors = 0;
    std::uint32_t mhz = 0; // of a processor
    std::uint32_t memory_mb = 0;

    bool operator==(const Machine&) const = default;
};

/// Collects it; the first records of a trace count. combine() joins what several threads saw.
class MachineCollector {
public:
    /// Reads the few records that matter.
    void add(const flow::Event& event);

    void combine(const MachineCollector& other);

    Machine get() const;

private:
    /// What one record says, and its raw time.
    struct Found {
        bool is_set = false;
        std::int64_t time = 0;
        Machine what;
    };

    static void take(Found& to, const Found& found);

    Found configuration_, product_, build_;
};

} // namespace etl::facts

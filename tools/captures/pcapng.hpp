// Captures as pcapng files.
#pragma once

#include "captures/options.hpp"
#include "cli/exit_code.hpp"

#include <cstdint>
#include <string>

namespace cli {

struct PcapngOptions {
    CaptureOptions capture;
    std::string output = "-";
    bool force = false;
    bool with_processes = false;
    /// How events that are not packets are written.
    enum class Events : std::uint8_t { none, journal, etw };
    Events events = Events::none;
};

/// Writes the packets to the output of the options, which appears when complete; nothing if there
/// are no packets. Prints problems, and a summary of the interfaces.
ExitCode write_pcapng(const PcapngOptions& options);

} // namespace cli

// The options that pcapng, packets, and flows share.
#pragma once

#include "cli/event_filter.hpp"
#include "cli/progress.hpp"
#include "inputs/schemas.hpp"
#include "inputs/traces.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace cli {

struct CaptureOptions {
    enum class Drops : std::uint8_t { with, only, without };

    TraceOptions traces;
    SchemaOptions schemas;
    FilterOptions filters; // --skip and --limit count packets
    unsigned pointer_size = 0;
    std::vector<std::string> components; // IDs or names
    bool adapters_only = false;
    Drops drops = Drops::with;
    bool follow = false;
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;

    void add_to(CLI::App& verb);
};

} // namespace cli

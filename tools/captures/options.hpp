// The options that pcapng, packets, and flows share.
#pragma once

#include "cli/event_filter.hpp"
#include "cli/progress.hpp"
#include "cli/verb.hpp"
#include "inputs/schemas.hpp"
#include "inputs/traces.hpp"
#include "outputs/anonymizing.hpp"
#include "outputs/output_guard.hpp"
#include "packets/pass.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cli {

struct CaptureOptions {
    TraceOptions traces;
    SchemaOptions schemas;
    FilterOptions filters; // --skip and --limit count packets
    unsigned pointer_size = 0;
    etl::packets::Choice choice; // without skip and limit
    bool follow = false;
    std::string session;      // of the machine, read while it runs; empty: traces
    bool with_events = false; // that are not packets
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;

    std::shared_ptr<Anonymizing> anonymizing = std::make_shared<Anonymizing>();

    void add_to(Verb& verb);

    /// Throws RequiredError if neither a trace nor a session is named.
    void require_input() const;

    /// Returns whether the verb may write to `output`. If not, prints why.
    bool permits(const std::string& output, bool force) const;
};

} // namespace cli

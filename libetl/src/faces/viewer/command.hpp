// Command lines that print what a page shows.
#pragma once

#include "analysis/tables.hpp"
#include "viewer/request.hpp"

#include <string>
#include <string_view>

namespace etl::viewer {

/// What the traces were opened with: words of a POSIX shell.
struct OpenedWith {
    std::string traces;  // `trace.etl`
    std::string options; // ` --schema x.man`; empty: none
    std::string symbols; // ` --symbols dir`; empty: none
    /// The stored bytes of events are not sent.
    bool hides_bytes = false;
};

/// The table of a request, with all of its rows.
std::string table_command(const Request& request, const analysis::TableForm& form,
                          const OpenedWith& with);

std::string flame_command(const Request& request, const OpenedWith& with);

/// The events of a request; with a text, those that contain it.
std::string events_command(const Request& request, const OpenedWith& with);

/// One event.
std::string event_command(const explore::EventPlace& place, const OpenedWith& with);

} // namespace etl::viewer

// Command lines that print what a page shows.
#pragma once

#include "analysis/tables.hpp"
#include "viewer/request.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace etl::viewer {

/// What the traces were opened with: words of a POSIX shell.
struct OpenedWith {
    std::string traces;  // `trace.etl`
    std::string against; // the other trace, to compare with; empty: there is none
    bool is_one = true;  // `traces` is the name of one file
    std::string options; // ` --schema x.man`; empty: none
    std::string symbols; // ` --symbols dir`; empty: none
    /// The stored bytes of events are not sent.
    bool hides_bytes = false;
    /// Of these paths, texts show the last component only.
    std::vector<std::string> hidden_paths{};
};

/// The table of a request, with all of its rows. Times of comparisons are relative (`+5s`). Empty:
/// no command prints the same.
std::string table_command(const Request& request, const analysis::TableForm& form,
                          const OpenedWith& with);

/// The flame graph of a request, without grouping and folding; as above.
std::string flame_command(const Request& request, const OpenedWith& with);

/// The packets of a request, in the order of the capture, or its conversations.
std::string packets_command(const Request& request, const OpenedWith& with);

/// The events of a request; with a text, those that contain it.
std::string events_command(const Request& request, const OpenedWith& with);

/// One event of one of the traces, whose names are `inputs`.
std::string event_command(const explore::EventPlace& place, const OpenedWith& with,
                          const std::vector<std::string>& inputs);

} // namespace etl::viewer

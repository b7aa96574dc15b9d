// Why a trace has no packets, and how to record them. docs/packets.md#none
#pragma once

#include "cli/exit_code.hpp"
#include "packets/survey.hpp"
#include "trace/reader.hpp"

namespace cli {

/// Prints the reason and the next step.
void explain_no_packets(const etl::trace::Reader& trace, const etl::packets::Survey& survey);

} // namespace cli

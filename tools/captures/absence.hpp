// Why a trace has no packets, and how to record them. docs/packets.md#none
#pragma once

#include <etl/packets/survey.hpp>
#include <etl/trace/reader.hpp>

#include "cli/exit_code.hpp"

namespace cli {

/// Prints the reason and the next step.
void explain_no_packets(const etl::trace::Reader& trace, const etl::packets::Survey& survey);

} // namespace cli

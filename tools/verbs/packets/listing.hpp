// etl packets and etl flows. docs/packets.md
#pragma once

#include "captures/options.hpp"
#include "cli/exit_code.hpp"
#include "outputs/table_output.hpp"

#include <optional>
#include <string>

namespace cli {

struct ListingOptions {
    CaptureOptions capture;
    TableRows rows;                    // of conversations
    std::optional<TableFormat> format; // none: by the extension of the output, else text
    BigNumbers big_numbers = BigNumbers::number;
    std::string output = "-";
    bool force = false;
};

/// A line or row for each packet.
ExitCode list_packets(const ListingOptions& options);

/// A row for each conversation.
ExitCode list_flows(const ListingOptions& options);

} // namespace cli

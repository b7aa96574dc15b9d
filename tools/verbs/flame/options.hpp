// The options of etl flame. docs/flame.md
#pragma once

#include "verbs/analyze/options.hpp"

#include <optional>
#include <string>

namespace cli {

enum class FlameFormat : unsigned char { html, svg, folded };

struct FlameOptions {
    AnalyzeOptions analysis; // of the traces; its output and format are not used
    std::string kind = "cpu";
    std::string source;  // of --kind counter; empty or `all`: all
    std::string against; // trace to compare with; empty: none
    std::optional<FlameFormat> format;
    std::string output = "-";
    bool force = false;
    std::size_t nodes = 0; // 0: as many as the format can show
};

} // namespace cli

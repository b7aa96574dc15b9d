// The options of `etl export`.
#pragma once

#include <etl/sink/event_xml.hpp>

#include "cli/encoding.hpp"

#include <string>

namespace cli {

struct ExportOptions {
    EncodingOptions events;
    std::string to; // name of the format; empty: by the extension of the output
    std::string output = "-";
    bool force = false;
    etl::sink::XmlOptions xml;
};

} // namespace cli

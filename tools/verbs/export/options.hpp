// The options of `etl export`.
#pragma once

#include "inputs/merged_events.hpp"
#include "inputs/symbol_path.hpp"
#include "sink/event_xml.hpp"

#include <string>

namespace cli {

struct ExportOptions {
    TraceOptions traces;
    SchemaOptions schemas;
    SymbolPathOptions symbols; // of profiles: for names of functions
    FilterOptions filters;
    etl::sink::Options sink; // what is shown
    std::string to;          // name of the format; empty: by the extension of the output
    std::string output = "-";
    bool force = false;
    bool local = false; // times in the local zone
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;
    etl::sink::XmlOptions xml;
};

} // namespace cli

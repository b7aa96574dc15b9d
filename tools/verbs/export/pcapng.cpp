// etl export --to pcapng. docs/packets.md
#include "captures/pcapng.hpp"

#include "verbs/export/formats.hpp"

namespace cli {

ExitCode export_pcapng(const ExportOptions& options, std::string_view /*name*/) {
    PcapngOptions packets;
    packets.capture.traces = options.traces;
    packets.capture.schemas = options.schemas;
    packets.capture.filters = options.filters;
    packets.capture.pointer_size = options.sink.pointer_size;
    packets.capture.progress = options.progress;
    packets.output = options.output;
    packets.force = options.force;
    return write_pcapng(packets);
}

} // namespace cli

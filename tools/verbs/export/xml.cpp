// etl export --to xml. docs/output.md#xml
#include "cli/plural.hpp"
#include "verbs/export/formats.hpp"

#include <fmt/format.h>

namespace cli {

ExitCode export_xml(const ExportOptions& options, EncodingInput& input) {
    const etl::sink::EventXml xml(input.sink(), options.xml);
    const ExitCode exit = input.write(xml, options.output, [](etl::Output& to) {
        return std::make_unique<etl::sink::RecordNumbers>(to);
    });
    if (input.decode_errors() > 0) {
        say(fmt::format("note: {} contradict their schema; they are ProcessingErrorData",
                        plural(input.decode_errors(), "payload")));
    }
    return exit;
}

} // namespace cli

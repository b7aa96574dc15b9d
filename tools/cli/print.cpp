#include "cli/print.hpp"

#include <etl/io/output_file.hpp>

#include "cli/console.hpp"

namespace cli {

ExitCode print(std::string_view text) {
    etl::io::StandardOutput output;
    if (const auto written = output.write(text); !written) {
        say("standard output", written.error());
        return ExitCode::failed;
    }
    return ExitCode::well;
}

} // namespace cli

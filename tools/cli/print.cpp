#include "cli/print.hpp"

#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "io/output_file.hpp"

namespace cli {

ExitCode print(std::string_view text) {
    etl::io::StandardOutput output;
    if (const auto written = output.write(text); !written) {
        say("standard output", written.error());
        return ExitCode::failed;
    }
    return ExitCode::well;
}

ExitCode write_file(const std::string& path, std::string_view text) {
    Destination file(path);
    if (!file.open()) {
        return ExitCode::failed;
    }
    if (const auto written = file.output().write(text); !written) {
        file.report(written.error());
        return ExitCode::failed;
    }
    return file.commit();
}

} // namespace cli

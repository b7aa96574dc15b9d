#include "cli/print.hpp"

#include "cli/console.hpp"
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
    if (path == "-") {
        return print(text);
    }
    auto file = etl::io::AtomicFile::create(path);
    if (!file) {
        say(path, file.error());
        return ExitCode::failed;
    }
    auto written = (*file)->write(text);
    if (written) {
        written = (*file)->commit();
    }
    if (!written) {
        say(path, written.error());
        return ExitCode::failed;
    }
    return ExitCode::well;
}

} // namespace cli

#include "cli/destination.hpp"

#include "cli/console.hpp"
#include "io/output_file.hpp"

namespace cli {

bool Destination::open() {
    if (path_ == "-") {
        return true;
    }
    auto file = etl::io::AtomicFile::create(path_);
    if (!file) {
        say(path_, file.error());
        return false;
    }
    file_ = *std::move(file);
    return true;
}

void Destination::report(const etl::Error& error) const {
    say(file_ ? path_ : "standard output", error);
}

ExitCode Destination::commit() {
    if (file_) {
        if (const auto done = file_->commit(); !done) {
            report(done.error());
            return ExitCode::failed;
        }
    }
    return ExitCode::well;
}

ExitCode Destination::finish(ExitCode exit) {
    const bool has_failed = exit == ExitCode::failed || exit == ExitCode::usage;
    return has_failed || commit() == ExitCode::well ? exit : ExitCode::failed;
}

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

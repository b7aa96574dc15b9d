#include "captures/packet_output.hpp"

#include "cli/console.hpp"

namespace cli {

bool PacketOutput::open() {
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

bool PacketOutput::flush() {
    if (failed_) {
        return false;
    }
    if (!text_.empty()) {
        etl::Output& output = file_ ? static_cast<etl::Output&>(*file_) : standard_output_;
        if (const auto written = output.write(text_); !written) {
            say(file_ ? path_ : "standard output", written.error());
            failed_ = true;
        }
        has_written_ = true;
        text_.clear();
    }
    return !failed_ && (file_ != nullptr || !standard_output_.closed());
}

ExitCode PacketOutput::finish() {
    flush();
    if (!failed_ && file_ && has_written_) {
        if (const auto done = file_->commit(); !done) {
            say(path_, done.error());
            failed_ = true;
        }
    }
    return failed_ ? ExitCode::failed : ExitCode::well;
}

} // namespace cli

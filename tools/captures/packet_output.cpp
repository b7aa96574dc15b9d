#include "captures/packet_output.hpp"

namespace cli {

bool PacketOutput::flush() {
    if (failed_) {
        return false;
    }
    if (!text_.empty()) {
        if (const auto written = to_.output().write(text_); !written) {
            to_.report(written.error());
            failed_ = true;
        }
        has_written_ = true;
        text_.clear();
    }
    return !failed_ && !to_.is_closed();
}

ExitCode PacketOutput::finish() {
    flush();
    if (!failed_ && has_written_ && to_.commit() != ExitCode::well) {
        failed_ = true;
    }
    return failed_ ? ExitCode::failed : ExitCode::well;
}

} // namespace cli

// Where a verb about packets writes. One thread.
#pragma once

#include "cli/destination.hpp"

#include <string>

namespace cli {

/// Text is collected and written in batches. Nothing is written, and no file appears, if there is
/// none.
class PacketOutput {
public:
    explicit PacketOutput(std::string path) : to_(std::move(path)) {}

    /// Prints why a file cannot be written; false then.
    bool open() { return to_.open(); }

    /// What was not written yet; append to it.
    std::string& text() noexcept { return text_; }

    /// Writes the text if there is enough of it. Returns false to stop: the output failed, or its
    /// reader is gone.
    bool write_batch() { return text_.size() < batch || flush(); }

    bool flush();

    /// Writes the rest and completes the file.
    ExitCode finish();

private:
    static constexpr std::size_t batch = 256U << 10U; // stays in the cache of the processor

    Destination to_;
    std::string text_;
    bool has_written_ = false, failed_ = false;
};

} // namespace cli

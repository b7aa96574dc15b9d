// Compression of a trace into a container and decompression, byte for byte. docs/compress.md
#pragma once

#include "io/container.hpp"
#include "io/input_file.hpp"
#include "io/writable_file.hpp"

#include <functional>

namespace etl::trace {

struct RepackOptions {
    io::ContainerLevel level = io::ContainerLevel::normal;
    unsigned threads = 1; // that compress or decompress
    /// Called periodically with the completed fraction of the input, 0 to 1. Return false to stop.
    /// May be empty.
    std::function<bool(double done)> progress;
};

struct RepackResult {
    std::uint64_t plain_bytes = 0;
    std::uint64_t packed_bytes = 0;
    std::uint64_t frames = 0;
    bool stopped = false; // stopped by progress
};

/// Writes the bytes of a trace, even a damaged one, as a container: one frame per buffer, and
/// frames for bytes between buffers. Every frame is decompressed and compared before it is written.
/// Uses about 32 MB, and three times the largest buffer besides. Errors: those of Reader::open (not
/// a trace); invalid_option (Container::none, or the input is already a container); io_failure;
/// malformed (a frame does not decompress to its content).
Result<RepackResult> pack(const std::shared_ptr<const io::InputFile>& plain,
                          io::WritableFile& output, io::Container kind,
                          const RepackOptions& options = {});

/// Writes the content of the frames of a container. Uses about 32 MB, and the largest buffer
/// besides. Each frame has a checksum of its content; a frame with a mismatch is not written.
/// Errors: unsupported (not a container written by this library: see io::container_of), malformed
/// or truncated (damaged, with the offset, or without frames), io_failure.
Result<RepackResult> unpack(const std::shared_ptr<const io::InputFile>& packed,
                            io::WritableFile& output, const RepackOptions& options = {});

} // namespace etl::trace

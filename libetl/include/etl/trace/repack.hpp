// A trace into a container and out of it again, byte for byte. docs/compress.md
#pragma once

#include <etl/io/container.hpp>
#include <etl/io/input_file.hpp>
#include <etl/io/writable_file.hpp>

#include <functional>

namespace etl::trace {

struct RepackOptions {
    io::ContainerLevel level = io::ContainerLevel::normal;
    unsigned threads = 1; // that pack
    /// Told now and then how much of the input is done, in 0..1; false stops. May be empty.
    std::function<bool(double done)> progress;
};

struct RepackResult {
    std::uint64_t plain_bytes = 0;
    std::uint64_t packed_bytes = 0;
    std::uint64_t frames = 0;
    bool stopped = false; // by progress
};

/// Writes the bytes of a plain trace, whatever is wrong with it, as a container: a frame for each
/// buffer, and for what lies between buffers. Every frame is unpacked again and compared before it
/// is written. What is under way takes some 32 MB, or three times the largest buffer. Errors: those
/// of Reader::open (what is no trace); invalid_option (Container::none, or the input is a container
/// already); io_failure; malformed (a frame does not give back its content).
Result<RepackResult> pack(const std::shared_ptr<const io::InputFile>& plain,
                          io::WritableFile& output, io::Container kind,
                          const RepackOptions& options = {});

/// Writes what the frames of a container of ours hold. Each says what its content's checksum is;
/// nothing is written of one that differs. Errors: unsupported (no container of ours: see
/// io::container_of), malformed, truncated (it is damaged, with the place, or holds no frame),
/// io_failure.
Result<RepackResult> unpack(const std::shared_ptr<const io::InputFile>& packed,
                            io::WritableFile& output, const RepackOptions& options = {});

} // namespace etl::trace

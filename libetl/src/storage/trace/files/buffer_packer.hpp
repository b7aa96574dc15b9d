// Makes of a filled buffer what lies in the file: header and fill, compressed, in the frame of a
// container. docs/format/writing.md#buffers
#pragma once

#include "codec/compressor.hpp"
#include "trace/log_file.hpp"

#include <vector>

namespace etl::trace {

/// Owns the tables of its encoders. One thread; each thread has its own.
class BufferPacker {
public:
    /// Errors: unsupported (no such compression or container).
    static Result<BufferPacker> create(const Recording& recording, const LogFileOptions& options);

    /// The bytes for the file. They lie in the buffer's memory or in `scratch`, which keeps its
    /// memory from call to call; where nothing is compressed, maybe in this object, until the next
    /// call. Memory behind what the buffer uses is touched where that is little only. Errors: those
    /// of FrameEncoder::encode; limit (memory).
    Result<Bytes> pack(const FilledBufferView& buffer, std::vector<std::byte>& scratch);

private:
    BufferPacker() = default;
    void complete(const FilledBufferView& buffer) const noexcept;
    Result<Bytes> packed(const FilledBufferView& buffer, std::vector<std::byte>& scratch);
    Bytes fill_up(const FilledBufferView& buffer) const noexcept;
    Bytes filled_up(const FilledBufferView& buffer);
    Bytes compress(const FilledBufferView& buffer, std::vector<std::byte>& scratch);

    Lineage lineage_ = Lineage::session;
    std::uint16_t logger_id_ = 0;
    std::uint32_t buffer_size_ = 0;
    codec::Format format_ = codec::Format::none;
    std::optional<codec::Compressor> compressor_;
    std::optional<io::FrameEncoder> framer_;
    std::unique_ptr<std::byte[]> copy_; // of a large buffer; buffer_size_ bytes, or none yet
};

} // namespace etl::trace

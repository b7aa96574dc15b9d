// Multi-stream files, the container of program databases. Private to schema.
// docs/format/wpp.md#msf
#pragma once

#include <etl/base/bytes.hpp>

#include <cstdint>
#include <expected>
#include <string_view>
#include <vector>

namespace etl::schema {

class MsfFile {
public:
    static constexpr std::string_view magic{"Microsoft C/C++ MSF 7.00\r\n\x1A"
                                            "DS\0\0\0",
                                            32};

    /// Reads the directory. Views `file`. The error says what is wrong, as static text.
    static std::expected<MsfFile, const char*> open(Bytes file);

    std::size_t streams() const noexcept { return streams_.size(); }

    /// The size that the directory claims; 0 for a stream that is not there.
    std::size_t size_of(std::size_t stream) const noexcept;

    /// Puts a stream together in `to`. False: it is not there or damaged. What is read of one file
    /// adds up to no more than its size: blocks belong to one stream only.
    bool read(std::size_t stream, std::vector<std::byte>& to);

private:
    struct Stream {
        std::uint32_t size = 0;
        std::size_t blocks = 0; // offset of their numbers in the directory
    };

    bool gather(Bytes numbers, std::size_t size, std::vector<std::byte>& to) const;

    Bytes file_;
    std::size_t block_size_ = 0;
    std::vector<std::byte> directory_;
    std::vector<Stream> streams_;
    std::size_t left_to_read_ = 0;
};

} // namespace etl::schema

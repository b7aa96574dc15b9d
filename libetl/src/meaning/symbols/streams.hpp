// The interface of the containers of streams. Private to symbols.
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace etl::symbols {

class Streams {
public:
    Streams() = default;
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;
    virtual ~Streams() = default;

    virtual std::size_t count() const noexcept = 0;

    /// 0: absent.
    virtual std::uint64_t size_of(std::size_t stream) const noexcept = 0;

    /// The range is inside the stream and not empty. Empty: damaged.
    virtual Bytes part(std::size_t stream, std::uint64_t offset, std::size_t size,
                       std::vector<std::byte>& scratch) const = 0;
};

/// Returns `size` bytes of a file, more than none; empty if it does not contain all of them.
inline Bytes part_of_file(Bytes file, std::uint64_t offset, std::size_t size) noexcept {
    return offset <= file.size() && size <= file.size() - offset
               ? file.subspan(static_cast<std::size_t>(offset), size)
               : Bytes{};
}

/// The size of an absent stream in both directories.
inline constexpr std::uint32_t absent_stream = 0xFFFFFFFF;

inline constexpr std::string_view msf_magic{"Microsoft C/C++ MSF 7.00\r\n\x1A"
                                            "DS\0\0\0",
                                            32};
inline constexpr std::string_view old_msf_magic = "Microsoft C/C++ program database 2.00\r\n\x1AJG";
inline constexpr std::string_view msfz_magic{"Microsoft MSFZ Container\r\n\x1A"
                                             "ALD\0\0",
                                             32};

Result<std::shared_ptr<const Streams>> open_msf(Bytes file);
Result<std::shared_ptr<const Streams>> open_msfz(Bytes file);

} // namespace etl::symbols

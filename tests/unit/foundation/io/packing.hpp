// Makes packed bytes and temporary folders for the tests of io.
#pragma once

#include <etl/bytes.hpp>

#include "io/unpack.hpp"
#include "tests/support/environment.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace etl::test {

using ByteVector = std::vector<std::byte>;

struct PackedMember {
    std::string name;
    std::string content;
};

/// Compresses with one of libarchive's filters: gzip, bzip2, xz, lzma, zstd, lz4.
ByteVector compress(const std::string& filter, std::string_view content);

/// Packs with one of libarchive's formats (zip, 7zip, ustar, pax); `options` as
/// archive_write_set_options takes them.
ByteVector pack(const std::string& format, const std::vector<PackedMember>& members,
                const std::string& options = {});

/// A zip of stored members, byte by byte: names as they are given, checksums right unless spoilt.
struct StoredMember {
    std::string name;
    std::string content;
    std::uint16_t flags = 0;
    std::uint32_t spoil_checksum = 0; // xored to the right one
};

ByteVector stored_zip(const std::vector<StoredMember>& members);

/// A cab of one folder without compression.
ByteVector stored_cab(const std::vector<PackedMember>& members);

/// Bytes that no compression makes smaller.
std::string noise_text(std::size_t size);

std::shared_ptr<const io::InputFile> as_input(const ByteVector& bytes, std::string name = "packed");

ByteVector first(const ByteVector& bytes, std::size_t size);

/// An empty folder, removed with all that is in it.
class TemporaryFolder {
public:
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    std::string path(std::string_view name = {}) const;
    /// Writes a file, with the folders above it, and returns its path.
    std::string file(std::string_view name, std::string_view content = {}) const;
    /// Names of what is in it, sorted.
    std::vector<std::string> entries() const;

private:
    std::filesystem::path path_;
};

std::string content_of(const std::string& path);

} // namespace etl::test

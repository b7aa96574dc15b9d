#include "tests/unit/foundation/io/packing.hpp"

#include <etl/byte_writer.hpp>

#include "base/text.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <sys/stat.h>

namespace etl::test {

namespace {

void check(archive* writer, int status) {
    if (status != ARCHIVE_OK) {
        throw std::runtime_error(archive_error_string(writer));
    }
}

struct Free {
    void operator()(archive* writer) const { archive_write_free(writer); }
};

la_ssize_t collect(archive*, void* to, const void* bytes, std::size_t size) {
    auto& packed = *static_cast<ByteVector*>(to);
    const auto* const from = static_cast<const std::byte*>(bytes);
    packed.insert(packed.end(), from, from + size);
    return static_cast<la_ssize_t>(size);
}

ByteVector write_all(archive* writer, const std::vector<PackedMember>& members) {
    ByteVector packed;
    check(writer, archive_write_set_bytes_in_last_block(writer, 1));
    check(writer, archive_write_open(writer, &packed, nullptr, collect, nullptr));
    for (const PackedMember& member : members) {
        archive_entry* const entry = archive_entry_new();
        archive_entry_set_pathname(entry, member.name.c_str());
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_size(entry, static_cast<la_int64_t>(member.content.size()));
        check(writer, archive_write_header(writer, entry));
        archive_write_data(writer, member.content.data(), member.content.size());
        archive_entry_free(entry);
    }
    check(writer, archive_write_close(writer));
    return packed;
}

std::uint32_t crc32(std::string_view bytes) {
    std::uint32_t crc = ~0U;
    for (const char c : bytes) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
        }
    }
    return ~crc;
}

std::uint32_t size32(std::string_view bytes) {
    return static_cast<std::uint32_t>(bytes.size());
}

std::uint16_t size16(std::string_view bytes) {
    return static_cast<std::uint16_t>(bytes.size());
}

} // namespace

ByteVector compress(const std::string& filter, std::string_view content) {
    if (filter == "lz4" && content.empty()) {
        // What `lz4` makes of nothing; libarchive 3.6 dereferences null there.
        ByteWriter frame;
        for (const unsigned byte : {0x04U, 0x22U, 0x4DU, 0x18U, 0x64U, 0x40U, 0xA7U, 0x00U, 0x00U,
                                    0x00U, 0x00U, 0x05U, 0x5DU, 0xCCU, 0x02U}) {
            frame.u8(static_cast<std::uint8_t>(byte));
        }
        return frame.take();
    }
    const std::unique_ptr<archive, Free> writer(archive_write_new());
    check(writer.get(), archive_write_add_filter_by_name(writer.get(), filter.c_str()));
    check(writer.get(), archive_write_set_format_raw(writer.get()));
    return write_all(writer.get(), {{"data", std::string(content)}});
}

ByteVector pack(const std::string& format, const std::vector<PackedMember>& members,
                const std::string& options) {
    const std::unique_ptr<archive, Free> writer(archive_write_new());
    check(writer.get(), archive_write_set_format_by_name(writer.get(), format.c_str()));
    if (!options.empty()) {
        check(writer.get(), archive_write_set_options(writer.get(), options.c_str()));
        check(writer.get(), archive_write_set_passphrase(writer.get(), "open sesame"));
    }
    return write_all(writer.get(), members);
}

ByteVector stored_zip(const std::vector<StoredMember>& members) {
    ByteWriter zip;
    ByteWriter directory;
    for (const StoredMember& member : members) {
        const auto where = static_cast<std::uint32_t>(zip.size());
        const std::uint32_t crc = crc32(member.content) ^ member.spoil_checksum;
        // signature, version, flags, stored, time, date, crc, packed size, size, name, extra
        zip.u32(0x04034B50).u16(20).u16(member.flags).u16(0).u16(0).u16(0x21).u32(crc);
        zip.u32(size32(member.content)).u32(size32(member.content));
        zip.u16(size16(member.name)).u16(0).text8(member.name).text8(member.content);
        directory.u32(0x02014B50).u16(20).u16(20).u16(member.flags).u16(0).u16(0).u16(0x21);
        directory.u32(crc).u32(size32(member.content)).u32(size32(member.content));
        directory.u16(size16(member.name)).u16(0).u16(0).u16(0).u16(0).u32(0).u32(where);
        directory.text8(member.name);
    }
    const auto directory_at = static_cast<std::uint32_t>(zip.size());
    const auto count = static_cast<std::uint16_t>(members.size());
    zip.bytes(directory.view());
    zip.u32(0x06054B50).u16(0).u16(0).u16(count).u16(count);
    zip.u32(static_cast<std::uint32_t>(directory.size())).u32(directory_at).u16(0);
    return zip.take();
}

ByteVector stored_cab(const std::vector<PackedMember>& members) {
    ByteWriter files;
    std::string content;
    for (const PackedMember& member : members) {
        // size, where in the folder, folder, date, time, attributes (0x80: the name is UTF-8)
        files.u32(size32(member.content)).u32(size32(content)).u16(0).u16(0x21).u16(0).u16(0xA0);
        files.zero_terminated8(member.name);
        content += member.content;
    }
    constexpr std::size_t header_size = 36;
    constexpr std::size_t folder_size = 8;
    constexpr std::size_t block_header_size = 8;
    const std::size_t data_at = header_size + folder_size + files.size();
    ByteWriter cab;
    // signature, 0, size, 0, first file, 0, version 1.3, folders, files, flags, set, number in the
    // set
    cab.u32(0x4643534D).u32(0);
    cab.u32(static_cast<std::uint32_t>(data_at + block_header_size + content.size())).u32(0);
    cab.u32(header_size + folder_size).u32(0).u8(3).u8(1).u16(1);
    cab.u16(static_cast<std::uint16_t>(members.size())).u16(0).u16(0).u16(0);
    cab.u32(static_cast<std::uint32_t>(data_at)).u16(1).u16(0); // one block, no compression
    cab.bytes(files.view());
    cab.u32(0).u16(size16(content)).u16(size16(content)).text8(content); // no checksum
    return cab.take();
}

std::string noise_text(std::size_t size) {
    std::mt19937 random(42);
    std::string text(size, '\0');
    std::ranges::generate(text, [&] { return static_cast<char>(random()); });
    return text;
}

std::shared_ptr<const io::InputFile> as_input(const ByteVector& bytes, std::string name) {
    return io::InputFile::from_memory(bytes, std::move(name));
}

ByteVector first(const ByteVector& bytes, std::size_t size) {
    return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)};
}

TemporaryFolder::TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "etl-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        throw std::runtime_error("no temporary folder");
    }
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::path(std::string_view name) const {
    return name.empty() ? path_.string() : (path_ / name).string();
}

std::string TemporaryFolder::file(std::string_view name, std::string_view content) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path(name);
}

std::vector<std::string> TemporaryFolder::entries() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
        names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
}

std::string content_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace etl::test

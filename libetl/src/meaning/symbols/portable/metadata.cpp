#include "symbols/portable/metadata.hpp"

#include "base/text.hpp"
#include "symbols/limits.hpp"
#include "symbols/portable/sequence_points.hpp"

namespace etl::symbols {

namespace {

constexpr unsigned document_table = 0x30;
constexpr unsigned method_table = 0x31;
constexpr std::size_t id_size = 20;

} // namespace

Result<PortableMetadata> PortableMetadata::open(Bytes file) {
    Cursor in(file);
    if (in.u32("signature") != 0x424A5342) {
        return fail(ErrorCode::malformed, "signature of a portable program database");
    }
    in.bytes("version, reserved", 8);
    in.bytes("version text", in.u32("size of the version text"));
    in.u16("flags");
    const std::size_t streams = in.u16("streams");
    PortableMetadata result;
    Bytes tables;
    for (std::size_t i = 0; in && i < streams; ++i) {
        const std::uint32_t offset = in.u32("offset of a stream");
        const std::uint32_t size = in.u32("size of a stream");
        const std::string_view name = as_text(in.zero_terminated8("name of a stream"));
        in.bytes("padding", (0 - in.position()) & 3U);
        const Bytes content = clamped(file, offset, size);
        if (name == "#Pdb") {
            result.id_ = clamped(content, 0, id_size);
        } else if (name == "#Blob") {
            result.blobs_ = content;
        } else if (name == "#~") {
            tables = content;
        }
    }
    if (!in) {
        return std::unexpected(in.error());
    }
    if (result.id_.size() < id_size) {
        return fail(ErrorCode::malformed, "identification of a portable program database");
    }
    if (const auto read = result.read_tables(tables); !read) {
        return std::unexpected(read.error());
    }
    return result;
}

// The tables of debug information have the highest numbers; those read here are the first two.
Result<void> PortableMetadata::read_tables(Bytes stream) {
    constexpr unsigned wide_guids = 2;
    constexpr unsigned wide_blobs = 4;
    Cursor in(stream);
    in.bytes("version", 6);
    const unsigned widths = in.u8("sizes of indices");
    in.u8("reserved");
    has_wide_guids_ = (widths & wide_guids) != 0;
    has_wide_blobs_ = (widths & wide_blobs) != 0;
    const std::uint64_t present = in.u64("tables");
    in.u64("sorted tables");
    std::size_t methods = 0;
    for (unsigned table = 0; table < 64; ++table) {
        if ((present >> table & 1U) != 0) {
            const std::uint32_t rows = in.u32("rows");
            documents_ = table == document_table ? rows : documents_;
            methods = table == method_table ? rows : methods;
        }
    }
    if (present << (64 - document_table) != 0) {
        return fail(ErrorCode::unsupported, "portable program database inside of an assembly");
    }
    document_rows_ = in.bytes("documents", documents_ * document_size());
    method_rows_ = in.bytes("methods", methods * method_size());
    if (!in) {
        return std::unexpected(in.error());
    }
    return {};
}

std::uint32_t PortableMetadata::blob_index(Cursor& in) const noexcept {
    return has_wide_blobs_ ? in.u32("blob") : in.u16("blob");
}

Bytes PortableMetadata::blob(std::uint32_t index) const noexcept {
    const Bytes rest = clamped(blobs_, index);
    if (rest.empty()) {
        return {};
    }
    const auto first = std::to_integer<unsigned>(rest[0]);
    const std::size_t width = (first & 0x80U) == 0 ? 1 : (first & 0x40U) == 0 ? 2 : 4;
    return clamped(rest, width, CompressedReader(rest).number());
}

// A separator, then the blobs of the parts.
std::size_t PortableMetadata::append_document_name(std::size_t number, std::string& to) const {
    if (number == 0 || number > documents_) {
        return 0;
    }
    Cursor row(document_rows_.subspan((number - 1) * document_size()));
    const Bytes name = clamped(blob(blob_index(row)), 0, limits::source_name_bytes);
    if (name.empty()) {
        return 0;
    }
    const char separator = std::to_integer<char>(name[0]);
    CompressedReader parts(name.subspan(1));
    const std::size_t before = to.size();
    for (bool is_first = true; !parts.is_at_end(); is_first = false) {
        if (!is_first && separator != '\0') {
            to.push_back(separator);
        }
        const Bytes part = blob(parts.number());
        if (to.size() - before + part.size() > limits::source_name_bytes) {
            break;
        }
        to.append(as_text(part));
    }
    return name.size();
}

std::optional<MethodRow> PortableMetadata::method(std::size_t number) const noexcept {
    const Bytes bytes =
        number == 0 ? Bytes{} : clamped(method_rows_, (number - 1) * method_size(), method_size());
    if (bytes.size() < method_size()) {
        return std::nullopt;
    }
    Cursor in(bytes);
    MethodRow row;
    row.document = documents_ > 0xFFFF ? in.u32("document") : in.u16("document");
    row.sequence_points = blob(blob_index(in));
    return row;
}

} // namespace etl::symbols

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include "base/cursor.hpp"
#include "base/text.hpp"
#include "symbols/expand.hpp"
#include "symbols/limits.hpp"
#include "symbols/source.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace etl::symbols {

namespace {

// Sequence points of portable program databases. docs/format/pdb.md#sequence-points

/// Reads the compressed numbers of the .NET metadata format (ECMA-335, II.23.2). After the end or
/// an invalid number, all reads return 0.
class CompressedReader {
public:
    explicit CompressedReader(Bytes bytes) noexcept : bytes_(bytes) {}

    std::uint32_t number() noexcept;

    /// Returns a signed number as its two's complement.
    std::uint32_t signed_number() noexcept;

    bool is_at_end() const noexcept { return bytes_.empty(); }

private:
    std::uint32_t take(std::size_t size) noexcept;

    Bytes bytes_;
    unsigned sign_width_ = 0; // bits of the last number
};

struct SequencePoint {
    std::uint32_t il_offset = 0;
    std::uint32_t document = 0; // number, from 1
    std::uint32_t line = 0;     // 0: hidden
};

/// Iterates over the sequence points of one method.
class SequencePoints {
public:
    /// `document` is that of the method; 0: the blob specifies it.
    SequencePoints(Bytes blob, std::uint32_t document) noexcept;

    std::optional<SequencePoint> next() noexcept;

private:
    CompressedReader in_;
    SequencePoint last_;
    std::uint32_t line_ = 0;   // of the last visible point
    bool is_first_ = true;     // no point yet
    bool has_visible_ = false; // a visible point came before
};

std::uint32_t CompressedReader::take(std::size_t size) noexcept {
    if (bytes_.size() < size) {
        bytes_ = {};
        return 0;
    }
    std::uint32_t result = 0;
    for (const std::byte byte : bytes_.first(size)) {
        result = result << 8U | std::to_integer<std::uint32_t>(byte);
    }
    bytes_ = bytes_.subspan(size);
    return result;
}

// The high bits of the first byte specify the size; the first byte is the most significant one.
std::uint32_t CompressedReader::number() noexcept {
    sign_width_ = 6;
    if (bytes_.empty()) {
        return 0;
    }
    const auto first = std::to_integer<unsigned>(bytes_[0]);
    if ((first & 0x80U) == 0) {
        return take(1);
    }
    if ((first & 0xC0U) == 0x80U) {
        sign_width_ = 13;
        return take(2) & 0x3FFFU;
    }
    if ((first & 0xE0U) == 0xC0U) {
        sign_width_ = 28;
        return take(4) & 0x1FFF'FFFFU;
    }
    bytes_ = {};
    return 0;
}

// The sign is the lowest bit; the other bits are the two's complement without it.
std::uint32_t CompressedReader::signed_number() noexcept {
    const std::uint32_t value = number();
    const std::uint32_t magnitude = value >> 1U;
    return (value & 1U) == 0 ? magnitude : magnitude | ~std::uint32_t{0} << sign_width_;
}

SequencePoints::SequencePoints(Bytes blob, std::uint32_t document) noexcept : in_(blob) {
    in_.number(); // signature of the local variables
    last_.document = document != 0 ? document : in_.number();
}

std::optional<SequencePoint> SequencePoints::next() noexcept {
    while (!in_.is_at_end()) {
        const std::uint32_t distance = in_.number();
        if (distance == 0 && !is_first_) {
            last_.document = in_.number();
            continue;
        }
        is_first_ = false;
        last_.il_offset += distance;
        const std::uint32_t lines = in_.number();
        const std::uint32_t columns = lines == 0 ? in_.number() : in_.signed_number();
        if (lines == 0 && columns == 0) {
            last_.line = 0;
            return last_;
        }
        line_ = has_visible_ ? line_ + in_.signed_number() : in_.number();
        if (has_visible_) {
            in_.signed_number(); // column
        } else {
            in_.number();
        }
        has_visible_ = true;
        last_.line = line_;
        return last_;
    }
    return std::nullopt;
}

// The .NET metadata of a portable program database: heaps, and the tables of documents and methods.
// docs/format/pdb.md#portable

/// A row of the table MethodDebugInformation.
struct MethodRow {
    std::uint32_t document = 0; // number, from 1; 0: the sequence points specify it
    Bytes sequence_points;      // empty: none
};

class PortableMetadata {
public:
    /// Views `file`. Errors: malformed, truncated; unsupported (tables of an assembly).
    static Result<PortableMetadata> open(Bytes file);

    /// Returns the identification: a GUID and a time stamp.
    Bytes id() const noexcept { return id_; }

    std::size_t documents() const noexcept { return documents_; }

    /// Appends the name of a document, numbered from 1. Returns how many bytes were read for it.
    std::size_t append_document_name(std::size_t number, std::string& to) const;

    /// Returns a method, numbered from 1; nothing if there is none.
    std::optional<MethodRow> method(std::size_t number) const noexcept;

private:
    Result<void> read_tables(Bytes stream);
    Bytes blob(std::uint32_t index) const noexcept;
    std::uint32_t blob_index(Cursor& in) const noexcept;

    std::size_t document_size() const noexcept {
        return 2 * (has_wide_blobs_ ? 4U : 2U) + 2 * (has_wide_guids_ ? 4U : 2U);
    }

    std::size_t method_size() const noexcept {
        return (documents_ > 0xFFFF ? 4U : 2U) + (has_wide_blobs_ ? 4U : 2U);
    }

    Bytes id_;
    Bytes blobs_;
    Bytes document_rows_;
    Bytes method_rows_;
    std::size_t documents_ = 0;
    bool has_wide_blobs_ = false;
    bool has_wide_guids_ = false;
};

constexpr unsigned document_table = 0x30;
constexpr unsigned method_table = 0x31;
constexpr std::size_t id_size = 20;

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

class PortableDatabase final : public Source {
public:
    PortableDatabase(PortableMetadata metadata, std::vector<std::byte> content)
        : content_(std::move(content)), metadata_(metadata) {
        std::size_t read = 0; // parts can be empty, so that the names do not grow
        for (std::size_t i = 0; i < metadata_.documents(); ++i) {
            const std::size_t begin = names_.size();
            if (begin < limits::source_names_bytes && read < limits::source_names_bytes) {
                read += metadata_.append_document_name(i + 1, names_);
            }
            documents_.push_back({begin, names_.size() - begin});
        }
    }

    Identity identity() const noexcept override {
        Identity result;
        std::ranges::copy(metadata_.id().first(result.guid.bytes.size()),
                          result.guid.bytes.begin());
        result.age = 0xFFFFFFFF;
        return result;
    }

    void resolve(std::uint32_t, Detail, Scratch&) const override {}

    std::optional<SourceLine> managed_line(std::uint32_t method_token,
                                           std::uint32_t il_offset) const override;

    bool names_functions() const override { return false; }

private:
    struct Part {
        std::size_t offset = 0;
        std::size_t size = 0;
    };

    std::vector<std::byte> content_; // of an embedded database; viewed by the metadata
    PortableMetadata metadata_;
    std::string names_;
    std::vector<Part> documents_; // of names_
};

std::optional<SourceLine> PortableDatabase::managed_line(std::uint32_t method_token,
                                                         std::uint32_t il_offset) const {
    constexpr std::uint32_t method_definition = 0x06;
    const auto row = method_token >> 24U == method_definition
                         ? metadata_.method(method_token & 0xFFFFFFU)
                         : std::nullopt;
    if (!row || row->sequence_points.empty()) {
        return std::nullopt;
    }
    SequencePoints points(row->sequence_points, row->document);
    std::optional<SequencePoint> last;
    for (auto point = points.next(); point && point->il_offset <= il_offset;
         point = points.next()) {
        last = point;
    }
    if (!last || last->line == 0) {
        return std::nullopt;
    }
    SourceLine result{{}, last->line};
    if (last->document != 0 && last->document <= documents_.size()) {
        const Part part = documents_[last->document - 1];
        result.file = std::string_view(names_).substr(part.offset, part.size);
    }
    return result;
}

} // namespace

bool is_portable(Bytes file) noexcept {
    return as_text(file).starts_with("BSJB");
}

Result<std::unique_ptr<const Source>> open_portable(Bytes file) {
    auto metadata = PortableMetadata::open(file);
    if (!metadata) {
        return std::unexpected(metadata.error());
    }
    return std::make_unique<PortableDatabase>(*metadata, std::vector<std::byte>{});
}

std::unique_ptr<const Source> open_embedded(const PeFile& image, std::size_t file_size) {
    const auto [packed, size] = image.embedded_database();
    std::vector<std::byte> content;
    if (packed.empty() || size > limits::expanded_bytes + limits::expansion * file_size ||
        !expand(Compression::deflate, packed, size, content)) {
        return nullptr;
    }
    const auto metadata = PortableMetadata::open(content);
    // The views of the metadata stay valid: moving the vector keeps its memory.
    return metadata ? std::make_unique<PortableDatabase>(*metadata, std::move(content)) : nullptr;
}

} // namespace etl::symbols

#include "symbols/symbol_file.hpp"

#include "base/layout.hpp"
#include "base/text.hpp"
#include "io/unpack.hpp"
#include "symbols/exports.hpp"
#include "symbols/source.hpp"
#include "symbols/stream_file.hpp"

#include <fmt/format.h>

namespace etl::symbols {

namespace {

bool is_symbol_file(Bytes head) noexcept {
    return StreamFile::is_likely(head) || is_portable(head) || is_image(head) ||
           is_native_map(head);
}

/// Of old versions too, for which the error is another one.
constexpr std::string_view any_database = "Microsoft C/C++ ";

struct Opened {
    FileKind kind{};
    std::unique_ptr<const Source> source;
};

Result<Opened> opened_as(FileKind kind, Result<std::unique_ptr<const Source>> source) {
    if (!source) {
        return std::unexpected(source.error());
    }
    return Opened{kind, std::move(*source)};
}

Result<std::unique_ptr<const Source>> open_image(Bytes file) {
    auto image = PeFile::open(file);
    if (!image) {
        return std::unexpected(image.error());
    }
    auto embedded = open_embedded(*image, file.size());
    return std::make_unique<ImageSource>(std::move(*image), std::move(embedded));
}

Result<Opened> open_source(Bytes file) {
    if (is_portable(file)) {
        return opened_as(FileKind::portable_database, open_portable(file));
    }
    if (is_image(file)) {
        return opened_as(FileKind::executable, open_image(file));
    }
    if (is_native_map(file)) {
        return opened_as(FileKind::native_map, open_native_map(file));
    }
    if (!StreamFile::is_likely(file) && !as_text(file).starts_with(any_database)) {
        return fail(ErrorCode::unsupported,
                    "not a symbol file: neither PDB, portable PDB, executable, nor map");
    }
    return opened_as(FileKind::program_database, open_database(file));
}

} // namespace

std::string Identity::key() const {
    const auto number = [&](auto zero, std::size_t at) {
        return load_le<decltype(zero)>(guid.bytes.data() + at);
    };
    std::string text = fmt::format("{:08X}{:04X}{:04X}", number(std::uint32_t{}, 0),
                                   number(std::uint16_t{}, 4), number(std::uint16_t{}, 6));
    for (const std::byte byte : std::span(guid.bytes).subspan(8)) {
        text += fmt::format("{:02X}", std::to_integer<unsigned>(byte));
    }
    return text + fmt::format("{:X}", age);
}

SymbolFile::SymbolFile(FileKind kind, std::shared_ptr<const io::InputFile> file,
                       std::unique_ptr<const Source> source)
    : kind_(kind), identity_(source->identity()), file_(std::move(file)),
      source_(std::move(source)) {}

SymbolFile::~SymbolFile() = default;

Result<std::shared_ptr<const SymbolFile>>
SymbolFile::open(std::shared_ptr<const io::InputFile> file) {
    if (is_symbol_file(file->bytes()) || !io::is_packed(file->bytes())) {
        return open_plain(std::move(file));
    }
    bool has_found = false;
    auto unpacked = io::unpack(*file, [&](std::string_view, Bytes head) {
        return !std::exchange(has_found, has_found || is_symbol_file(head)) && has_found;
    });
    if (!unpacked) {
        return std::unexpected(unpacked.error());
    }
    if (unpacked->members.empty()) {
        return unpacked->lost.empty()
                   ? fail(ErrorCode::unsupported, "compressed file without a symbol file")
                   : std::unexpected(unpacked->lost.front().why);
    }
    return open_plain(std::move(unpacked->members.front()));
}

Result<std::shared_ptr<const SymbolFile>>
SymbolFile::open_plain(std::shared_ptr<const io::InputFile> file) {
    auto opened = open_source(file->bytes());
    if (!opened) {
        return std::unexpected(opened.error());
    }
    file->advise(io::InputFile::Access::random);
    return std::shared_ptr<const SymbolFile>(
        new SymbolFile(opened->kind, std::move(file), std::move(opened->source)));
}

std::optional<SourceLine> SymbolFile::managed_line(std::uint32_t method_token,
                                                   std::uint32_t il_offset) const {
    return source_->managed_line(method_token, il_offset);
}

bool SymbolFile::names_functions() const {
    return source_->names_functions();
}

Resolver::Resolver(std::shared_ptr<const SymbolFile> file)
    : file_(std::move(file)), scratch_(std::make_unique<Scratch>()) {}

Resolver::Resolver(Resolver&& other) noexcept = default;
Resolver& Resolver::operator=(Resolver&& other) noexcept = default;
Resolver::~Resolver() = default;

std::span<const Frame> Resolver::resolve(std::uint32_t rva, Detail detail) {
    scratch_->frames.clear();
    file_->source_->resolve(rva, detail, *scratch_);
    return scratch_->frames;
}

} // namespace etl::symbols

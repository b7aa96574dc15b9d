#include "io/packed/archive_reader.hpp"

#include "base/text.hpp"
#include "io/limits.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <string_view>
#include <utility>

namespace etl::io {

namespace {

// libarchive hands a block to zlib and others with a size of 32 bits.
constexpr std::size_t archive_block = 1U << 20U;

// Holes of sparse members are given in blocks of these.
constexpr std::array<std::byte, 1U << 16U> zeros{};

const char* name_of(PackedKind kind) noexcept {
    switch (kind) {
    case PackedKind::none:
        return "stream";
    case PackedKind::gzip:
        return "gzip stream";
    case PackedKind::bzip2:
        return "bzip2 stream";
    case PackedKind::xz:
        return "xz stream";
    case PackedKind::lzma:
        return "lzma stream";
    case PackedKind::zstd:
        return "zstd stream";
    case PackedKind::lz4:
        return "lz4 stream";
    case PackedKind::tar:
        return "tar archive";
    case PackedKind::zip:
        return "zip archive";
    case PackedKind::seven_zip:
        return "7z archive";
    case PackedKind::cab:
        return "cab archive";
    }
    return "archive";
}

// ARCHIVE_OK only if libarchive does it itself: ARCHIVE_WARN means that it would run a program.
int enable_layer(archive* reader, PackedKind kind) noexcept {
    switch (kind) {
    case PackedKind::none:
        return ARCHIVE_OK;
    case PackedKind::gzip:
        return ::archive_read_support_filter_gzip(reader);
    case PackedKind::bzip2:
        return ::archive_read_support_filter_bzip2(reader);
    case PackedKind::xz:
        return ::archive_read_support_filter_xz(reader);
    case PackedKind::lzma:
        return ::archive_read_support_filter_lzma(reader);
    case PackedKind::zstd:
        return ::archive_read_support_filter_zstd(reader);
    case PackedKind::lz4:
        return ::archive_read_support_filter_lz4(reader);
    case PackedKind::tar:
        return ::archive_read_support_format_tar(reader);
    case PackedKind::zip:
        return ::archive_read_support_format_zip(reader);
    case PackedKind::seven_zip:
        return ::archive_read_support_format_7zip(reader);
    case PackedKind::cab:
        return ::archive_read_support_format_cab(reader);
    }
    return ARCHIVE_FATAL;
}

bool says(const char* message, std::string_view word) noexcept {
    return message != nullptr && std::string_view(message).find(word) != std::string_view::npos;
}

} // namespace

// What libarchive calls. Nothing may be thrown through it.
struct ArchiveReader::Callbacks {
    static la_ssize_t read_memory(archive*, void* data, const void** block) noexcept {
        Memory& memory = *static_cast<Memory*>(data);
        const Bytes part = clamped(memory.bytes, memory.at, archive_block);
        *block = part.data();
        memory.at += part.size();
        return static_cast<la_ssize_t>(part.size());
    }

    static la_int64_t skip_memory(archive*, void* data, la_int64_t request) noexcept {
        Memory& memory = *static_cast<Memory*>(data);
        const std::size_t left = memory.bytes.size() - memory.at;
        const auto skipped = static_cast<std::size_t>(std::min<std::uint64_t>(
            left, static_cast<std::uint64_t>(std::max<la_int64_t>(request, 0))));
        memory.at += skipped;
        return static_cast<la_int64_t>(skipped);
    }

    static la_int64_t seek_memory(archive*, void* data, la_int64_t offset, int whence) noexcept {
        Memory& memory = *static_cast<Memory*>(data);
        const auto size = static_cast<la_int64_t>(memory.bytes.size());
        const la_int64_t from = whence == SEEK_SET   ? 0
                                : whence == SEEK_CUR ? static_cast<la_int64_t>(memory.at)
                                                     : size;
        // No sum, lest it overflow: `offset` comes out of the archive.
        if (offset < -from || offset > size - from) {
            return ARCHIVE_FATAL;
        }
        memory.at = static_cast<std::size_t>(from + offset);
        return from + offset;
    }

    static la_ssize_t read_source(archive* reader, void* data, const void** block) {
        ArchiveReader& self = *static_cast<ArchiveReader*>(data);
        const auto next = self.source_->next_block();
        if (!next) {
            self.source_failure_ = next.error();
            ::archive_set_error(reader, EIO, "error in the outer archive");
            return ARCHIVE_FATAL;
        }
        *block = next->data();
        return static_cast<la_ssize_t>(next->size());
    }
};

void ArchiveReader::Free::operator()(archive* reader) const noexcept {
    ::archive_read_free(reader);
}

ArchiveReader::ArchiveReader(Layers layers) : layers_(layers), archive_(::archive_read_new()) {}

Result<std::unique_ptr<ArchiveReader>> ArchiveReader::open(Bytes packed, Layers layers) {
    std::unique_ptr<ArchiveReader> reader(new ArchiveReader(layers));
    if (const auto enabled = reader->enable(); !enabled) {
        return std::unexpected(enabled.error());
    }
    reader->memory_.bytes = packed;
    archive* const handle = reader->archive_.get();
    ::archive_read_set_seek_callback(handle, Callbacks::seek_memory);
    const auto started = reader->start(::archive_read_open2(handle, &reader->memory_, nullptr,
                                                            Callbacks::read_memory,
                                                            Callbacks::skip_memory, nullptr));
    if (!started) {
        return std::unexpected(started.error());
    }
    return reader;
}

Result<std::unique_ptr<ArchiveReader>> ArchiveReader::open(BlockSource& packed, Layers layers) {
    std::unique_ptr<ArchiveReader> reader(new ArchiveReader(layers));
    if (const auto enabled = reader->enable(); !enabled) {
        return std::unexpected(enabled.error());
    }
    reader->source_ = &packed;
    const auto started = reader->start(::archive_read_open2(
        reader->archive_.get(), reader.get(), nullptr, Callbacks::read_source, nullptr, nullptr));
    if (!started) {
        return std::unexpected(started.error());
    }
    return reader;
}

Result<void> ArchiveReader::enable() {
    if (!archive_) {
        return fail(ErrorCode::limit, "memory");
    }
    archive* const reader = archive_.get();
    bool all = enable_layer(reader, layers_.stream) == ARCHIVE_OK;
    if (layers_.archive != PackedKind::none) {
        all = all && enable_layer(reader, layers_.archive) == ARCHIVE_OK;
    } else {
        // `empty` takes the stream without a byte, which `raw` does not.
        all = all && ::archive_read_support_format_raw(reader) == ARCHIVE_OK &&
              ::archive_read_support_format_empty(reader) == ARCHIVE_OK;
    }
    if (!all) {
        return fail(ErrorCode::unsupported,
                    name_of(layers_.stream != PackedKind::none ? layers_.stream : layers_.archive));
    }
    return {};
}

Result<void> ArchiveReader::start(int opened) {
    if (opened != ARCHIVE_OK && opened != ARCHIVE_WARN) {
        return std::unexpected(failure());
    }
    // libarchive repeats the filter while its own magic comes out of it. Each repetition multiplies
    // what has to be computed, and what lies between is counted by no limit. The last filter is the
    // input itself.
    if (::archive_filter_count(archive_.get()) > 2) {
        return fail(ErrorCode::unsupported, "nested compression");
    }
    return {};
}

Error ArchiveReader::failure() const noexcept {
    if (source_failure_) {
        return *source_failure_;
    }
    const bool in_stream = layers_.stream != PackedKind::none;
    archive* const reader = archive_.get();
    const char* const message = ::archive_error_string(reader);
    Error error{ErrorCode::malformed, name_of(in_stream ? layers_.stream : layers_.archive),
                FileOffset{static_cast<std::uint64_t>(
                    std::max<la_int64_t>(::archive_filter_bytes(reader, -1), 0))}};
    if (::archive_errno(reader) == ENOMEM) {
        error = {ErrorCode::limit, "memory", error.where};
    } else if (says(message, "runcated") ||
               says(message, "No progress is possible")) { // liblzma's word
        error.code = ErrorCode::truncated;
    }
    return error;
}

Result<bool> ArchiveReader::next() {
    const Utf8Locale::Use use(locale_);
    while (true) {
        in_member_ = false;
        const int status = ::archive_read_next_header(archive_.get(), &entry_);
        if (status == ARCHIVE_EOF) {
            return false;
        }
        if (status != ARCHIVE_OK && status != ARCHIVE_WARN) { // warnings are about names and dates
            // A 7z can hide its directory too; no member was seen then.
            Error error = failure();
            if (entries_ == 0 && ::archive_read_has_encrypted_entries(archive_.get()) > 0) {
                error = {ErrorCode::unsupported, "encrypted archive", error.where};
            }
            return std::unexpected(error);
        }
        if (++entries_ > limits::archive_entries) {
            return fail(ErrorCode::limit, "archive entries", {}, limits::archive_entries);
        }
        if (::archive_entry_filetype(entry_) == AE_IFREG &&
            ::archive_entry_hardlink(entry_) == nullptr) {
            in_member_ = true;
            piece_ = {};
            piece_at_ = 0;
            position_ = 0;
            remark_.reset();
            take_name();
            return true;
        }
    }
}

bool ArchiveReader::is_encrypted() const noexcept {
    return ::archive_entry_is_encrypted(entry_) != 0;
}

std::uint64_t ArchiveReader::declared_size() const noexcept {
    return ::archive_entry_size_is_set(entry_) != 0
               ? static_cast<std::uint64_t>(std::max<la_int64_t>(::archive_entry_size(entry_), 0))
               : 0U;
}

void ArchiveReader::take_name() {
    name_.clear();
    const char* raw = ::archive_entry_pathname_utf8(entry_);
    if (raw == nullptr) {
        raw = ::archive_entry_pathname(entry_);
    }
    if (raw == nullptr) {
        name_ = "member-";
        append_decimal(name_, entries_);
        return;
    }
    append_ansi(name_, std::as_bytes(std::span(std::string_view(raw))));
    for (char& c : name_) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
            c = '?'; // names go to terminals
        } else if (c == '\\' && layers_.archive != PackedKind::tar) {
            c = '/'; // what Windows' own packers write
        }
    }
}

// Fetches the next piece of the member's data; false at its end.
Result<bool> ArchiveReader::next_piece() {
    constexpr int max_empty = 1024; // pieces without a byte in a row
    for (int i = 0; i < max_empty; ++i) {
        const void* data = nullptr;
        std::size_t size = 0;
        la_int64_t at = 0;
        const int status = ::archive_read_data_block(archive_.get(), &data, &size, &at);
        if (status == ARCHIVE_EOF) {
            if (layers_.archive == PackedKind::tar) { // a hole may be the last of a sparse file
                piece_at_ =
                    std::max(position_, static_cast<std::uint64_t>(std::max<la_int64_t>(at, 0)));
            }
            return false;
        }
        if (status == ARCHIVE_WARN) { // checksum or size: the data are given nevertheless
            remark_ = failure();
        } else if (status != ARCHIVE_OK) {
            return std::unexpected(failure());
        }
        if (at < 0 || static_cast<std::uint64_t>(at) < position_) {
            return std::unexpected(failure());
        }
        if (size > 0) {
            piece_ = Bytes(static_cast<const std::byte*>(data), size);
            piece_at_ = static_cast<std::uint64_t>(at);
            return true;
        }
    }
    return std::unexpected(failure());
}

Result<Bytes> ArchiveReader::read() {
    if (!in_member_) { // libarchive must not be asked then
        return Bytes{};
    }
    if (piece_.empty() && position_ >= piece_at_) {
        const auto more = next_piece();
        if (!more) {
            return std::unexpected(more.error());
        }
        if (!*more && position_ >= piece_at_) {
            return Bytes{};
        }
    }
    if (position_ < piece_at_) {
        const auto hole = std::min<std::uint64_t>(piece_at_ - position_, zeros.size());
        position_ += hole;
        return Bytes(zeros).first(static_cast<std::size_t>(hole));
    }
    position_ += piece_.size();
    return std::exchange(piece_, {});
}

} // namespace etl::io

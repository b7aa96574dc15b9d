#include "io/archive_writer.hpp"

#include "io/output_file.hpp"
#include "io/system/system.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <cerrno>
#include <optional>

namespace etl::io {

namespace {

struct FreeWriter {
    void operator()(archive* writer) const noexcept { ::archive_write_free(writer); }
};

struct FreeEntry {
    void operator()(archive_entry* entry) const noexcept { ::archive_entry_free(entry); }
};

class ZipWriter final : public ArchiveWriter {
public:
    explicit ZipWriter(std::unique_ptr<AtomicFile> file)
        : file_(std::move(file)), archive_(::archive_write_new()) {}

    Result<void> begin() {
        const Utf8Locale::Use use(locale_); // libarchive asks once what names are in
        archive* const writer = archive_.get();
        if (writer == nullptr || ::archive_write_set_format_zip(writer) != ARCHIVE_OK ||
            ::archive_write_set_options(writer, "zip:compression=deflate,zip:hdrcharset=UTF-8") !=
                ARCHIVE_OK) {
            return fail(ErrorCode::unsupported, "writing zip archives");
        }
        // No padding at the end: this is no tape.
        ::archive_write_set_bytes_in_last_block(writer, 1);
        return checked(::archive_write_open2(writer, this, nullptr, take, nullptr, nullptr));
    }

    Result<void> add(std::string_view name, Bytes content) override {
        const Utf8Locale::Use use(locale_);
        const std::unique_ptr<archive_entry, FreeEntry> entry(::archive_entry_new());
        ::archive_entry_set_pathname_utf8(entry.get(), std::string(name).c_str());
        ::archive_entry_set_filetype(entry.get(), AE_IFREG);
        ::archive_entry_set_perm(entry.get(), 0644);
        ::archive_entry_set_size(entry.get(), static_cast<la_int64_t>(content.size()));
        if (const auto begun = checked(::archive_write_header(archive_.get(), entry.get()));
            !begun) {
            return begun;
        }
        while (!content.empty()) {
            const la_ssize_t put =
                ::archive_write_data(archive_.get(), content.data(), content.size());
            if (put <= 0) {
                return checked(ARCHIVE_FATAL);
            }
            content = content.subspan(static_cast<std::size_t>(put));
        }
        return checked(::archive_write_finish_entry(archive_.get()));
    }

    Result<void> commit() override {
        const auto closed = checked(::archive_write_close(archive_.get()));
        return closed ? file_->commit() : closed;
    }

private:
    static la_ssize_t take(archive* writer, void* data, const void* bytes, std::size_t size) {
        ZipWriter& self = *static_cast<ZipWriter*>(data);
        const auto written =
            self.file_->write(std::string_view(static_cast<const char*>(bytes), size));
        if (!written) {
            self.failure_ = written.error();
            ::archive_set_error(writer, EIO, "cannot write the file");
            return -1;
        }
        return static_cast<la_ssize_t>(size);
    }

    Result<void> checked(int status) {
        if (status == ARCHIVE_OK || status == ARCHIVE_WARN) {
            return {};
        }
        if (!failure_) {
            failure_ = Error{ErrorCode::io_failure,          "cannot write a zip archive", {}, 0, 0,
                             ::archive_errno(archive_.get())};
        }
        return std::unexpected(*failure_);
    }

    Utf8Locale locale_;
    std::unique_ptr<AtomicFile> file_;
    std::optional<Error> failure_;
    std::unique_ptr<archive, FreeWriter> archive_; // after what its callback uses
};

} // namespace

Result<std::unique_ptr<ArchiveWriter>> ArchiveWriter::create(const std::string& path) {
    auto file = AtomicFile::create(path);
    if (!file) {
        return std::unexpected(file.error());
    }
    auto writer = std::make_unique<ZipWriter>(std::move(*file));
    if (const auto begun = writer->begin(); !begun) {
        return std::unexpected(begun.error());
    }
    return writer;
}

} // namespace etl::io

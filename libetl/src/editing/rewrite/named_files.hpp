// Records which of several files failed, because errors have no path. docs/split.md
#pragma once

#include <etl/error.hpp>

#include "io/writable_file.hpp"

#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace etl::rewrite {

/// Refuses to write to a path.
using Permits = std::function<std::expected<void, TraceError>(const std::string& path)>;

/// Wraps `below`, which must outlive it. One thread.
class NamedFiles final : public io::FileFactory {
public:
    /// `permits` may be empty.
    explicit NamedFiles(io::FileFactory& below, Permits permits = {})
        : below_(&below), permits_(std::move(permits)) {}

    /// The path of the first file that could not be opened or written; empty: none.
    const std::string& failed() const noexcept { return failed_; }

    /// Why the first path was refused; none: all were permitted.
    const std::optional<TraceError>& refusal() const noexcept { return refusal_; }

    Result<std::unique_ptr<io::WritableFile>> open(const std::string& path, Open how) override {
        const auto permitted = permits_ ? permits_(path) : std::expected<void, TraceError>();
        if (!permitted) {
            refusal_ = refusal_ ? refusal_ : permitted.error();
            return std::unexpected(static_cast<const Error&>(permitted.error()));
        }
        auto opened = below_->open(path, how);
        if (!opened) {
            fail(path);
            return opened;
        }
        return std::make_unique<File>(*this, path, *std::move(opened));
    }

    Result<void> remove(const std::string& path) override { return below_->remove(path); }

private:
    class File final : public io::WritableFile {
    public:
        File(NamedFiles& files, std::string path, std::unique_ptr<io::WritableFile> below)
            : files_(&files), path_(std::move(path)), below_(std::move(below)) {}

        Result<void> write_at(FileOffset where, Bytes bytes) override {
            return seen(below_->write_at(where, bytes));
        }

        Result<std::size_t> read_at(FileOffset where, MutableBytes to) override {
            return seen(below_->read_at(where, to));
        }

        Result<std::uint64_t> size() override { return seen(below_->size()); }

        Result<void> resize(std::uint64_t size) override { return seen(below_->resize(size)); }

        Result<void> allocate(std::uint64_t size) override { return seen(below_->allocate(size)); }

        bool is_stream() const noexcept override { return below_->is_stream(); }

        Result<void> sync() override { return seen(below_->sync()); }

        Result<void> close() override { return seen(below_->close()); }

    private:
        template <typename T>
        Result<T> seen(Result<T> result) {
            if (!result) {
                files_->fail(path_);
            }
            return result;
        }

        NamedFiles* files_;
        std::string path_;
        std::unique_ptr<io::WritableFile> below_;
    };

    void fail(const std::string& path) {
        if (failed_.empty()) {
            failed_ = path;
        }
    }

    io::FileFactory* below_;
    Permits permits_;
    std::string failed_;
    std::optional<TraceError> refusal_;
};

} // namespace etl::rewrite

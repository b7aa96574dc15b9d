// Records which of several files failed, because errors have no path. docs/split.md
#pragma once

#include "io/writable_file.hpp"

#include <string>
#include <utility>

namespace cli {

/// Wraps `below`, which must outlive it. One thread.
class NamedFiles final : public etl::io::FileFactory {
public:
    explicit NamedFiles(etl::io::FileFactory& below) : below_(&below) {}

    /// The path of the first file that could not be opened or written; empty: none.
    const std::string& failed() const noexcept { return failed_; }

    etl::Result<std::unique_ptr<etl::io::WritableFile>> open(const std::string& path,
                                                             Open how) override {
        auto opened = below_->open(path, how);
        if (!opened) {
            fail(path);
            return opened;
        }
        return std::make_unique<File>(*this, path, *std::move(opened));
    }

    etl::Result<void> remove(const std::string& path) override { return below_->remove(path); }

private:
    class File final : public etl::io::WritableFile {
    public:
        File(NamedFiles& files, std::string path, std::unique_ptr<etl::io::WritableFile> below)
            : files_(&files), path_(std::move(path)), below_(std::move(below)) {}

        etl::Result<void> write_at(etl::FileOffset where, etl::Bytes bytes) override {
            return seen(below_->write_at(where, bytes));
        }

        etl::Result<std::size_t> read_at(etl::FileOffset where, etl::MutableBytes to) override {
            return seen(below_->read_at(where, to));
        }

        etl::Result<std::uint64_t> size() override { return seen(below_->size()); }

        etl::Result<void> resize(std::uint64_t size) override { return seen(below_->resize(size)); }

        etl::Result<void> allocate(std::uint64_t size) override {
            return seen(below_->allocate(size));
        }

        bool is_stream() const noexcept override { return below_->is_stream(); }

        etl::Result<void> sync() override { return seen(below_->sync()); }

        etl::Result<void> close() override { return seen(below_->close()); }

    private:
        template <typename T>
        etl::Result<T> seen(etl::Result<T> result) {
            if (!result) {
                files_->fail(path_);
            }
            return result;
        }

        NamedFiles* files_;
        std::string path_;
        std::unique_ptr<etl::io::WritableFile> below_;
    };

    void fail(const std::string& path) {
        if (failed_.empty()) {
            failed_ = path;
        }
    }

    etl::io::FileFactory* below_;
    std::string failed_;
};

} // namespace cli

#include "io/writable_file.hpp"

#include <algorithm>
#include <new>

namespace etl::io {

namespace {

using Files = std::map<std::string, std::vector<std::byte>>;

/// Looks its bytes up for every call: the owner of the files may take one away, as others may
/// delete a file on disk.
class MemoryFile final : public WritableFile {
public:
    MemoryFile(Files& files, std::string path) : files_(&files), path_(std::move(path)) {}

    Result<void> write_at(FileOffset where, Bytes bytes) override {
        auto* const content = this->content();
        if (content == nullptr) {
            return gone();
        }
        if (bytes.empty()) {
            return {};
        }
        if (where.value > MemoryFiles::max_file ||
            bytes.size() > MemoryFiles::max_file - where.value) {
            return too_large(where.value);
        }
        const auto begin = static_cast<std::size_t>(where.value);
        if (content->size() < begin + bytes.size()) {
            if (const auto grown = grow(*content, begin + bytes.size()); !grown) {
                return grown;
            }
        }
        std::ranges::copy(bytes, content->begin() + static_cast<std::ptrdiff_t>(begin));
        return {};
    }

    Result<std::size_t> read_at(FileOffset where, MutableBytes to) override {
        const auto* const content = this->content();
        if (content == nullptr) {
            return std::unexpected(gone().error());
        }
        if (where.value >= content->size()) {
            return 0U;
        }
        const Bytes there = clamped(*content, static_cast<std::size_t>(where.value), to.size());
        std::ranges::copy(there, to.begin());
        return there.size();
    }

    Result<std::uint64_t> size() override {
        const auto* const content = this->content();
        if (content == nullptr) {
            return std::unexpected(gone().error());
        }
        return content->size();
    }

    Result<void> resize(std::uint64_t size) override {
        auto* const content = this->content();
        if (content == nullptr) {
            return gone();
        }
        if (size > MemoryFiles::max_file) {
            return too_large(size);
        }
        return grow(*content, static_cast<std::size_t>(size));
    }

    Result<void> allocate(std::uint64_t size) override { return resize(size); }

    Result<void> sync() override { return {}; }

    Result<void> close() override {
        files_ = nullptr;
        return {};
    }

private:
    std::vector<std::byte>* content() const {
        if (files_ == nullptr) {
            return nullptr;
        }
        const auto found = files_->find(path_);
        return found == files_->end() ? nullptr : &found->second;
    }

    static Result<void> gone() { return fail(ErrorCode::io_failure, "closed or removed file"); }

    static Result<void> too_large(std::uint64_t size) {
        return fail(ErrorCode::io_failure, "size of a file in memory", {}, MemoryFiles::max_file,
                    size);
    }

    static Result<void> grow(std::vector<std::byte>& content, std::size_t size) {
        try {
            content.resize(size);
        } catch (const std::bad_alloc&) {
            return fail(ErrorCode::io_failure, "memory for a file", {}, size);
        }
        return {};
    }

    Files* files_; // nullptr: closed
    std::string path_;
};

} // namespace

Result<std::unique_ptr<WritableFile>> MemoryFiles::open(const std::string& path, Open how) {
    if (how == Open::existing && !files_.contains(path)) {
        return fail(ErrorCode::not_found, "open");
    }
    auto& content = files_[path];
    if (how == Open::replace) {
        content.clear();
    }
    return std::make_unique<MemoryFile>(files_, path);
}

Result<void> MemoryFiles::remove(const std::string& path) {
    return files_.erase(path) != 0 ? Result<void>{} : fail(ErrorCode::not_found, "remove");
}

} // namespace etl::io

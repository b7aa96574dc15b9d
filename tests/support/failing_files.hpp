// A disk that fails as a test tells it to, and counts what is asked of it. One thread.
//     FailingFiles disk(memory);
//     disk.fail({.call = DiskCall::write, .nth = 3, .os_code = ENOSPC, .written = 100});
#pragma once

#include "io/writable_file.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <utility>
#include <vector>

namespace etl::test {

enum class DiskCall : std::uint8_t { open, write, read, resize, allocate, sync, close };

struct DiskFailure {
    DiskCall call = DiskCall::write;
    unsigned nth = 1; // which call from now on, of all files together
    int os_code = 0;
    unsigned times = 1;      // so many in a row
    std::size_t written = 0; // bytes of a failing write that get into the file all the same

    static constexpr unsigned for_ever = std::numeric_limits<unsigned>::max();
    /// As os_code: write_at has no memory, and throws.
    static constexpr int no_memory = -1;
};

class FailingFiles final : public io::FileFactory {
public:
    /// `real` holds what is written, and outlives this.
    explicit FailingFiles(io::FileFactory& real) : real_(&real) {}

    void fail(DiskFailure failure) {
        failure.nth += count(failure.call);
        failures_.push_back(failure);
    }

    /// Calls so far, failed ones included.
    unsigned count(DiskCall call) const { return counts_[static_cast<std::size_t>(call)]; }

    Result<std::unique_ptr<io::WritableFile>> open(const std::string& path, Open how) override {
        if (const DiskFailure* failure = next(DiskCall::open)) {
            return std::unexpected(error(*failure));
        }
        auto file = real_->open(path, how);
        if (!file) {
            return std::unexpected(file.error());
        }
        return std::make_unique<File>(*this, std::move(*file));
    }

    Result<void> remove(const std::string& path) override { return real_->remove(path); }

private:
    class File final : public io::WritableFile {
    public:
        File(FailingFiles& disk, std::unique_ptr<io::WritableFile> real)
            : disk_(&disk), real_(std::move(real)) {}

        Result<void> write_at(FileOffset where, Bytes bytes) override {
            if (const DiskFailure* failure = disk_->next(DiskCall::write)) {
                const Bytes part = bytes.first(std::min(bytes.size(), failure->written));
                static_cast<void>(real_->write_at(where, part));
                if (failure->os_code == DiskFailure::no_memory) {
                    throw std::bad_alloc();
                }
                return std::unexpected(error(*failure));
            }
            return real_->write_at(where, bytes);
        }

        Result<std::size_t> read_at(FileOffset where, MutableBytes to) override {
            if (const DiskFailure* failure = disk_->next(DiskCall::read)) {
                return std::unexpected(error(*failure));
            }
            return real_->read_at(where, to);
        }

        Result<std::uint64_t> size() override { return real_->size(); }

        Result<void> resize(std::uint64_t size) override {
            return unless_failing(DiskCall::resize, [&] { return real_->resize(size); });
        }

        Result<void> allocate(std::uint64_t size) override {
            return unless_failing(DiskCall::allocate, [&] { return real_->allocate(size); });
        }

        bool is_stream() const noexcept override { return real_->is_stream(); }

        Result<void> sync() override {
            return unless_failing(DiskCall::sync, [&] { return real_->sync(); });
        }

        Result<void> close() override {
            return unless_failing(DiskCall::close, [&] { return real_->close(); });
        }

    private:
        template <typename Call>
        Result<void> unless_failing(DiskCall call, Call real) {
            if (const DiskFailure* failure = disk_->next(call)) {
                return std::unexpected(error(*failure));
            }
            return real();
        }

        FailingFiles* disk_;
        std::unique_ptr<io::WritableFile> real_;
    };

    static Error error(const DiskFailure& failure) {
        return {ErrorCode::io_failure, "the disk of the test", {}, 0, 0, failure.os_code};
    }

    /// Counts a call; what shall happen to it.
    const DiskFailure* next(DiskCall call) {
        const unsigned n = ++counts_[static_cast<std::size_t>(call)];
        const auto found = std::ranges::find_if(failures_, [&](const DiskFailure& failure) {
            return failure.call == call && n >= failure.nth && n - failure.nth < failure.times;
        });
        return found == failures_.end() ? nullptr : &*found;
    }

    io::FileFactory* real_;
    std::array<unsigned, 7> counts_{};
    std::vector<DiskFailure> failures_;
};

} // namespace etl::test

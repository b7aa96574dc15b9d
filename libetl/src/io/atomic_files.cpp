#include <etl/io/writable_file.hpp>

#include "io/new_file.hpp"

#include <algorithm>
#include <utility>

namespace etl::io {

namespace {

/// Files without a name live in their handles, of which a program has 256 or 1024.
constexpr std::size_t most_handles_kept = 64;

/// One of the files that were opened.
struct Entry {
    std::string path; // as it was said
    std::unique_ptr<NewFile> file;
    Result<void> closed = fail(ErrorCode::io_failure, "a file that was not closed");
};

} // namespace

struct AtomicFiles::State {
    std::vector<std::shared_ptr<Entry>> entries; // shared with who writes

    NewFile::Handle handle_at_close() const noexcept {
        const auto held = std::ranges::count_if(entries, [](const auto& entry) {
            return entry->closed && entry->file->holds_handle();
        });
        return static_cast<std::size_t>(held) < most_handles_kept ? NewFile::Handle::keep
                                                                  : NewFile::Handle::give_up;
    }

    void forget(const std::string& path) {
        std::erase_if(entries, [&](const auto& entry) { return entry->path == path; });
    }

    class Pending;
};

/// What open gives out: the file, until it is closed.
class AtomicFiles::State::Pending final : public WritableFile {
public:
    Pending(const State& state, std::shared_ptr<Entry> entry)
        : state_(&state), entry_(std::move(entry)) {}

    Result<void> write_at(FileOffset where, Bytes bytes) override {
        return file().write_at(where, bytes);
    }

    Result<std::size_t> read_at(FileOffset where, MutableBytes to) override {
        return file().read_at(where, to);
    }

    Result<std::uint64_t> size() override { return file().size(); }

    Result<void> resize(std::uint64_t size) override { return file().resize(size); }

    Result<void> allocate(std::uint64_t size) override { return file().allocate(size); }

    Result<void> sync() override { return file().sync(); }

    Result<void> close() override {
        entry_->closed = entry_->file->close(state_->handle_at_close());
        return entry_->closed;
    }

private:
    WritableFile& file() noexcept { return entry_->file->file(); }

    const State* state_;
    std::shared_ptr<Entry> entry_;
};

AtomicFiles::AtomicFiles() : state_(std::make_unique<State>()) {}

AtomicFiles::~AtomicFiles() = default;

Result<std::unique_ptr<WritableFile>> AtomicFiles::open(const std::string& path, Open how) {
    const Target target = target_of(path);
    if (target.kind == Target::Kind::folder) {
        return fail(ErrorCode::io_failure, "a folder, not a file");
    }
    if (target.kind == Target::Kind::other) {
        return disk().open(target.path, Open::existing);
    }
    if (how == Open::existing) {
        return target.kind == Target::Kind::none
                   ? fail(ErrorCode::not_found, "open")
                   : fail(ErrorCode::unsupported, "files are replaced, not changed");
    }
    state_->forget(path);
    auto file = NewFile::beside(target);
    if (!file) {
        return std::unexpected(file.error());
    }
    auto entry = std::make_shared<Entry>();
    entry->path = path;
    entry->file = std::move(*file);
    state_->entries.push_back(entry);
    return std::make_unique<State::Pending>(*state_, std::move(entry));
}

Result<void> AtomicFiles::remove(const std::string& path) {
    const std::size_t before = state_->entries.size();
    state_->forget(path);
    return state_->entries.size() < before ? Result<void>{} : fail(ErrorCode::not_found, "remove");
}

Result<void> AtomicFiles::commit() {
    for (const auto& entry : state_->entries) {
        if (!entry->closed) {
            return entry->closed;
        }
    }
    const auto entries = std::exchange(state_->entries, {});
    for (const auto& entry : entries) {
        if (auto appeared = entry->file->appear(); !appeared) {
            return appeared;
        }
    }
    return {};
}

} // namespace etl::io

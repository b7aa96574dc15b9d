#include "io/system/new_file.hpp"
#include "io/system/os_file.hpp"
#include "io/system/system.hpp"
#include "io/writable_file.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

namespace etl::io {

namespace {

/// Files without a name live in their handles, of which a program has 256 or 1024.
constexpr std::size_t max_handles_kept = 64;

/// One of the files that were opened.
struct Entry {
    std::string name; // see name_of
    std::unique_ptr<NewFile> file;
    Result<void> closed = fail(ErrorCode::io_failure, "unclosed file");
};

/// The same however its path is spelled.
std::string name_of(const Target& target) {
    const std::filesystem::path path = to_path(target.path);
    std::error_code code;
    const auto folder =
        std::filesystem::canonical(path.has_parent_path() ? path.parent_path() : ".", code);
    return code ? target.path : to_text(folder / path.filename());
}

} // namespace

struct AtomicFiles::State {
    std::size_t appeared = 0;
    std::vector<std::shared_ptr<Entry>> entries; // shared with who writes

    NewFile::Handle handle_at_close() const noexcept {
        const auto held = std::ranges::count_if(entries, [](const auto& entry) {
            return entry->closed && entry->file->holds_handle();
        });
        return static_cast<std::size_t>(held) < max_handles_kept ? NewFile::Handle::keep
                                                                 : NewFile::Handle::give_up;
    }

    /// How many there were.
    std::size_t forget(const Target& target) {
        const std::string name = name_of(target);
        return std::erase_if(entries, [&](const auto& entry) { return entry->name == name; });
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
        return fail(ErrorCode::io_failure, "a directory, not a file");
    }
    if (target.kind == Target::Kind::other) {
        return disk().open(target.path, Open::existing);
    }
    if (how == Open::existing) {
        return target.kind == Target::Kind::none
                   ? fail(ErrorCode::not_found, "open")
                   : fail(ErrorCode::unsupported, "only replacing files is supported");
    }
    state_->forget(target);
    auto file = NewFile::beside(target);
    if (!file) {
        return std::unexpected(file.error());
    }
    auto entry = std::make_shared<Entry>();
    entry->name = name_of(target);
    entry->file = std::move(*file);
    state_->entries.push_back(entry);
    return std::make_unique<State::Pending>(*state_, std::move(entry));
}

Result<void> AtomicFiles::remove(const std::string& path) {
    return state_->forget(target_of(path)) > 0 ? Result<void>{}
                                               : fail(ErrorCode::not_found, "remove");
}

Result<void> AtomicFiles::commit() {
    for (const auto& entry : state_->entries) {
        if (!entry->closed) {
            return entry->closed;
        }
    }
    state_->appeared = 0;
    const auto entries = std::exchange(state_->entries, {});
    for (const auto& entry : entries) {
        if (auto synced = entry->file->sync(); !synced) {
            return synced;
        }
    }
    std::map<std::filesystem::path, std::string> appeared_in; // folders, and a file in each
    Result<void> outcome;
    for (const auto& entry : entries) {
        outcome = entry->file->appear();
        if (!outcome) {
            break;
        }
        ++state_->appeared;
        const std::string& path = entry->file->target().path;
        appeared_in.try_emplace(to_path(path).parent_path(), path);
    }
    for (const auto& [folder, path] : appeared_in) {
        sync_folder_of(path);
    }
    return outcome;
}

std::size_t AtomicFiles::committed_files() const noexcept {
    return state_->appeared;
}

} // namespace etl::io

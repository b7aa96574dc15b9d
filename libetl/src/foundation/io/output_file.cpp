#include "io/output_file.hpp"

#include "io/find_files.hpp"
#include "io/system/new_file.hpp"
#include "io/system/os_file.hpp"
#include "io/writable_file.hpp"

#include <span>
#include <utility>

namespace etl::io {

StandardOutput::StandardOutput(Content content) {
    if (content == Content::any && standard_output_is_terminal()) {
        visible_.emplace();
    }
}

StandardOutput::~StandardOutput() {
    if (visible_) {
        static_cast<void>(write_as_is(visible_->finish()));
    }
}

Result<void> StandardOutput::write(std::string_view bytes) {
    return write_as_is(visible_ ? visible_->add(bytes) : bytes);
}

struct AtomicFile::State {
    AtomicFiles files;
    std::unique_ptr<WritableFile> file; // goes before its maker
    FileOffset end{};
    std::optional<Error> failure;
};

AtomicFile::AtomicFile(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}

AtomicFile::~AtomicFile() = default;

Result<std::unique_ptr<AtomicFile>> AtomicFile::create(const std::string& path) {
    auto state = std::make_unique<State>();
    auto file = state->files.open(path, FileFactory::Open::replace);
    if (!file) {
        return std::unexpected(file.error());
    }
    state->file = std::move(*file);
    return std::unique_ptr<AtomicFile>(new AtomicFile(std::move(state)));
}

Result<void> AtomicFile::write(std::string_view bytes) {
    if (state_->failure) {
        return std::unexpected(*state_->failure);
    }
    const auto written = state_->file->write_at(state_->end, std::as_bytes(std::span(bytes)));
    if (!written) {
        state_->failure = written.error();
    }
    state_->end = state_->end + bytes.size();
    return written;
}

Result<void> AtomicFile::commit() {
    if (state_->failure) {
        return std::unexpected(*state_->failure);
    }
    if (auto synced = state_->file->sync(); !synced) {
        return synced;
    }
    if (auto closed = state_->file->close(); !closed) {
        return closed;
    }
    return state_->files.commit();
}

struct StagedFile::State {
    std::unique_ptr<NewFile> file;
};

StagedFile::StagedFile(std::unique_ptr<State> state)
    : state_(std::move(state)), path_(in_real_directory(state_->file->hidden())) {}

StagedFile::~StagedFile() = default;

Result<std::unique_ptr<StagedFile>> StagedFile::beside(const std::string& path) {
    const Target target = target_of(path);
    if (target.kind == Target::Kind::folder || target.kind == Target::Kind::other) {
        return fail(ErrorCode::invalid_option, "not a file that can be replaced");
    }
    auto file = NewFile::beside(target);
    if (!file) {
        return std::unexpected(file.error());
    }
    if (const auto shared = (*file)->share(); !shared) {
        return std::unexpected(shared.error());
    }
    return std::unique_ptr<StagedFile>(
        new StagedFile(std::make_unique<State>(State{*std::move(file)})));
}

Result<void> StagedFile::commit() {
    NewFile& file = *state_->file;
    if (!file.is_in_place()) {
        return fail(ErrorCode::malformed, "another program replaced the unfinished output");
    }
    if (!file.is_closed()) {
        if (auto synced = file.file().sync(); !synced) {
            return synced;
        }
        if (auto closed = file.close(NewFile::Handle::give_up); !closed) {
            return closed;
        }
    }
    auto done = file.appear();
    if (done) {
        sync_folder_of(file.target().path);
    }
    return done;
}

} // namespace etl::io

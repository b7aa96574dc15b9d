#include "io/staged_file.hpp"

#include "io/find_files.hpp"
#include "io/system/new_file.hpp"
#include "io/system/os_file.hpp"

#include <utility>

namespace etl::io {

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

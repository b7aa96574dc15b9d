#include <etl/io/staged_file.hpp>

#include "io/system/new_file.hpp"
#include "io/system/os_file.hpp"

#include <utility>

namespace etl::io {

struct StagedFile::State {
    std::unique_ptr<NewFile> file;
};

StagedFile::StagedFile(std::unique_ptr<State> state)
    : state_(std::move(state)), path_(real_path(state_->file->hidden())), id_(file_id(path_)) {}

StagedFile::~StagedFile() = default;

Result<std::unique_ptr<StagedFile>> StagedFile::beside(const std::string& target) {
    auto file = NewFile::beside(target_of(target));
    if (!file) {
        return std::unexpected(file.error());
    }
    if (const auto closed = (*file)->close(NewFile::Handle::give_up); !closed) {
        return std::unexpected(closed.error());
    }
    return std::unique_ptr<StagedFile>(
        new StagedFile(std::make_unique<State>(State{*std::move(file)})));
}

Result<void> StagedFile::commit() {
    if (!id_ || real_path(path_) != path_ || file_id(path_) != id_) {
        return fail(ErrorCode::malformed, "another program replaced the unfinished output");
    }
    auto done = state_->file->sync();
    if (done) {
        done = state_->file->appear();
    }
    if (done) {
        sync_folder_of(state_->file->target().path);
    }
    return done;
}

} // namespace etl::io

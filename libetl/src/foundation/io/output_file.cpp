#include "io/output_file.hpp"

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

} // namespace etl::io

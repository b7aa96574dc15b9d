// A trace file opened: what kind of file it is, its log file header, and where its buffers are.
#pragma once

#include "io/file_on_demand.hpp"
#include "trace/index/buffer_index.hpp"
#include "trace/loading/loaded_buffer.hpp"

#include <memory>
#include <optional>

namespace etl::trace {

/// Stays where it is: requests to load its buffers, and its info, point into it.
class ScannedTrace final : public flow::Backing {
public:
    /// Looks for the buffers in the file, or in the frames of a container. Of the options, counts
    /// the number of this input, and whether it is read in a single pass. Errors: empty_file,
    /// not_a_trace.
    static Result<std::unique_ptr<ScannedTrace>> open(std::shared_ptr<const io::InputFile> file,
                                                      const ReaderOptions& options);

    ScannedTrace(const ScannedTrace&) = delete;
    ScannedTrace& operator=(const ScannedTrace&) = delete;
    ~ScannedTrace() override = default;

    std::uint64_t intact_size() const noexcept override { return file_->intact_size(); }

    /// Of the file when it was scanned.
    std::uint64_t size() const noexcept { return size_; }

    /// To load its buffers. `options` outlive the request.
    LoadRequest request(const ReaderOptions& options);

    /// The file to read buffers from that are copied; null: they are copied anyway.
    const io::InputFile* copied() const noexcept {
        return on_demand_ == nullptr ? file_.get() : nullptr;
    }

    flow::TraceInfo info;
    BufferIndex index;

private:
    explicit ScannedTrace(std::shared_ptr<const io::InputFile> file) : file_(std::move(file)) {}

    void scan(const io::InputFile& content, bool is_single_pass);
    void scan(Bytes first, const io::InputFile* read);
    void let_go();
    bool is_trace(Bytes content) const noexcept;

    std::shared_ptr<const io::InputFile> file_;
    const io::FileOnDemand* on_demand_ = nullptr; // file_, if it is one
    std::uint64_t size_ = 0;
    Bytes bytes_;                             // what is there of it; none of a file on demand
    PackedTrace packed_;                      // none, unless the file is a container
    std::optional<FrameUnpackers> unpackers_; // of a container
    std::optional<WatchedFile> watched_;
};

} // namespace etl::trace

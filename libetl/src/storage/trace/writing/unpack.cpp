#include "base/run_in_order.hpp"
#include "io/limits.hpp"
#include "trace/index/packed_trace.hpp"
#include "trace/repack.hpp"
#include "trace/writing/repacking.hpp"

#include <vector>

namespace etl::trace {

namespace {

/// Frames on their way to the file.
struct UnpackBatch {
    std::vector<io::Frame> frames{};
    std::size_t content_size = 0;
    Storage memory{};
    Bytes content{}; // up to the first damaged frame
    std::size_t decoded_frames = 0;
    Result<void> outcome{};
    bool flush = false;
};

/// The steps of run_in_order.
class UnpackSteps {
public:
    using Batch = UnpackBatch;

    UnpackSteps(io::Container kind, Bytes file, io::WritableFile& output,
                const RepackOptions& options)
        : file_(file), frames_(kind, file), output_(&output), options_(&options), unpackers_(kind) {
        result_.packed_bytes = file.size();
    }

    bool fill(UnpackBatch& batch) {
        batch.frames.clear();
        batch.content_size = 0;
        while (batch.content_size < batch_bytes && batch.frames.size() < max_frames) {
            const auto frame = frames_.next();
            if (!frame) {
                break;
            }
            batch.frames.push_back(*frame);
            batch.content_size += frame->content_size;
        }
        memory_.take(batch.content_size);
        return !batch.frames.empty();
    }

    void work(UnpackBatch& batch) {
        batch.content = {};
        batch.decoded_frames = 0;
        auto unpacker = unpackers_.take();
        if (!unpacker) {
            batch.outcome = std::unexpected(unpacker.error());
            return;
        }
        batch.outcome = unpack(batch, (*unpacker)->decoder);
        unpackers_.put(*std::move(unpacker));
    }

    Result<void> finish(UnpackBatch& batch) {
        memory_.give_back(batch.content_size);
        if (result_.stopped) {
            return {};
        }
        if (batch.content.size() > io::limits::unpacked_bytes - result_.plain_bytes) {
            return fail(ErrorCode::limit, "decompressed bytes", batch.frames.front().where,
                        io::limits::unpacked_bytes);
        }
        if (auto written = output_->write_at({result_.plain_bytes}, batch.content); !written) {
            return written;
        }
        result_.plain_bytes += batch.content.size();
        result_.frames += batch.decoded_frames;
        const io::Frame& last = batch.frames.back();
        result_.stopped = batch.outcome &&
                          !goes_on(*options_, (last.where + last.packed_size).value, file_.size());
        return batch.outcome;
    }

    bool is_full() const noexcept { return memory_.is_full(); }

    bool is_done() const noexcept { return result_.stopped; }

    void pause() noexcept {}

    Result<RepackResult> result() const {
        if (frames_.error() && !result_.stopped) {
            return std::unexpected(*frames_.error());
        }
        if (result_.frames == 0) { // a trace has a frame at least
            return fail(ErrorCode::truncated, "container without frames");
        }
        return result_;
    }

private:
    static constexpr std::size_t max_frames = 4096; // without content, frames are only listed

    Result<void> unpack(UnpackBatch& batch, io::FrameDecoder& decoder) const {
        const MutableBytes memory = batch.memory.take(batch.content_size);
        for (const io::Frame& frame : batch.frames) {
            const MutableBytes to = memory.subspan(batch.content.size(), frame.content_size);
            const auto where = static_cast<std::size_t>(frame.where.value);
            const auto decoded = decoder.decode(file_.subspan(where, frame.packed_size), to);
            if (decoded.error || frame.is_truncated || decoded.written != to.size()) {
                Error error = decoded.error.value_or(
                    Error{ErrorCode::truncated, "truncated frame", {}, 0, 0, 0});
                error.where = frame.where + error.where.value;
                return std::unexpected(error);
            }
            batch.content = memory.first(batch.content.size() + to.size());
            ++batch.decoded_frames;
        }
        return {};
    }

    Bytes file_;
    io::FrameScanner frames_;
    io::WritableFile* output_;
    const RepackOptions* options_;
    FrameUnpackers unpackers_;
    MemoryUnderWay memory_;
    RepackResult result_;
};

} // namespace

Result<RepackResult> unpack(const std::shared_ptr<const io::InputFile>& packed,
                            io::WritableFile& output, const RepackOptions& options) {
    const Bytes file = packed->bytes();
    const io::Container kind = io::container_of(file);
    if (kind == io::Container::none) {
        return fail(ErrorCode::unsupported, "container without one buffer per frame");
    }
    const RepackOptions sound = with_sound_threads(options);
    UnpackSteps steps(kind, file, output, sound);
    TaskPool pool(pool_threads(sound));
    if (auto unpacked = run_in_order(pool, steps); !unpacked) {
        return std::unexpected(unpacked.error());
    }
    return steps.result();
}

} // namespace etl::trace

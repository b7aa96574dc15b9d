#include "trace/repack.hpp"

#include "base/run_in_order.hpp"
#include "base/task_pool.hpp"
#include "io/limits.hpp"
#include "trace/index/packed_trace.hpp"
#include "trace/reader.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace etl::trace {

namespace {

/// Content that one thread works on before it is written.
constexpr std::size_t batch_bytes = 256U << 10U;

/// Memory of the batches under way at one time.
class MemoryUnderWay {
public:
    void take(std::size_t bytes) noexcept { bytes_ += bytes; }

    void give_back(std::size_t bytes) noexcept { bytes_ -= bytes; }

    bool is_full() const noexcept { return bytes_ >= max; }

private:
    static constexpr std::size_t max = 32U << 20U; // one batch may take more

    std::size_t bytes_ = 0;
};

RepackOptions with_sound_threads(RepackOptions options) {
    options.threads = std::clamp(options.threads, 1U, 64U);
    return options;
}

/// The caller only fills and writes.
unsigned pool_threads(const RepackOptions& options) noexcept {
    return options.threads > 1 ? options.threads : 0;
}

bool goes_on(const RepackOptions& options, std::uint64_t done, std::uint64_t all) {
    return !options.progress ||
           options.progress(static_cast<double>(done) / static_cast<double>(all));
}

/// Of what lies between buffers, and is none.
constexpr std::size_t gap_piece = 64U << 10U;

/// A piece of the plain trace that becomes a frame.
struct Piece {
    std::size_t where = 0;
    std::size_t size = 0;
    std::size_t stored = 0; // of it as it is
};

/// Tiles the file: buffers where there are any, and the rest.
std::vector<Piece> pieces_of(const Reader& reader, std::size_t file_size) {
    std::vector<Piece> pieces;
    std::size_t at = 0;
    const auto fill_up_to = [&](std::size_t end) {
        while (at < end) {
            const std::size_t size = std::min(gap_piece, end - at);
            pieces.push_back({at, size, format::buffer_header::size});
            at += size;
        }
    };
    for (const BufferEntry& entry : reader.buffers()) {
        const auto where = static_cast<std::size_t>(entry.where.value);
        if (where < at || where >= file_size) {
            continue;
        }
        fill_up_to(where);
        const std::size_t size = std::min<std::size_t>(entry.disk_size, file_size - where);
        // What the header of the trace says is had without unpacking anything.
        const bool is_first = where == 0 && !entry.is_compressed();
        const std::size_t stored =
            is_first ? std::clamp<std::size_t>(entry.used, format::buffer_header::size, size)
                     : format::buffer_header::size;
        pieces.push_back({where, size, std::min(stored, size)});
        at = where + size;
    }
    fill_up_to(file_size);
    return pieces;
}

/// What one thread packs with.
struct Tools {
    io::FrameEncoder encoder;
    FrameUnpacker unpacker;
};

/// Frames on their way to the file.
struct PackBatch {
    std::span<const Piece> pieces{};
    std::vector<std::byte> packed{};
    std::vector<io::FrameSizes> sizes{};
    Result<void> outcome{};
    bool flush = false;
};

bool is_equal(Bytes a, Bytes b) noexcept {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
}

/// The steps of run_in_order.
class PackSteps {
public:
    using Batch = PackBatch;

    PackSteps(Bytes file, std::span<const Piece> pieces, io::WritableFile& output,
              const RepackOptions& options)
        : file_(file), rest_(pieces), output_(&output), options_(&options) {}

    /// Errors: those of FrameEncoder::create.
    Result<void> make_tools(io::Container kind) {
        for (unsigned i = 0; i < options_->threads; ++i) {
            auto encoder = io::FrameEncoder::create(kind, options_->level);
            if (!encoder) {
                return std::unexpected(encoder.error());
            }
            auto decoder = io::FrameDecoder::create(kind);
            if (!decoder) {
                return std::unexpected(decoder.error());
            }
            tools_.add(std::make_unique<Tools>(std::move(*encoder),
                                               FrameUnpacker{std::move(*decoder), {}}));
        }
        return {};
    }

    bool fill(PackBatch& batch) {
        std::size_t count = 0;
        std::size_t bytes = 0;
        while (count < rest_.size() && bytes < batch_bytes) {
            bytes += rest_[count++].size;
        }
        batch.pieces = rest_.first(count);
        rest_ = rest_.subspan(count);
        memory_.take(2 * bytes); // the frames, and what is unpacked of them
        return count > 0;
    }

    void work(PackBatch& batch) {
        batch.packed.clear();
        batch.sizes.clear();
        batch.outcome = {};
        const ObjectPool<Tools>::Lease tools(tools_);
        for (const Piece& piece : batch.pieces) {
            const std::size_t before = batch.packed.size();
            batch.outcome = pack(piece, *tools, batch.packed);
            if (!batch.outcome) {
                batch.packed.resize(before);
                return;
            }
            batch.sizes.push_back(
                {.packed = static_cast<std::uint32_t>(batch.packed.size() - before),
                 .content = static_cast<std::uint32_t>(piece.size)});
        }
    }

    Result<void> finish(PackBatch& batch) {
        std::size_t bytes = 0;
        for (const Piece& piece : batch.pieces) {
            bytes += piece.size;
        }
        memory_.give_back(2 * bytes);
        if (result_.stopped) {
            return {};
        }
        sizes_.insert(sizes_.end(), batch.sizes.begin(), batch.sizes.end());
        result_.frames += batch.sizes.size();
        result_.plain_bytes += bytes;
        if (auto written = write(batch.packed); !written) {
            return written;
        }
        result_.stopped = batch.outcome && !goes_on(*options_, result_.plain_bytes, file_.size());
        return batch.outcome;
    }

    bool is_full() const noexcept { return memory_.is_full(); }

    bool is_done() const noexcept { return result_.stopped; }

    void pause() noexcept {}

    Result<void> write_table(io::Container kind) {
        std::vector<std::byte> table;
        io::encode_seek_table(kind, sizes_, table);
        return write(table);
    }

    const RepackResult& result() const noexcept { return result_; }

private:
    Result<void> pack(const Piece& piece, Tools& tools, std::vector<std::byte>& to) const {
        const Bytes content = file_.subspan(piece.where, piece.size);
        const std::size_t before = to.size();
        if (auto encoded = tools.encoder.encode(content, piece.stored, to); !encoded) {
            return encoded;
        }
        const MutableBytes again = tools.unpacker.scratch.take(content.size());
        const auto decoded = tools.unpacker.decoder.decode(Bytes(to).subspan(before), again);
        if (decoded.error || !is_equal(again.first(decoded.written), content)) {
            return fail(ErrorCode::malformed, "frame that does not decompress to its content",
                        {piece.where}, content.size(), decoded.written);
        }
        return {};
    }

    Result<void> write(Bytes bytes) {
        auto written = output_->write_at({result_.packed_bytes}, bytes);
        result_.packed_bytes += bytes.size();
        return written;
    }

    Bytes file_;
    std::span<const Piece> rest_;
    io::WritableFile* output_;
    const RepackOptions* options_;
    ObjectPool<Tools> tools_;
    MemoryUnderWay memory_;
    std::vector<io::FrameSizes> sizes_;
    RepackResult result_;
};

} // namespace

Result<RepackResult> pack(const std::shared_ptr<const io::InputFile>& plain,
                          io::WritableFile& output, io::Container kind,
                          const RepackOptions& options) {
    if (kind == io::Container::none) {
        return fail(ErrorCode::invalid_option, "no container format");
    }
    const auto reader = Reader::open(plain);
    if (!reader) {
        return std::unexpected(reader.error());
    }
    if (!(*reader)->info().container.name.empty()) {
        return fail(ErrorCode::invalid_option, "already compressed");
    }
    const RepackOptions sound = with_sound_threads(options);
    const Bytes file = plain->bytes();
    const std::vector<Piece> pieces = pieces_of(**reader, file.size());
    PackSteps steps(file, pieces, output, sound);
    if (auto made = steps.make_tools(kind); !made) {
        return std::unexpected(made.error());
    }
    TaskPool pool(pool_threads(sound));
    if (auto packed = run_in_order(pool, steps); !packed) {
        return std::unexpected(packed.error());
    }
    if (steps.result().stopped) {
        return steps.result();
    }
    if (auto written = steps.write_table(kind); !written) {
        return std::unexpected(written.error());
    }
    return steps.result();
}

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

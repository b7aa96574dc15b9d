#include "base/object_pool.hpp"
#include "base/run_in_order.hpp"
#include "trace/index/packed_trace.hpp"
#include "trace/reader.hpp"
#include "trace/repack.hpp"
#include "trace/writing/repacking.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace etl::trace {

namespace {

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

} // namespace etl::trace

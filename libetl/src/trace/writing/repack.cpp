#include <etl/base/task_pool.hpp>
#include <etl/io/limits.hpp>
#include <etl/trace/reader.hpp>
#include <etl/trace/repack.hpp>

#include "trace/index/packed_trace.hpp"

#include <algorithm>
#include <future>
#include <mutex>
#include <vector>

namespace etl::trace {

namespace {

/// Of what lies between buffers, and is none.
constexpr std::size_t gap_piece = 64U << 10U;

/// What pieces under way at one time may take, their frames included; one piece may take more.
constexpr std::size_t bytes_under_way = 32U << 20U;

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
    io::FrameDecoder decoder;
    std::vector<std::byte> again{};
};

/// Lent to those who pack at this time, no more of them than there are tools. Any thread.
class Toolbox {
public:
    explicit Toolbox(std::vector<Tools> tools) : tools_(std::move(tools)) {}

    /// The last ones given back: a few large pieces make few tools large.
    Tools take() {
        const std::scoped_lock lock(mutex_);
        Tools tools = std::move(tools_.back());
        tools_.pop_back();
        return tools;
    }

    void give_back(Tools tools) {
        const std::scoped_lock lock(mutex_);
        tools_.push_back(std::move(tools));
    }

private:
    std::mutex mutex_;
    std::vector<Tools> tools_;
};

/// A frame under way.
struct Framing {
    Piece piece{};
    std::vector<std::byte> frame{};
    Result<void> outcome{};

    void run(Bytes file, Toolbox& toolbox) {
        Tools tools = toolbox.take();
        try {
            pack(file, tools);
        } catch (...) { // memory: who waits for the frame is told
            toolbox.give_back(std::move(tools));
            throw;
        }
        toolbox.give_back(std::move(tools));
    }

private:
    void pack(Bytes file, Tools& tools) {
        const Bytes content = file.subspan(piece.where, piece.size);
        outcome = tools.encoder.encode(content, piece.stored, frame);
        if (!outcome) {
            return;
        }
        std::vector<std::byte>& again = tools.again;
        again.resize(content.size());
        const auto decoded = tools.decoder.decode(frame, again);
        if (decoded.error || decoded.written != content.size() ||
            !std::ranges::equal(again, content)) {
            outcome = fail(ErrorCode::malformed, "frame that does not decompress to its content",
                           {piece.where}, content.size(), decoded.written);
        }
    }
};

Result<std::vector<Tools>> make_tools(io::Container kind, const RepackOptions& options) {
    std::vector<Tools> tools;
    for (unsigned i = 0; i < options.threads; ++i) {
        auto encoder = io::FrameEncoder::create(kind, options.level);
        if (!encoder) {
            return std::unexpected(encoder.error());
        }
        auto decoder = io::FrameDecoder::create(kind);
        if (!decoder) {
            return std::unexpected(decoder.error());
        }
        tools.push_back({.encoder = std::move(*encoder), .decoder = std::move(*decoder)});
    }
    return tools;
}

/// How many of the first pieces may be under way at one time; at least one.
std::size_t batch_of(std::span<const Piece> pieces, std::size_t most) {
    std::size_t count = 0;
    std::size_t bytes = 0;
    while (count < std::min(most, pieces.size())) {
        bytes += 2 * pieces[count].size; // its frame, and what is unpacked of it
        if (count > 0 && bytes > bytes_under_way) {
            break;
        }
        ++count;
    }
    return count;
}

/// Frames into the file, one behind the other.
class Packing {
public:
    Packing(Bytes file, io::WritableFile& output, std::vector<Tools> tools)
        : file_(file), output_(&output), toolbox_(std::move(tools)) {}

    /// The next pieces, at once.
    Result<void> pack(std::span<const Piece> pieces, TaskPool& pool) {
        std::vector<std::future<void>> done;
        std::vector<Framing> framings(pieces.size());
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            Framing& framing = framings[i];
            framing.piece = pieces[i];
            auto task =
                std::make_shared<std::packaged_task<void()>>([&] { framing.run(file_, toolbox_); });
            done.push_back(task->get_future());
            pool.submit([task] { (*task)(); });
        }
        while (pool.run_one()) {
        }
        Result<void> outcome;
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            done[i].get();
            if (outcome) {
                outcome = put(framings[i]);
            }
        }
        return outcome;
    }

    Result<void> write_table(io::Container kind) {
        std::vector<std::byte> table;
        io::encode_seek_table(kind, sizes_, table);
        return write(table);
    }

    const RepackResult& result() const noexcept { return result_; }

private:
    Result<void> put(const Framing& framing) {
        if (!framing.outcome) {
            return framing.outcome;
        }
        sizes_.push_back({.packed = static_cast<std::uint32_t>(framing.frame.size()),
                          .content = static_cast<std::uint32_t>(framing.piece.size)});
        result_.plain_bytes += framing.piece.size;
        ++result_.frames;
        return write(framing.frame);
    }

    Result<void> write(Bytes bytes) {
        auto written = output_->write_at({result_.packed_bytes}, bytes);
        result_.packed_bytes += bytes.size();
        return written;
    }

    Bytes file_;
    io::WritableFile* output_;
    Toolbox toolbox_;
    std::vector<io::FrameSizes> sizes_;
    RepackResult result_;
};

bool goes_on(const RepackOptions& options, std::uint64_t done, std::uint64_t all) {
    return !options.progress ||
           options.progress(static_cast<double>(done) / static_cast<double>(all));
}

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
    RepackOptions sound = options;
    sound.threads = std::clamp(options.threads, 1U, 64U);
    auto tools = make_tools(kind, sound);
    if (!tools) {
        return std::unexpected(tools.error());
    }
    const Bytes file = plain->bytes();
    const std::vector<Piece> pieces = pieces_of(**reader, file.size());
    Packing packing(file, output, *std::move(tools));
    TaskPool pool(sound.threads - 1);
    for (std::span<const Piece> rest = pieces; !rest.empty();) {
        const auto next = rest.first(batch_of(rest, 4UL * sound.threads));
        rest = rest.subspan(next.size());
        if (auto packed = packing.pack(next, pool); !packed) {
            return std::unexpected(packed.error());
        }
        if (!goes_on(options, packing.result().plain_bytes, file.size())) {
            RepackResult result = packing.result();
            result.stopped = true;
            return result;
        }
    }
    if (auto written = packing.write_table(kind); !written) {
        return std::unexpected(written.error());
    }
    return packing.result();
}

Result<RepackResult> unpack(const std::shared_ptr<const io::InputFile>& packed,
                            io::WritableFile& output, const RepackOptions& options) {
    const Bytes file = packed->bytes();
    const io::Container kind = io::container_of(file);
    auto decoder = io::FrameDecoder::create(kind);
    if (!decoder) {
        return fail(ErrorCode::unsupported, "container without one buffer per frame");
    }
    RepackResult result{.packed_bytes = file.size()};
    io::FrameScanner frames(kind, file);
    Storage content;
    while (const auto frame = frames.next()) {
        const MutableBytes to = content.take(frame->content_size);
        const auto where = static_cast<std::size_t>(frame->where.value);
        auto decoded = decoder->decode(file.subspan(where, frame->packed_size), to);
        if (decoded.error || frame->is_truncated || decoded.written != to.size()) {
            Error error =
                decoded.error.value_or(Error{ErrorCode::truncated, "truncated frame", {}, 0, 0, 0});
            error.where = frame->where + error.where.value;
            return std::unexpected(error);
        }
        if (to.size() > limits::unpacked_bytes - result.plain_bytes) {
            return fail(ErrorCode::limit, "decompressed bytes", frame->where,
                        limits::unpacked_bytes);
        }
        if (auto written = output.write_at({result.plain_bytes}, to); !written) {
            return std::unexpected(written.error());
        }
        result.plain_bytes += to.size();
        ++result.frames;
        if (!goes_on(options, frames.where().value, file.size())) {
            result.stopped = true;
            return result;
        }
    }
    if (frames.error()) {
        return std::unexpected(*frames.error());
    }
    if (result.frames == 0) { // a trace has a frame at least
        return fail(ErrorCode::truncated, "container without frames");
    }
    return result;
}

} // namespace etl::trace

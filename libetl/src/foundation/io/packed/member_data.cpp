#include "io/packed/member_data.hpp"

#include <lz4frame.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <zlib.h>

namespace etl::io {

/// Unpacks piece by piece.
class StreamTail::Decoder {
public:
    virtual ~Decoder() = default;

    /// Bytes put to the front of `to`; 0 at the end, also where the data are damaged.
    virtual std::size_t decode(MutableBytes to) = 0;
};

namespace {

class GzipDecoder final : public StreamTail::Decoder {
public:
    explicit GzipDecoder(Bytes packed) : packed_(packed) {
        constexpr int gzip_only = 16 + MAX_WBITS;
        is_good_ = ::inflateInit2(&state_, gzip_only) == Z_OK;
    }

    GzipDecoder(const GzipDecoder&) = delete;
    GzipDecoder& operator=(const GzipDecoder&) = delete;

    ~GzipDecoder() override { ::inflateEnd(&state_); }

    std::size_t decode(MutableBytes to) override {
        std::size_t written = 0;
        while (is_good_ && written < to.size()) {
            const Bytes in = clamped(packed_, 0, std::numeric_limits<uInt>::max());
            const MutableBytes out = to.subspan(written);
            // zlib's interface is older than const.
            state_.next_in = reinterpret_cast<Bytef*>( // NOLINT(*-reinterpret-cast)
                const_cast<std::byte*>(in.data()));    // NOLINT(*-const-cast)
            state_.avail_in = static_cast<uInt>(in.size());
            state_.next_out = reinterpret_cast<Bytef*>(out.data()); // NOLINT(*-reinterpret-cast)
            state_.avail_out = static_cast<uInt>(out.size());
            const int status = ::inflate(&state_, Z_NO_FLUSH);
            packed_ = packed_.subspan(in.size() - state_.avail_in);
            written += out.size() - state_.avail_out;
            // Behind one member there may be another.
            is_good_ = status == Z_STREAM_END ? ::inflateReset(&state_) == Z_OK && !packed_.empty()
                                              : status == Z_OK;
        }
        return written;
    }

private:
    Bytes packed_;
    z_stream state_{};
    bool is_good_ = false;
};

class ZstdDecoder final : public StreamTail::Decoder {
public:
    explicit ZstdDecoder(Bytes packed)
        : in_{packed.data(), packed.size(), 0}, context_(::ZSTD_createDCtx()) {}

    std::size_t decode(MutableBytes to) override {
        ZSTD_outBuffer out{to.data(), to.size(), 0};
        while (context_ && out.pos < out.size) {
            const std::size_t before = in_.pos + out.pos;
            const std::size_t status = ::ZSTD_decompressStream(context_.get(), &out, &in_);
            if (::ZSTD_isError(status) != 0 || in_.pos + out.pos == before) {
                context_.reset();
            }
        }
        return out.pos;
    }

private:
    struct Free {
        void operator()(ZSTD_DCtx* context) const noexcept { ::ZSTD_freeDCtx(context); }
    };

    ZSTD_inBuffer in_;
    std::unique_ptr<ZSTD_DCtx, Free> context_;
};

class Lz4Decoder final : public StreamTail::Decoder {
public:
    explicit Lz4Decoder(Bytes packed) : packed_(packed) {
        LZ4F_dctx* context = nullptr;
        if (::LZ4F_isError(::LZ4F_createDecompressionContext(&context, LZ4F_VERSION)) == 0) {
            context_.reset(context);
        }
    }

    std::size_t decode(MutableBytes to) override {
        std::size_t written = 0;
        while (context_ && written < to.size()) {
            std::size_t in = packed_.size();
            std::size_t out = to.size() - written;
            const std::size_t status = ::LZ4F_decompress(context_.get(), to.data() + written, &out,
                                                         packed_.data(), &in, nullptr);
            packed_ = packed_.subspan(in);
            written += out;
            if (::LZ4F_isError(status) != 0 || in + out == 0) {
                context_.reset();
            }
        }
        return written;
    }

private:
    struct Free {
        void operator()(LZ4F_dctx* context) const noexcept {
            ::LZ4F_freeDecompressionContext(context);
        }
    };

    Bytes packed_;
    std::unique_ptr<LZ4F_dctx, Free> context_;
};

std::unique_ptr<StreamTail::Decoder> decoder_for(PackedKind kind, Bytes packed) {
    switch (kind) {
    case PackedKind::gzip:
        return std::make_unique<GzipDecoder>(packed);
    case PackedKind::zstd:
        return std::make_unique<ZstdDecoder>(packed);
    case PackedKind::lz4:
        return std::make_unique<Lz4Decoder>(packed);
    case PackedKind::none:
    case PackedKind::bzip2:
    case PackedKind::xz:
    case PackedKind::lzma:
    case PackedKind::tar:
    case PackedKind::zip:
    case PackedKind::seven_zip:
    case PackedKind::cab:
        break;
    }
    return nullptr;
}

constexpr std::size_t tail_block = 1U << 16U;

} // namespace

StreamTail::StreamTail(PackedKind kind, Bytes packed, std::uint64_t given)
    : decoder_(decoder_for(kind, packed)), block_(tail_block), left_(given) {}

StreamTail::~StreamTail() = default;

Result<Bytes> StreamTail::next_block() {
    while (decoder_) {
        const std::size_t size = decoder_->decode(block_);
        if (size == 0) {
            decoder_.reset();
            break;
        }
        const auto known = static_cast<std::size_t>(std::min<std::uint64_t>(left_, size));
        left_ -= known;
        if (known < size) {
            return Bytes(block_).first(size).subspan(known);
        }
    }
    return Bytes{};
}

namespace {

constexpr std::size_t head_size = 4096;

} // namespace

MemberData::MemberData(ArchiveReader& reader, UnpackBudget& budget, WholeStream stream)
    : reader_(&reader), budget_(&budget), stream_(stream) {
    fill_head();
}

MemberData::MemberData(Error failure, UnpackBudget& budget, WholeStream stream)
    : budget_(&budget), stream_(stream) {
    fail_with(failure);
    fill_head();
}

Bytes MemberData::head() const noexcept {
    return clamped(head_, 0, head_size);
}

Result<Bytes> MemberData::next_block() {
    if (!head_given_) {
        head_given_ = true;
        if (!head_.empty()) {
            return Bytes(head_);
        }
    }
    return from_reader();
}

std::optional<Error> MemberData::damage() const {
    return failure_ || reader_ == nullptr ? failure_ : reader_->remark();
}

void MemberData::fill_head() {
    while (head_.size() < head_size) {
        const auto block = from_reader();
        if (!block || block->empty()) {
            return;
        }
        head_.insert(head_.end(), block->begin(), block->end());
    }
}

// Stays at the end or at the failure once it is there.
Result<Bytes> MemberData::from_reader() {
    while (true) {
        if (failure_ && tail_ == nullptr) {
            return std::unexpected(*failure_);
        }
        if (at_end_) {
            return Bytes{};
        }
        auto block = tail_ != nullptr ? tail_->next_block() : reader_->read();
        if (!block) {
            fail_with(block.error());
        } else if (block->empty() && tail_ != nullptr) {
            tail_.reset();
        } else if (const auto granted = budget_->take(block->size()); !granted) {
            failure_ = granted.error();
            tail_.reset();
        } else {
            taken_ += block->size();
            at_end_ = block->empty();
            return block;
        }
    }
}

void MemberData::fail_with(const Error& error) {
    failure_ = error;
    if (error.code == ErrorCode::truncated || error.code == ErrorCode::malformed) {
        tail_ = std::make_unique<StreamTail>(stream_.kind, stream_.packed, taken_);
    }
}

} // namespace etl::io

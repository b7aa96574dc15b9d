#include "trace/files/packing_line.hpp"

#include "trace/header/header_buffer.hpp"

#include <algorithm>
#include <cassert>
#include <new>
#include <utility>

namespace etl::trace {

namespace {
namespace head = format::buffer_header;
namespace flag = format::buffer_flag;

constexpr std::uint32_t max_fill_in_place = 64U << 10U;
} // namespace

Result<BufferPacker> BufferPacker::create(const Recording& recording,
                                          const LogFileOptions& options) {
    BufferPacker packer;
    packer.lineage_ = recording.lineage;
    packer.logger_id_ = recording.lineage == Lineage::relogger ? 0 : recording.logger_id;
    packer.buffer_size_ = options.buffer_size;
    if (options.compression != codec::Format::none) {
        auto compressor = codec::Compressor::create(options.compression, options.level);
        if (!compressor) {
            return std::unexpected(compressor.error());
        }
        packer.format_ = options.compression;
        packer.compressor_ = std::move(*compressor);
    }
    if (options.container != io::Container::none) {
        auto framer = io::FrameEncoder::create(options.container, options.container_level);
        if (!framer) {
            return std::unexpected(framer.error());
        }
        packer.framer_ = std::move(*framer);
    }
    return packer;
}

void BufferPacker::complete(const FilledBufferView& buffer) const noexcept {
    assert(buffer.used >= head::size && buffer.used <= buffer_size_);
    format::BufferHeader header{.buffer_size = buffer_size_,
                                .used = buffer.used,
                                .time_stamp = buffer.time_stamp,
                                .sequence_number = buffer.sequence,
                                .processor = buffer.processor,
                                .logger_id = buffer.logger_id.value_or(logger_id_),
                                .flags = buffer.flags,
                                .type = buffer.type};
    if (lineage_ == Lineage::windows7) {
        header.processor |= windows7_alignment;
    } else if (lineage_ != Lineage::unmarked) {
        header.flags |= flag::processor_index;
    }
    const MutableBytes whole(buffer.memory, buffer_size_);
    format::encode(header, whole.first<head::size>());
}

Bytes BufferPacker::fill_up(const FilledBufferView& buffer) const noexcept {
    const MutableBytes whole(buffer.memory, buffer_size_);
    std::ranges::fill(whole.subspan(buffer.used), buffer_fill);
    return whole;
}

/// Large buffers that hold little are filled up elsewhere: a page once touched stays with a buffer,
/// and there are as many of them as processors.
Bytes BufferPacker::filled_up(const FilledBufferView& buffer) {
    if (buffer_size_ - buffer.used <= max_fill_in_place) {
        return fill_up(buffer);
    }
    if (!copy_) {
        copy_ = std::make_unique_for_overwrite<std::byte[]>(buffer_size_);
    }
    const MutableBytes whole(copy_.get(), buffer_size_);
    std::ranges::copy(Bytes(buffer.memory, buffer.used), whole.begin());
    std::ranges::fill(whole.subspan(buffer.used), buffer_fill);
    return whole;
}

Bytes BufferPacker::compress(const FilledBufferView& buffer, std::vector<std::byte>& scratch) {
    // Buffers may be of 16 MB and hold little: no more memory is touched than that takes.
    const Bytes plain(buffer.memory, buffer.used);
    const Bytes body = plain.subspan(head::size);
    const std::size_t most = std::min<std::size_t>(
        buffer_size_, head::size + codec::max_compressed_size(format_, body.size()));
    if (scratch.size() < most) {
        scratch.reserve(buffer_size_);
        scratch.resize(most);
    }
    const MutableBytes room = MutableBytes(scratch).first(most);
    const auto size = compressor_->compress(body, room.subspan(head::size));
    if (!size) {
        // No decoder knows a buffer that is larger than those of its session. Such a one is full,
        // or nearly.
        return fill_up(buffer);
    }
    const auto front = room.first<head::size>();
    std::ranges::copy(plain.first(head::size), front.begin());
    const auto flags = load<head::buffer_flag>(plain.first<head::size>());
    store<head::buffer_size>(front, static_cast<std::uint32_t>(head::size + *size));
    store<head::buffer_flag>(front, static_cast<std::uint16_t>(flags | flag::compressed));
    return room.first(head::size + *size);
}

Result<Bytes> BufferPacker::pack(const FilledBufferView& buffer, std::vector<std::byte>& scratch) {
    try {
        complete(buffer);
        return packed(buffer, scratch);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::limit, "memory to compress a buffer");
    }
}

Result<Bytes> BufferPacker::packed(const FilledBufferView& buffer,
                                   std::vector<std::byte>& scratch) {
    if (compressor_) {
        return compress(buffer, scratch);
    }
    const Bytes plain = filled_up(buffer);
    if (!framer_) {
        return plain;
    }
    scratch.clear();
    if (auto framed = framer_->encode(plain, head::size, scratch); !framed) {
        return std::unexpected(framed.error());
    }
    return Bytes(scratch);
}

Result<std::unique_ptr<PackingLine>> PackingLine::create(const Recording& recording,
                                                         const LogFileOptions& options) {
    const bool is_work =
        options.compression != codec::Format::none || options.container != io::Container::none;
    const unsigned threads = is_work && options.threads > 1 ? options.threads : 0;
    std::vector<BufferPacker> packers;
    for (unsigned i = 0; i < std::max(1U, threads); ++i) {
        auto packer = BufferPacker::create(recording, options);
        if (!packer) {
            return std::unexpected(packer.error());
        }
        packers.push_back(std::move(*packer));
    }
    return std::unique_ptr<PackingLine>(new PackingLine(std::move(packers), threads));
}

PackingLine::PackingLine(std::vector<BufferPacker> packers, unsigned threads)
    : packers_(std::move(packers)), most_(2 * std::size_t{threads}), pool_(threads) {
    idle_.push_back(std::make_unique<Job>());
}

void PackingLine::feed(FilledBuffer buffer, PutDown put_down) {
    if (packs_at_once()) {
        const FilledBufferView view = buffer.view();
        idle_.front()->packed.memory = std::move(buffer.memory);
        return feed_at_once(view, put_down);
    }
    while (!under_way_.empty() && (under_way_.size() >= most_ || is_ready(*under_way_.front()))) {
        put_down_first(put_down);
    }
    start(std::move(buffer));
}

void PackingLine::feed_at_once(const FilledBufferView& buffer, PutDown put_down) {
    PackedBuffer& packed = idle_.front()->packed;
    packed.buffer = buffer;
    packed.bytes = packers_.front().pack(packed.buffer, packed.scratch);
    put_down(packed);
}

void PackingLine::drain(PutDown put_down) {
    while (!under_way_.empty()) {
        put_down_first(put_down);
    }
}

void PackingLine::start(FilledBuffer buffer) {
    if (idle_.empty()) {
        idle_.push_back(std::make_unique<Job>());
    }
    under_way_.push_back(std::move(idle_.back()));
    idle_.pop_back();
    Job& job = *under_way_.back();
    job.packed.buffer = buffer.view();
    job.packed.memory = std::move(buffer.memory);
    job.is_done = false;
    try {
        pool_.submit([this, &job] { work(job); });
    } catch (const std::bad_alloc&) {
        job.packed.bytes = fail(ErrorCode::limit, "memory to compress a buffer");
        job.is_done = true;
    }
}

void PackingLine::work(Job& job) {
    std::optional<BufferPacker> packer;
    {
        const std::lock_guard lock(mutex_);
        packer = std::move(packers_.back());
        packers_.pop_back();
    }
    job.packed.bytes = packer->pack(job.packed.buffer, job.packed.scratch);
    {
        const std::lock_guard lock(mutex_);
        packers_.push_back(std::move(*packer));
        job.is_done = true;
    }
    done_.notify_one();
}

bool PackingLine::is_ready(const Job& job) {
    const std::lock_guard lock(mutex_);
    return job.is_done;
}

void PackingLine::put_down_first(PutDown put_down) {
    Job& job = *under_way_.front();
    {
        std::unique_lock lock(mutex_);
        done_.wait(lock, [&] { return job.is_done; });
    }
    put_down(job.packed);
    idle_.push_back(std::move(under_way_.front()));
    under_way_.pop_front();
}

} // namespace etl::trace

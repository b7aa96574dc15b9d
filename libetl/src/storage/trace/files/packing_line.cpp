#include "trace/files/packing_line.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace etl::trace {

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

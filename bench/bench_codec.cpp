// Codecs against memcpy: the same output bytes, into one destination as large as all of them and
// larger than the last-level cache, best of five. The last lines state the ratios, of which the
// aims are 0.25 for unpacking XPRESS, and 0.05 for packing XPRESS and XPRESS-Huffman at the normal
// level.
//
// The buffers are those of a real compressed trace when one lies beside the project, else
// event-like records in buffers of 64 KB. For XPRESS they are taken as Windows packed them; for the
// rest as we pack them.
#include "bench/best_of_five.hpp"
#include "codec/codec.hpp"
#include "tests/support/codecs/compressed_buffers.hpp"
#include "tests/support/traces/sample_bytes.hpp"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

namespace {

using etl::Bytes;
using etl::MutableBytes;
using etl::codec::Format;
using etl::codec::Level;

struct Piece {
    Bytes packed;
    MutableBytes unpacked; // its place in the one destination
};

/// All there is to unpack, laid out one behind the other.
struct Work {
    std::vector<std::byte> packed;
    std::vector<std::byte> unpacked;
    std::vector<Piece> pieces;
    std::size_t distinct = 0; // pieces, before they repeat
};

void pack(Format format, Bytes bytes, std::vector<std::byte>& out) {
    if (!etl::codec::compress(format, bytes, out)) {
        std::abort();
    }
}

std::vector<etl::test::CompressedBuffer> sample_buffers() {
    auto buffers = etl::test::compressed_buffers(ETL_SHARED_CORPUS "/traceevent/net.4.5.2.x64.etl");
    std::printf("%s\n",
                buffers.empty() ? "sample: made-up records" : "sample: buffers of a real trace");
    for (std::uint32_t seed = 1; buffers.empty() || (seed > 1 && seed <= 64); ++seed) {
        const auto bytes = etl::test::event_like_bytes(65'464, seed);
        etl::test::CompressedBuffer buffer{{}, bytes.size()};
        pack(Format::xpress, bytes, buffer.packed);
        buffers.push_back(std::move(buffer));
    }
    return buffers;
}

/// The buffers packed as `format`, so often that the output does not fit into a cache.
Work make_work(Format format, const std::vector<etl::test::CompressedBuffer>& buffers) {
    std::vector<std::vector<std::byte>> packed;
    std::size_t packed_size = 0;
    std::size_t unpacked_size = 0;
    for (const auto& buffer : buffers) {
        packed.push_back(buffer.packed);
        if (format != Format::xpress) {
            std::vector<std::byte> bytes(buffer.size);
            etl::codec::decompress(Format::xpress, buffer.packed, bytes);
            packed.back().clear();
            pack(format, bytes, packed.back());
        }
        packed_size += packed.back().size();
        unpacked_size += buffer.size;
    }
    const std::size_t wanted = etl::bench::beyond_caches();
    const std::size_t times = wanted / unpacked_size + 1;
    Work work;
    work.distinct = buffers.size();
    work.packed.reserve(times * packed_size);
    work.unpacked.resize(times * unpacked_size);
    MutableBytes rest = work.unpacked;
    for (std::size_t i = 0; i < times * buffers.size(); ++i) {
        const std::size_t n = i % buffers.size();
        const std::size_t at = work.packed.size();
        work.packed.insert(work.packed.end(), packed[n].begin(), packed[n].end());
        work.pieces.push_back({Bytes(work.packed).subspan(at), rest.first(buffers[n].size)});
        rest = rest.subspan(buffers[n].size);
    }
    return work;
}

bool unpack(Format format, std::span<const Piece> pieces) {
    bool good = true;
    for (const Piece& piece : pieces) {
        good &= etl::codec::decompress(format, piece.packed, piece.unpacked).is_complete();
    }
    return good;
}

void measure_memcpy(benchmark::State& state, Work& work) {
    const std::vector<std::byte> source(work.unpacked.size(), std::byte{1});
    for (auto _ : state) {
        std::memcpy(work.unpacked.data(), source.data(), source.size());
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(source.size()) *
                            static_cast<std::int64_t>(state.iterations()));
}

void measure_unpack(benchmark::State& state, Format format, Work& work, unsigned threads) {
    for (auto _ : state) {
        std::vector<std::jthread> others;
        const std::size_t share = work.pieces.size() / threads + 1;
        const std::span<const Piece> all = work.pieces;
        for (std::size_t from = share; from < all.size(); from += share) {
            others.emplace_back(
                [=] { unpack(format, all.subspan(from, std::min(share, all.size() - from))); });
        }
        if (!unpack(format, all.first(std::min(share, all.size())))) {
            state.SkipWithError("a buffer does not unpack");
        }
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(work.unpacked.size()) *
                            static_cast<std::int64_t>(state.iterations()));
    state.counters["packed"] =
        static_cast<double>(work.packed.size()) / static_cast<double>(work.unpacked.size());
}

/// As a writer of traces does it: one buffer after the other, into the same bytes.
void measure_pack(benchmark::State& state, Format format, Level level, const Work& work) {
    const auto pieces = std::span<const Piece>(work.pieces).first(work.distinct);
    unpack(format, pieces);
    std::size_t largest = 0;
    for (const Piece& piece : pieces) {
        largest = std::max(largest, piece.unpacked.size());
    }
    std::vector<std::byte> out(etl::codec::max_compressed_size(format, largest));
    auto compressor = etl::codec::Compressor::create(format, level);
    std::size_t bytes = 0;
    std::size_t packed = 0;
    for (auto _ : state) {
        for (const Piece& piece : pieces) {
            packed += compressor->compress(piece.unpacked, out).value();
            bytes += piece.unpacked.size();
        }
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
    state.counters["packed"] = static_cast<double>(packed) / static_cast<double>(bytes);
}

} // namespace

int main(int count, char** arguments) {
    if (!etl::bench::initialize(count, arguments)) {
        return 64;
    }
    const auto buffers = sample_buffers();
    Work xpress = make_work(Format::xpress, buffers);
    Work huffman = make_work(Format::xpress_huffman, buffers);
    Work lznt1 = make_work(Format::lznt1, buffers);
    const auto add = [](const std::string& name, auto measure) {
        return etl::bench::add(name, measure);
    };
    const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
    const auto add_format = [&](Format format, const std::string& name, Work& work) {
        add(name + ".decompress",
            [=, &work](benchmark::State& state) { measure_unpack(state, format, work, 1); });
        add(name + ".decompress.threads", [=, &work](benchmark::State& state) {
            measure_unpack(state, format, work, threads);
        })->UseRealTime();
        const auto add_level = [&](Level level, const char* level_name) {
            add(name + ".compress." + level_name,
                [=, &work](benchmark::State& state) { measure_pack(state, format, level, work); });
        };
        add_level(Level::fast, "fast");
        add_level(Level::normal, "normal");
        add_level(Level::small, "small");
    };
    add(etl::bench::reference, [&](benchmark::State& state) { measure_memcpy(state, xpress); });
    add_format(Format::xpress, "xpress", xpress);
    add_format(Format::xpress_huffman, "xpress_huffman", huffman);
    add_format(Format::lznt1, "lznt1", lznt1);
    etl::bench::run();
    return 0;
}

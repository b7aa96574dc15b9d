// Frames of containers against memcpy of their content, into one destination as large as all of it
// and larger than the last-level cache. Buffers of 64 KB, made up: records like those of events,
// and numbers without any order. The last lines state the ratios.
#include "bench/best_of_five.hpp"
#include "io/container.hpp"
#include "tests/support/traces/sample_bytes.hpp"

#include <benchmark/benchmark.h>

#include <cstring>
#include <string>

namespace {

using etl::Bytes;
using etl::MutableBytes;
using etl::io::Container;
using etl::io::ContainerLevel;

constexpr std::size_t buffer_size = 65'536;
constexpr std::size_t stored = 72;
constexpr std::size_t distinct = 32;

using Buffers = std::vector<std::vector<std::byte>>;

Buffers events() {
    Buffers buffers;
    for (std::uint32_t seed = 1; seed <= distinct; ++seed) {
        buffers.push_back(etl::test::event_like_bytes(buffer_size, seed));
    }
    return buffers;
}

Buffers noise() {
    Buffers buffers;
    for (std::uint32_t seed = 1; seed <= distinct; ++seed) {
        buffers.push_back(etl::test::random_bytes(buffer_size, seed));
    }
    return buffers;
}

void measure_memcpy(benchmark::State& state, MutableBytes destination) {
    const std::vector<std::byte> source(destination.size(), std::byte{1});
    for (auto _ : state) {
        std::memcpy(destination.data(), source.data(), source.size());
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(source.size()) *
                            static_cast<std::int64_t>(state.iterations()));
}

/// As a writer of traces does it: one buffer after the other, into the same bytes.
void measure_encode(benchmark::State& state, Container kind, ContainerLevel level,
                    const Buffers& buffers) {
    auto encoder = etl::io::FrameEncoder::create(kind, level);
    std::vector<std::byte> frame;
    std::size_t bytes = 0;
    std::size_t packed = 0;
    for (auto _ : state) {
        for (const auto& buffer : buffers) {
            frame.clear();
            if (!encoder->encode(buffer, stored, frame)) {
                state.SkipWithError("a buffer does not pack");
            }
            packed += frame.size();
            bytes += buffer.size();
        }
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
    state.counters["packed"] = static_cast<double>(packed) / static_cast<double>(bytes);
}

std::vector<std::byte> packed_container(Container kind, ContainerLevel level,
                                        const Buffers& buffers, std::size_t size) {
    auto encoder = etl::io::FrameEncoder::create(kind, level);
    std::vector<std::byte> once;
    for (const auto& buffer : buffers) {
        static_cast<void>(encoder->encode(buffer, stored, once));
    }
    std::vector<std::byte> all;
    for (std::size_t at = 0; at < size; at += buffers.size() * buffer_size) {
        all.insert(all.end(), once.begin(), once.end());
    }
    return all;
}

void measure_decode(benchmark::State& state, Container kind, ContainerLevel level,
                    const Buffers& buffers, MutableBytes destination) {
    const auto packed = packed_container(kind, level, buffers, destination.size());
    auto decoder = etl::io::FrameDecoder::create(kind);
    for (auto _ : state) {
        etl::io::FrameScanner hopper(kind, packed);
        for (MutableBytes rest = destination; !rest.empty(); rest = rest.subspan(buffer_size)) {
            const auto frame = hopper.next();
            if (!frame ||
                decoder
                    ->decode(Bytes(packed).subspan(frame->where.value, frame->packed_size),
                             rest.first(buffer_size))
                    .error) {
                state.SkipWithError("a frame does not unpack");
                return;
            }
        }
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(destination.size()) *
                            static_cast<std::int64_t>(state.iterations()));
}

/// What a reader does before it reads any event. Counted in bytes of content, too.
void measure_hops(benchmark::State& state, Container kind, const Buffers& buffers,
                  std::size_t size) {
    const auto packed = packed_container(kind, ContainerLevel::normal, buffers, size);
    std::size_t bytes = 0;
    for (auto _ : state) {
        etl::io::FrameScanner hopper(kind, packed);
        while (const auto frame = hopper.next()) {
            bytes += frame->content_size;
        }
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

void add_kind(Container kind, const std::string& name, const Buffers& buffers,
              const Buffers& unordered, MutableBytes destination) {
    const auto add_level = [&](const std::string& of, ContainerLevel level, const Buffers& from) {
        etl::bench::add(of + ".encode", [=, &from](benchmark::State& state) {
            measure_encode(state, kind, level, from);
        });
        etl::bench::add(of + ".decode", [=, &from](benchmark::State& state) {
            measure_decode(state, kind, level, from, destination);
        });
    };
    add_level(name + ".fast", ContainerLevel::fast, buffers);
    add_level(name + ".normal", ContainerLevel::normal, buffers);
    add_level(name + ".small", ContainerLevel::small, buffers);
    add_level(name + ".noise", ContainerLevel::normal, unordered);
    etl::bench::add(name + ".hops", [=, &buffers](benchmark::State& state) {
        measure_hops(state, kind, buffers, destination.size());
    });
}

} // namespace

int main(int count, char** arguments) {
    if (!etl::bench::initialize(count, arguments)) {
        return 64;
    }
    std::vector<std::byte> destination(etl::bench::beyond_caches() / buffer_size * buffer_size);
    const Buffers buffers = events();
    const Buffers unordered = noise();
    etl::bench::add(etl::bench::reference,
                    [&](benchmark::State& state) { measure_memcpy(state, destination); });
    add_kind(Container::zstd, "zstd", buffers, unordered, destination);
    add_kind(Container::lz4, "lz4", buffers, unordered, destination);
    etl::bench::run();
    return 0;
}

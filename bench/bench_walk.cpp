// bench_walk FILE [PACKED...]: ratios of architecture.md for walking a trace, all measured in one
// run over the same mapped bytes. PACKED are containers of the same trace, read in place.
// bench_walk --once FILE: one round of each, as lines of a name, a tab, and seconds
// (bench/table.py).
//
// Bare hop: one loop over the buffers in file order, per record one switch on the header type, the
// sum of sizes and of time stamps. It checks nothing and orders nothing. Everything else is stated
// as a ratio to it.
#include "best_seconds.hpp"

#include "base/task_pool.hpp"
#include "decode/harvest.hpp"
#include "io/input_file.hpp"
#include "trace/reader.hpp"

#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct Sums {
    std::uint64_t events = 0;
    std::uint64_t sizes = 0;
    std::uint64_t times = 0;
};

template <typename T>
T at(const std::byte* p) {
    return etl::load_le<T>(p);
}

Sums bare_hop(etl::Bytes file) {
    Sums sums;
    for (std::size_t buffer = 0; buffer + 0x48 <= file.size();) {
        const std::byte* head = file.data() + buffer;
        const auto used = at<std::uint32_t>(head + 0x30);
        for (std::size_t offset = 0x48; offset + 8 <= used;) {
            const std::byte* record = head + offset;
            std::uint32_t size = 0;
            std::uint64_t time = 0;
            switch (at<std::uint32_t>(record) >> 16U) {
            case 0xC001:
            case 0xC002:
            case 0xC003:
            case 0xC004:
                size = at<std::uint16_t>(record + 4);
                time = at<std::uint64_t>(record + 16);
                break;
            case 0xC010:
            case 0xC011:
                size = at<std::uint16_t>(record + 4);
                time = at<std::uint64_t>(record + 8);
                break;
            case 0xC00A:
            case 0xC014:
            case 0xC012:
            case 0xC013:
                size = at<std::uint16_t>(record);
                time = at<std::uint64_t>(record + 16);
                break;
            default:
                size = 0;
                break;
            }
            if (size == 0) {
                break;
            }
            ++sums.events;
            sums.sizes += size;
            sums.times += time;
            offset += (size + 7U) & ~std::size_t{7};
        }
        buffer += at<std::uint32_t>(head);
    }
    return sums;
}

/// Events in order, with `extra` added to the size of each.
Sums walk(const std::shared_ptr<const etl::io::InputFile>& file, unsigned threads, auto extra) {
    Sums sums;
    auto reader = etl::trace::Reader::open(file, {.threads = threads});
    if (!reader) {
        return sums;
    }
    for (auto run = (*reader)->next_run(); !run.empty(); run = (*reader)->next_run()) {
        for (const etl::flow::Event& event : run) {
            sums.sizes += event.size + extra(event);
            sums.times += static_cast<std::uint64_t>(event.raw_time);
        }
        sums.events += run.size();
    }
    return sums;
}

Sums ordered_walk(const std::shared_ptr<const etl::io::InputFile>& file, unsigned threads) {
    return walk(file, threads, [](const etl::flow::Event&) { return 0U; });
}

/// As ordered_walk, and reads the header of every event.
Sums headers(const std::shared_ptr<const etl::io::InputFile>& file, unsigned threads) {
    return walk(file, threads, [](const etl::flow::Event& event) {
        return etl::flow::read_header(event).process_id & 1U;
    });
}

Sums index_only(const std::shared_ptr<const etl::io::InputFile>& file) {
    const auto reader = etl::trace::Reader::open(file);
    return {reader ? (*reader)->buffers().size() : 0, 0, 0};
}

Sums harvest(const std::shared_ptr<const etl::io::InputFile>& file, unsigned threads) {
    auto reader = etl::trace::Reader::open(file);
    std::vector<etl::decode::Harvest> parts(threads);
    (*reader)->for_each_buffer(threads, [&](unsigned worker, const etl::trace::BufferEntry&,
                                            etl::flow::Run run) { parts[worker].add(run); });
    return {parts.front().providers().size(), 0, 0};
}

struct Timing {
    Sums sums;
    double seconds = 0;
};

Timing measure(const std::function<Sums()>& work) {
    Timing best;
    best.seconds = etl::bench::best_seconds([&] { best.sums = work(); });
    return best;
}

/// False if a walk missed an event.
bool print_one_round(const std::shared_ptr<const etl::io::InputFile>& file) {
    const etl::Bytes bytes = file->bytes();
    std::vector<std::byte> copy(bytes.size());
    std::memcpy(copy.data(), bytes.data(), bytes.size()); // touches the pages of both
    const std::uint64_t events = bare_hop(bytes).events;
    bool complete = true;
    const auto print = [&](const char* name, const std::function<std::uint64_t()>& work) {
        std::uint64_t seen = 0;
        const double seconds = etl::bench::seconds([&] { seen = work(); });
        complete = complete && seen == events;
        std::printf("%s\t%.9f\n", name, seconds);
    };
    print("memcpy", [&] {
        std::memcpy(copy.data(), bytes.data(), bytes.size());
        return copy.back() == bytes.back() ? events : 0; // keeps the copy alive
    });
    print("hop", [&] { return bare_hop(bytes).events; });
    print("walk 1", [&] { return ordered_walk(file, 1).events; });
    print("walk 2", [&] { return ordered_walk(file, 2).events; });
    print("headers 1", [&] { return headers(file, 1).events; });
    print("headers 2", [&] { return headers(file, 2).events; });
    return complete;
}

} // namespace

int main(int count, char** arguments) {
    if (count == 3 && std::string_view{arguments[1]} == "--once") {
        auto file = etl::io::InputFile::map(arguments[2]);
        return !file ? 2 : print_one_round(*file) ? 0 : 1;
    }
    if (count < 2) {
        std::fprintf(stderr, "usage: bench_walk FILE (uncompressed) [PACKED...]\n"
                             "       bench_walk --once FILE\n");
        return 64;
    }
    auto file = etl::io::InputFile::map(arguments[1]);
    if (!file) {
        return 2;
    }
    const double gigabytes = static_cast<double>((*file)->bytes().size()) / 1e9;
    const unsigned threads = etl::hardware_threads();
    const Timing bare = measure([&] { return bare_hop((*file)->bytes()); });
    std::printf("%-28s %8.3f s  %6.2f GB/s  %llu events\n", "bare hop", bare.seconds,
                gigabytes / bare.seconds, static_cast<unsigned long long>(bare.sums.events));
    bool same = true;
    const auto compare = [&](const std::string& name, const std::function<Sums()>& work,
                             bool walks) {
        const Timing t = measure(work);
        same = same &&
               (!walks || (t.sums.events == bare.sums.events && t.sums.sizes == bare.sums.sizes &&
                           t.sums.times == bare.sums.times));
        std::printf("%-28s %8.3f s  %6.2f GB/s  %5.2f of bare hop\n", name.c_str(), t.seconds,
                    gigabytes / t.seconds, bare.seconds / t.seconds);
    };
    compare("index pass", [&] { return index_only(*file); }, false);
    compare("ordered walk, 1 thread", [&] { return ordered_walk(*file, 1); }, true);
    compare("ordered walk, all threads", [&] { return ordered_walk(*file, threads); }, true);
    compare("harvest, 1 thread", [&] { return harvest(*file, 1); }, false);
    compare("harvest, all threads", [&] { return harvest(*file, threads); }, false);
    for (int i = 2; i < count; ++i) {
        const auto packed = etl::io::InputFile::map(arguments[i]);
        if (!packed) {
            return 2;
        }
        std::printf("%s, %.2f of the plain size\n", arguments[i],
                    static_cast<double>((*packed)->bytes().size()) / 1e9 / gigabytes);
        compare("packed: index pass", [&] { return index_only(*packed); }, false);
        compare("packed: walk, 1 thread", [&] { return ordered_walk(*packed, 1); }, true);
        compare("packed: walk, all threads", [&] { return ordered_walk(*packed, threads); }, true);
    }
    if (!same) {
        std::printf("the walks differ in what they saw\n");
        return 1;
    }
    return 0;
}

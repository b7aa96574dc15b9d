// bench_symbols [FILE.pdb [RVA-BEGIN RVA-END]]: opening a program database, its first name, and
// lookups per second on one thread, as a ratio to binary search in one array of all functions.
// Without arguments, a synthetic database of about 100 MB: 2,000 modules, 300,000 functions.
#include "bench/peak_memory.hpp"
#include "symbols/symbol_file.hpp"
#include "tests/support/images/database_builder.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

using namespace etl;
using namespace etl::symbols;

namespace {

constexpr std::uint32_t section = 0x1000;
constexpr std::uint32_t function_size = 0x80;
constexpr std::uint32_t modules = 2000;
constexpr std::uint32_t functions_per_module = 150;

// Of this thread, because other programs may run.
double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double cpu_seconds(const std::function<void()>& work) {
    const double begin = cpu_seconds();
    work();
    return cpu_seconds() - begin;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void add_function(test::DatabaseBuilder& pdb, std::uint32_t number, std::uint32_t item) {
    const std::uint32_t offset = number * function_size;
    const std::string name = "Component" + std::to_string(number % 97) + "::Class" +
                             std::to_string(number % 1009) + "::method" + std::to_string(number);
    pdb.begin_procedure(name, offset, function_size);
    pdb.begin_site(item, test::Annotations().advance(8).advance_and_line(4, 1).length(8));
    pdb.begin_site(item, test::Annotations().line(3).length_and_advance(4, 0xC));
    pdb.end_site().end_site().end_procedure();
    std::vector<test::LineText> rows;
    for (std::uint32_t row = 0; row < 12; ++row) {
        rows.push_back({row * 8, 100 + row, number % 50});
    }
    pdb.lines(offset, function_size, rows);
    pdb.public_symbol("?method" + std::to_string(number) + "@Class@Component@@QEAAXXZ", offset);
}

std::vector<std::byte> synthetic() {
    test::DatabaseBuilder pdb;
    pdb.section(section, modules * functions_per_module * function_size);
    for (int i = 0; i < 50; ++i) {
        pdb.file("C:\\source\\component\\file" + std::to_string(i) + ".cpp");
    }
    const std::uint32_t item = pdb.function_item("helper", "Component");
    for (std::uint32_t module = 0; module < modules; ++module) {
        pdb.begin_module().inlinee(item, 7, 40);
        for (std::uint32_t i = 0; i < functions_per_module; ++i) {
            add_function(pdb, module * functions_per_module + i, item);
        }
    }
    return pdb.build(4096, true);
}

std::vector<std::uint32_t> random_addresses(std::uint32_t begin, std::uint32_t end,
                                            std::size_t distinct) {
    std::vector<std::uint32_t> result(1'000'000);
    std::uint64_t state = 1;
    for (std::size_t i = 0; i < result.size(); ++i) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        const auto random = static_cast<std::uint32_t>(state >> 33U);
        result[i] = i < distinct ? begin + random % (end - begin) : result[random % distinct];
    }
    return result;
}

double search_seconds(const std::vector<std::uint32_t>& addresses) {
    std::vector<std::uint32_t> starts(modules * functions_per_module);
    for (std::size_t i = 0; i < starts.size(); ++i) {
        starts[i] = section + static_cast<std::uint32_t>(i) * function_size;
    }
    const double begin = cpu_seconds();
    std::size_t found = 0;
    for (const std::uint32_t address : addresses) {
        found +=
            static_cast<std::size_t>(std::ranges::upper_bound(starts, address) - starts.begin());
    }
    const double seconds = cpu_seconds() - begin;
    std::printf("  reference: binary search in %zu starts: %.1f ns (%zu)\n", starts.size(),
                seconds * 1e9 / static_cast<double>(addresses.size()), found);
    return seconds;
}

void look_up(Resolver& resolver, const std::vector<std::uint32_t>& addresses, const char* what) {
    std::printf("%s\n", what);
    const double reference = search_seconds(addresses);
    for (const Detail detail : {Detail::function, Detail::linkage, Detail::lines}) {
        double best = 1e9;
        std::size_t frames = 0;
        for (int round = 0; round < 3; ++round) {
            frames = 0;
            best = std::min(best, cpu_seconds([&] {
                                for (const std::uint32_t address : addresses) {
                                    frames += resolver.resolve(address, detail).size();
                                }
                            }));
        }
        std::printf("  detail %d: %.1f ns, %.1f million/s, %.2f of the reference, %zu frames\n",
                    static_cast<int>(detail), best * 1e9 / static_cast<double>(addresses.size()),
                    static_cast<double>(addresses.size()) / best / 1e6, best / reference, frames);
    }
}

void run(const std::shared_ptr<const io::InputFile>& file, std::uint32_t from, std::uint32_t to) {
    const auto all = random_addresses(from, to, 1'000'000);
    const auto some = random_addresses(from, to, 10'000);
    const auto begin = std::chrono::steady_clock::now();
    const auto opened = SymbolFile::open(file);
    if (!opened) {
        std::printf("%s\n", describe(opened.error()).c_str());
        return;
    }
    const double open_seconds = seconds_since(begin);
    Resolver resolver(*opened);
    resolver.resolve(all[0], Detail::function);
    const double name_seconds = seconds_since(begin);
    resolver.resolve(all[0]);
    std::printf("%.1f MB: open %.2f ms, name after %.2f ms, lines after %.2f ms\n",
                static_cast<double>(file->bytes().size()) / 1e6, open_seconds * 1e3,
                name_seconds * 1e3, seconds_since(begin) * 1e3);
    look_up(resolver, some, "10,000 addresses");
    look_up(resolver, all, "1,000,000 addresses");
}

} // namespace

int main(int argc, char** argv) {
    const auto file = argc > 1 ? io::InputFile::map(argv[1]).value()
                               : io::InputFile::from_memory(synthetic(), "synthetic");
    const std::uint32_t end = section + modules * functions_per_module * function_size;
    const bool has_range = argc > 3;
    const auto hex = [](const char* text) {
        return static_cast<std::uint32_t>(std::stoul(text, nullptr, 16));
    };
    const std::uint64_t memory = bench::peak_memory(
        [&] { run(file, has_range ? hex(argv[2]) : section, has_range ? hex(argv[3]) : end); });
    std::printf("memory %.0f MB\n", static_cast<double>(memory) / 1e6);
}

// mutate TIMES FOLDER...: takes every trace below the folders, damages it TIMES times - bytes
// flipped, parts cut out, the end cut off, fields of headers blown up - and dumps each as JSON
// lines, then walks it through `view`. Fails when one takes more than ten seconds of
// processor time or the process grows beyond 512 MB; crashes speak for themselves. The damage
// depends on the size of the file and the number alone; a failure prints both.
#include <etl/trace.hpp>

#include "base/output.hpp"
#include "decode/harvest.hpp"
#include "flow/pipeline.hpp"
#include "io/input_file.hpp"
#include "schema/schema_store.hpp"
#include "sink/json.hpp"
#include "tests/support/sanitizers.hpp"
#include "trace/inputs.hpp"
#include "trace/reader.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <sys/resource.h>

namespace {

constexpr double seconds_allowed = 10;
// Under the address sanitizer freed memory is kept for a while, 256 MB of it.
constexpr long kilobytes_allowed = (etl::test::keeps_freed_memory ? 1024L : 512L) << 10U;

using Memory = std::vector<std::byte>;

std::size_t pick(std::mt19937_64& random, std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(random);
}

void flip_bits(Memory& bytes, std::mt19937_64& random) {
    for (std::size_t i = 0, n = 1 + pick(random, 16); i < n; ++i) {
        bytes[pick(random, bytes.size())] ^= std::byte{1} << pick(random, 8);
    }
}

// Extreme values where sizes and offsets live.
void blow_up_header(Memory& bytes, std::mt19937_64& random) {
    constexpr std::uint32_t values[] = {0,          1,          0x47,      0x48,     0x7FFFFFFF,
                                        0x80000000, 0xFFFFFFFF, 0x1000000, 0x1000001};
    const std::size_t grid = pick(random, 2) == 0 ? 0 : pick(random, bytes.size());
    const std::size_t at = grid - grid % 4096 + 4 * pick(random, 64);
    if (at + 4 <= bytes.size()) {
        etl::store_le(bytes.data() + at, values[pick(random, std::size(values))]);
    }
}

void cut_out(Memory& bytes, std::mt19937_64& random) {
    const std::size_t at = pick(random, bytes.size());
    const std::size_t size = std::min(bytes.size() - at, 1 + pick(random, 8192));
    bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                bytes.begin() + static_cast<std::ptrdiff_t>(at + size));
}

void cut_off(Memory& bytes, std::mt19937_64& random) {
    bytes.resize(pick(random, bytes.size()));
}

Memory mutated(etl::Bytes original, std::mt19937_64& random) {
    Memory bytes(original.begin(), original.end());
    switch (pick(random, 5)) {
    case 0:
        cut_off(bytes, random);
        break;
    case 1:
        cut_out(bytes, random);
        break;
    case 2:
        blow_up_header(bytes, random);
        break;
    default:
        flip_bits(bytes, random);
        break;
    }
    return bytes;
}

void dump(const std::shared_ptr<const etl::io::InputFile>& file) {
    etl::DiagnosticList findings;
    auto reader = etl::trace::Reader::open(file, {.threads = 2, .diagnostics = &findings});
    if (!reader) {
        return;
    }
    etl::decode::Harvest harvest;
    (*reader)->for_each_buffer(
        1, [&](unsigned, const auto&, etl::flow::Run run) { harvest.add(run); });
    auto store = std::make_shared<etl::schema::SchemaStore>();
    harvest.finish(*store);
    store->freeze();
    etl::sink::Options options;
    options.schemas = store;
    options.raw = true;
    options.message = true;
    etl::NullOutput output;
    if (!etl::flow::run(**reader, etl::sink::JsonLines(options), output, {.threads = 2})) {
        std::abort(); // a null output cannot fail
    }
}

/// Every field of every event, and its parts by name.
void walk(const std::shared_ptr<const etl::io::InputFile>& file) {
    const etl::Bytes bytes = file->bytes();
    auto trace =
        etl::Trace::open_memory({bytes.begin(), bytes.end()}, file->name(), {.threads = 2});
    if (!trace) {
        return;
    }
    std::string text;
    for (const etl::Event& event : *trace) {
        text.assign(event.provider()).append(event.name()).append(event.problem());
        for (const etl::Field& field : event.fields()) {
            field.append_text(text);
            for (const etl::Field& part : field) {
                if (!field[0] || (field.is_struct() && !field[part.name()])) {
                    std::abort(); // what a walk finds is there by name and by place
                }
            }
        }
    }
}

long peak_kilobytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

} // namespace

int main(int count, char** arguments) {
    if (count < 3) {
        std::fprintf(stderr, "usage: mutate TIMES FOLDER...\n");
        return 64;
    }
    const int times = std::atoi(arguments[1]);
    const std::vector<std::string> folders(arguments + 2, arguments + count);
    const etl::trace::Inputs inputs = etl::trace::open_inputs(folders, {etl::io::Recursion::yes});
    int runs = 0;
    for (const auto& file : inputs.files) {
        for (int i = 0; i < times && !file->bytes().empty(); ++i) {
            std::mt19937_64 random(file->bytes().size() * 1000003U + static_cast<unsigned>(i));
            const std::clock_t start = std::clock(); // other programs count nothing
            const auto damaged =
                etl::io::InputFile::from_memory(mutated(file->bytes(), random), "mutated");
            dump(damaged);
            walk(damaged);
            ++runs;
            const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
            if (seconds > seconds_allowed || peak_kilobytes() > kilobytes_allowed) {
                std::printf("%s, mutation %d: %.1f s, peak %ld KB\n", file->name().c_str(), i,
                            seconds, peak_kilobytes());
                return 1;
            }
        }
    }
    std::printf("%d mutations of %zu traces, peak %ld KB\n", runs, inputs.files.size(),
                peak_kilobytes());
    return runs > 0 ? 0 : 1;
}

// Processes that write records without end, in every mode and packing, are killed at any moment.
// What they left must read without an error and without a finding but of the place where they were
// interrupted, and must hold every buffer that they had written, with the right records in it.
// ETL_KILLS says how many processes, ETL_KILL_SEED repeats a run.
#include "tests/support/traces/trace_content.hpp"
#include "trace/writer.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace etl::test {
namespace {

namespace fs = std::filesystem;
using trace::FileMode;

constexpr std::uint16_t processors = 3;

std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
}

/// Record number `n` of a processor. Its content follows from these and from the seed.
void make_record(std::uint64_t seed, std::uint16_t processor, std::uint64_t n, ByteWriter& to) {
    std::array<std::byte, 400> payload{};
    const std::uint64_t hash = mixed(seed + 0x9E3779B97F4A7C15U * (n * processors + processor));
    const Bytes used = Bytes(payload).first(hash % payload.size());
    for (std::size_t i = 0; i + 8 <= payload.size(); i += 24) { // two thirds of it compress
        store_le<std::uint64_t>(payload.data() + i, hash + i);
    }
    to.clear();
    const auto encoded = format::encode(
        format::EventRecord{.time = static_cast<std::int64_t>(n * processors + processor),
                            .descriptor = {.id = processor, .keyword = n},
                            .payload = used},
        to);
    if (!encoded) {
        std::abort();
    }
}

/// How one process writes.
struct Plan {
    std::uint64_t seed = 0;
    std::string path;
    trace::WriterOptions options;
    std::uint32_t records_before = 0; // in the finished file that is appended to
    std::uint32_t flush_every = 0;    // records, roughly
    unsigned microseconds = 0;        // to live
};

Plan make_plan(std::uint64_t seed, const fs::path& folder) {
    std::mt19937_64 random(seed);
    const auto pick = [&](unsigned count) { return static_cast<unsigned>(random() % count); };
    Plan plan;
    plan.seed = seed;
    trace::LogFileOptions& file = plan.options.file;
    file.mode = std::array{FileMode::sequential, FileMode::circular, FileMode::append,
                           FileMode::new_file}[pick(4)];
    const bool plain = file.mode == FileMode::circular || file.mode == FileMode::append;
    const unsigned packing = plain ? 0 : pick(6);
    file.compression = std::array{codec::Format::none,  codec::Format::xpress,
                                  codec::Format::lznt1, codec::Format::xpress_huffman,
                                  codec::Format::none,  codec::Format::none}[packing];
    file.container = packing == 4   ? io::Container::zstd
                     : packing == 5 ? io::Container::lz4
                                    : io::Container::none;
    file.buffer_size = 0x1000U << pick(5);
    if (file.mode == FileMode::circular || file.mode == FileMode::new_file) {
        file.limit = {.count = (3 + pick(60)) * file.buffer_size / 1024,
                      .unit = trace::SizeLimit::Unit::kilobytes};
    } else if (file.mode == FileMode::sequential && packing == 0 && pick(2) == 0) {
        file.limit = {.count = 256};
        file.preallocate = true;
    }
    file.durability = pick(8) == 0 ? trace::Durability::every_buffer : trace::Durability::none;
    file.delay_open = file.mode == FileMode::sequential && pick(4) == 0;
    file.threads = 1 + pick(3);
    plan.options.recording = trace::begin_recording(Filetime{story_start}, processors);
    plan.path = (folder / (file.mode == FileMode::new_file ? "t%d.etl" : "t1.etl")).string();
    plan.records_before = file.mode == FileMode::append ? 1 + pick(500) : 0;
    plan.flush_every = 1U << (4 + pick(12));
    plan.microseconds = pick(40'000);
    return plan;
}

/// What the process has done, in memory that outlives it.
struct Progress {
    std::atomic<std::uint64_t> buffers_written;
    std::atomic<bool> failed;
};

/// Adds records to the end of time, or `count` of them. Each processor's are numbered.
class EndlessStory {
public:
    explicit EndlessStory(const Plan& plan) : plan_(plan), random_(plan.seed + 1) {}

    void tell(trace::Writer& writer, std::uint64_t count, Progress& progress) {
        for (std::uint64_t i = 0; i < count; ++i) {
            const auto processor = static_cast<std::uint16_t>(random_() % processors);
            make_record(plan_.seed, processor, next_[processor]++, record_);
            if (!writer.add(processor, record_.view())) {
                progress.failed = true;
            }
            if (random_() % plan_.flush_every == 0) {
                writer.flush();
            }
            const trace::LogFileStatus& status = writer.status();
            progress.buffers_written.store(status.buffers_written, std::memory_order_relaxed);
            if (status.failure) {
                progress.failed = true;
            }
        }
    }

private:
    const Plan& plan_;
    std::mt19937_64 random_;
    std::array<std::uint64_t, processors> next_{};
    ByteWriter record_;
};

[[noreturn]] void write_without_end(const Plan& plan, Progress& progress) {
    EndlessStory story(plan);
    if (plan.records_before != 0) {
        trace::WriterOptions first = plan.options;
        first.file.mode = FileMode::sequential;
        Progress ignored{};
        auto writer = trace::Writer::create(plan.path, first);
        if (!writer) {
            progress.failed = true;
            ::_exit(1);
        }
        story.tell(**writer, plan.records_before, ignored);
        if (!(*writer)->close()) {
            progress.failed = true;
        }
    }
    auto writer = trace::Writer::create(plan.path, plan.options);
    if (!writer) {
        progress.failed = true;
        ::_exit(1);
    }
    for (;;) {
        story.tell(**writer, 1'000'000, progress);
    }
}

/// Runs the process and kills it; the result is the number of buffers that it said it had written.
std::uint64_t run_and_kill(const Plan& plan, Progress& progress) {
    progress.buffers_written = 0;
    const pid_t child = ::fork();
    if (child == 0) {
        write_without_end(plan, progress);
    }
    while (progress.buffers_written == 0 && !progress.failed) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(plan.microseconds));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    return progress.buffers_written;
}

/// How many of the missing buffers are in no file before: a buffer that was open when a new file
/// began is in the new one, whose later buffers seem to be missing if they were full earlier.
std::uint64_t count_lost(const MissingNumbers& missing, const std::set<std::int64_t>& earlier) {
    if (!missing.first) {
        return missing.count;
    }
    const std::int64_t end = *missing.first + static_cast<std::int64_t>(missing.count);
    const auto found = std::distance(earlier.lower_bound(*missing.first), earlier.lower_bound(end));
    return missing.count - static_cast<std::uint64_t>(found);
}

/// Nothing but the last buffer of a file that grows can be cut, or even its header; where buffers
/// are written to room that the file has, none is torn. `earlier`: numbers of the buffers of files
/// before. docs/format/writing.md#crash
void check_findings(const Plan& plan, const Content& content, std::uint64_t file_size,
                    const std::set<std::int64_t>& earlier) {
    const trace::LogFileOptions& file = plan.options.file;
    const bool grows =
        !file.preallocate && (file.mode != FileMode::circular ||
                              file_size < file.limit.bytes() / file.buffer_size * file.buffer_size);
    const auto torn = static_cast<std::uint64_t>(
        std::ranges::find(content.buffers, true, &trace::BufferEntry::is_truncated) -
        content.buffers.begin());
    EXPECT_LE(content.buffers.size(), torn + 1);
    // Buffers are numbered when they are opened: those that were open are missing.
    std::uint64_t missing = 0;
    for (const Diagnostic& finding : content.findings) {
        if (finding.missing) {
            const bool is_warning = finding.severity == Severity::warning;
            missing += is_warning ? count_lost(*finding.missing, earlier) : 0;
        } else if (finding.severity == Severity::warning) {
            EXPECT_TRUE(grows) << describe(finding);
            EXPECT_EQ(finding.buffer.value_or(torn), torn) << describe(finding);
        }
    }
    EXPECT_LE(missing, processors);
}

/// Records of one processor: the numbers follow each other, from 0 on where nothing was
/// overwritten, and each is what its number makes it.
void check_stream(const Plan& plan, std::uint16_t processor, const std::vector<Image>& records) {
    constexpr std::size_t keyword = 0x30;
    std::uint64_t first = 0;
    if (plan.options.file.mode == FileMode::circular) {
        ASSERT_GE(records.front().size(), 0x50U);
        first = load_le<std::uint64_t>(records.front().data() + keyword);
    }
    ByteWriter wanted;
    for (std::size_t i = 0; i < records.size(); ++i) {
        make_record(plan.seed, processor, first + i, wanted);
        ASSERT_TRUE(std::ranges::equal(records[i], wanted.view()))
            << "record " << i << " of " << records.size() << ", processor " << processor;
    }
}

/// The files of a plan, in order.
std::vector<fs::path> files_of(const fs::path& folder) {
    std::vector<fs::path> files;
    for (int i = 1; fs::exists(folder / ("t" + std::to_string(i) + ".etl")); ++i) {
        files.push_back(folder / ("t" + std::to_string(i) + ".etl"));
    }
    return files;
}

void check_files(const Plan& plan, const fs::path& folder, std::uint64_t claimed) {
    const std::vector<fs::path> files = files_of(folder);
    ASSERT_FALSE(files.empty());
    Streams streams;
    std::set<std::int64_t> numbers;
    std::uint64_t whole = 0;
    for (const fs::path& path : files) {
        const auto file = io::InputFile::map(path.string());
        ASSERT_TRUE(file);
        Content content = content_of(*file);
        // A new file may not have got its header buffer yet.
        if (content.error && files.size() > 1 && path == files.back()) {
            EXPECT_LT((*file)->bytes().size(), plan.options.file.buffer_size);
            continue;
        }
        ASSERT_FALSE(content.error) << describe(*content.error);
        check_findings(plan, content, (*file)->bytes().size(), numbers);
        for (const trace::BufferEntry& buffer : content.buffers) {
            numbers.insert(buffer.sequence);
        }
        whole += static_cast<std::uint64_t>(
            std::ranges::count(content.buffers, false, &trace::BufferEntry::is_truncated));
        for (auto& [processor, records] : content.streams) {
            std::ranges::move(records, std::back_inserter(streams[processor]));
        }
    }
    if (plan.options.file.mode == FileMode::circular) {
        claimed =
            std::min(claimed, plan.options.file.limit.bytes() / plan.options.file.buffer_size);
    }
    EXPECT_GE(whole, claimed);
    for (const auto& [processor, records] : streams) {
        check_stream(plan, processor, records);
    }
}

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
    const char* text = std::getenv(variable);
    return text != nullptr ? std::strtoull(text, nullptr, 0) : otherwise;
}

TEST(KilledWriter, LeavesEveryBufferThatItWrote) {
    const std::uint64_t seed = number_from("ETL_KILL_SEED", std::random_device{}());
    const std::uint64_t kills = number_from("ETL_KILLS", 200);
    std::printf("ETL_KILL_SEED=%llu\n", static_cast<unsigned long long>(seed));
    void* const shared = ::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(shared, MAP_FAILED);
    auto* const progress = new (shared) Progress{};
    const fs::path folder =
        fs::temp_directory_path() / ("etl-killed-" + std::to_string(::getpid()));
    std::uint64_t buffers = 0;
    for (std::uint64_t i = 0; i < kills && !testing::Test::HasFailure(); ++i) {
        SCOPED_TRACE("ETL_KILLS=1 ETL_KILL_SEED=" + std::to_string(seed + i));
        fs::remove_all(folder);
        fs::create_directory(folder);
        const Plan plan = make_plan(seed + i, folder);
        const std::uint64_t claimed = run_and_kill(plan, *progress);
        ASSERT_FALSE(progress->failed);
        check_files(plan, folder, claimed);
        if (testing::Test::HasFailure()) {
            std::printf("what it left: %s\n", folder.c_str());
        }
        buffers += claimed;
    }
    if (!testing::Test::HasFailure()) {
        fs::remove_all(folder);
    }
    std::printf("%llu processes killed, %llu buffers\n", static_cast<unsigned long long>(kills),
                static_cast<unsigned long long>(buffers));
    ::munmap(shared, sizeof(Progress));
}

} // namespace
} // namespace etl::test

// make_event_log_seeds FOLDER: writes the seeds of the doors event_log, event_log_schemas, and
// event_log_trace, all invented, into their folders in FOLDER. Run by hand; what it wrote is
// committed.
#include "tests/support/eventlogs/event_samples.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

using namespace etl;
using namespace etl::test;
using evtx::ValueType;

namespace {

void write(const std::filesystem::path& path, Bytes bytes) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream out(path, std::ios::binary);
    for (const std::byte byte : bytes) {
        out.put(static_cast<char>(byte));
    }
}

SampleEvent scalars() {
    SampleEvent sample;
    sample.text("Text", u"seed").number("Number", ValueType::uint32, std::uint32_t{7});
    sample.number("Pointer", ValueType::hex64, std::uint64_t{0xFFFF0000});
    sample.number("Time", ValueType::filetime, std::int64_t{133000000000000000});
    sample.bytes("Sid", ValueType::sid, ByteWriter().u8(1).u8(1).u16(0).u32(0x05000000).u32(18));
    sample.bytes("Blob", ValueType::binary, ByteWriter().u8(1).u8(2));
    return sample;
}

SampleEvent arrays() {
    SampleEvent sample;
    sample.array("Numbers", ValueType::uint16, ByteWriter().u16(1).u16(2));
    sample.array("Texts", ValueType::string, ByteWriter().text16(u"a").u16(0).text16(u"b"));
    sample.text("", u"unnamed");
    return sample;
}

SampleEvent user_data() {
    SampleEvent sample;
    sample.event().payload = evtx::PayloadKind::user_data;
    sample.event().payload_name = "Story";
    sample.text("xmlns", u"urn:seed").text("First", u"x").structure("Inner");
    sample.text("Id", u"7", 1).text("Deep", u"y", 1);
    sample.field(0).is_attribute = sample.field(3).is_attribute = true;
    return sample;
}

/// The chunks of a log without the zeros at the end of the last one.
Bytes without_rest(Bytes log) {
    while (!log.empty() && log.back() == std::byte{0}) {
        log = log.first(log.size() - 1);
    }
    return log.first(log.size() + 4);
}

std::vector<std::byte> log_of(std::vector<SampleEvent> samples) {
    SampleLog log;
    for (SampleEvent& sample : samples) {
        if (!log.add(sample.event())) {
            throw std::logic_error("seed");
        }
    }
    return log.finish();
}

template <typename... T>
std::vector<SampleEvent> list(T... samples) {
    std::vector<SampleEvent> all;
    (all.push_back(std::move(samples)), ...);
    return all;
}

void write_all(const std::filesystem::path& folder) {
    const auto whole = log_of(list(scalars(), arrays(), user_data(), scalars()));
    const Bytes small = without_rest(whole);
    const Bytes chunk = small.subspan(evtx::block_size);
    write(folder / "chunk", chunk);
    write(folder / "file", small);
    write(folder / "truncated", chunk.first(chunk.size() / 2));
    std::vector<std::byte> damaged(chunk.begin(), chunk.end());
    damaged[24] ^= std::byte{1};  // the header
    damaged[512] ^= std::byte{1}; // the first record
    write(folder / "damaged", damaged);
    const auto one = log_of(list(user_data()));
    write(folder / "user_data", without_rest(one).subspan(evtx::block_size));
    write(folder / "empty", log_of({}));
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: make_event_log_seeds FOLDER\n", stderr);
        return 64;
    }
    for (const char* const target : {"event_log", "event_log_schemas", "event_log_trace"}) {
        write_all(std::filesystem::path(argv[1]) / target);
    }
}

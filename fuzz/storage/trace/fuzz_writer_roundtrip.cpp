// Bytes steer what is written: the shape of the file, then records, whole or made of the bytes
// themselves. Property: every record that was taken reads back, byte for byte and in the order of
// its processor, from a file without findings; what a full file lost is the end of each stream,
// what a circular file overwrote its beginning, and no other file lost anything.
#include "fuzz/require.hpp"
#include "fuzz/steering.hpp"
#include "tests/support/traces/trace_content.hpp"
#include "trace/writer.hpp"

using namespace etl;

namespace {

using fuzz::require;
using fuzz::Steering;

trace::WriterOptions make_options(Steering& in, io::MemoryFiles& files) {
    using namespace trace;
    WriterOptions options;
    LogFileOptions& file = options.file;
    const unsigned shape = in.next();
    file.mode = static_cast<FileMode>(shape & 3U);
    file.preallocate = (shape & 4U) != 0;
    file.delay_open = (shape & 8U) != 0;
    const bool may_pack = file.mode != FileMode::circular && file.mode != FileMode::append;
    const unsigned packing = may_pack ? in.next() : 0;
    file.compression =
        std::array{codec::Format::none, codec::Format::xpress, codec::Format::xpress_huffman,
                   codec::Format::lznt1}[packing & 3U];
    file.level = static_cast<codec::Level>((packing >> 2U) % 3);
    file.container = static_cast<io::Container>((packing >> 4U) % 3);
    file.buffer_size = 0x1000 + 0x200 * (in.next() & 15U);
    if (const unsigned limit = in.next(); limit != 0 && file.mode != FileMode::append) {
        file.limit = {.count = (file.buffer_size >> 10U) * (2 + (limit & 15U)) + (limit & 3U),
                      .unit = SizeLimit::Unit::kilobytes};
    }
    const unsigned who = in.next();
    options.recording = begin_recording(Filetime{test::story_start}, 4,
                                        static_cast<format::ClockType>(1 + (who & 1U)));
    options.recording->lineage = static_cast<Lineage>((who >> 1U) % 3);
    options.recording->header_pointer_size = (who & 8U) != 0 ? 4 : 8;
    if ((who & 16U) != 0) {
        options.recording->header.log_file_mode |= format::log_mode::no_per_processor_buffering;
    }
    options.files = &files;
    return options;
}

/// A record of some kind, or nothing: then `record` is what the bytes say, and may be no record.
void make_record(Steering& in, ByteWriter& record) {
    const unsigned kind = in.next();
    const auto size = in.next() * ((kind & 0x80U) != 0 ? 255U : 1U);
    const auto width = (kind & 0x40U) != 0 ? format::Width::bits32 : format::Width::bits64;
    const auto time = static_cast<std::int64_t>(in.next()) << (kind & 31U);
    const test::Image payload(size, static_cast<std::byte>(in.next()));
    const auto put = [&](const auto& made) { require(format::encode(made, record).has_value()); };
    switch (kind & 7U) {
    case 0:
        return put(format::EventRecord{.width = width, .time = time, .payload = payload});
    case 1:
        return put(format::SystemRecord{
            .width = width, .hook_id = 0x0301, .time = time, .payload = payload});
    case 2:
        return put(format::PerfinfoRecord{.width = width, .time = time, .payload = payload});
    case 3:
        return put(format::MessageRecord{.number = 3, .payload = payload});
    case 4:
        return put(format::FullRecord{.width = width, .time = time, .payload = payload});
    case 5:
        return put(format::WnodeRecord{.time = time, .payload = payload});
    case 6:
        return put(format::ErrorRecord{.payload = payload});
    default:
        record.bytes(in.take(size));
    }
}

/// What was taken, and what was refused because no buffer could hold it.
struct Taken {
    test::Streams streams;
    std::uint64_t lost = 0;
    std::uint64_t buffers_lost = 0;
};

/// Adds records until the bytes say that the file ends, or end themselves.
void write(Steering& in, const trace::WriterOptions& options, Taken& taken) {
    const bool counts = options.file.mode == trace::FileMode::new_file;
    auto writer = trace::Writer::create(counts ? "t%d.etl" : "t1.etl", options);
    if (!writer) {
        require(writer.error().code == ErrorCode::invalid_option);
        return;
    }
    const bool per_processor = (options.recording->header.log_file_mode &
                                format::log_mode::no_per_processor_buffering) == 0;
    ByteWriter record;
    for (int i = 0; i < 2000 && in.more(); ++i) {
        const unsigned what = in.next();
        if (what == 0xFE) {
            break;
        }
        if (what == 0xFF) {
            (*writer)->flush();
            continue;
        }
        record.clear();
        make_record(in, record);
        const auto processor = static_cast<std::uint16_t>(what & 3U);
        if ((*writer)->add(processor, record.view())) {
            const Bytes bytes = record.view();
            taken.streams[per_processor ? processor : std::uint16_t{0}].emplace_back(bytes.begin(),
                                                                                     bytes.end());
        }
    }
    require((*writer)->close().has_value());
    taken.lost += (*writer)->events_lost();
    taken.buffers_lost += (*writer)->status().buffers_lost;
}

/// What all files hold together. Each is whole by itself.
test::Streams read_back(const io::MemoryFiles& files, std::uint64_t events_lost, bool is_circular) {
    test::Streams streams;
    std::uint64_t lost = 0;
    for (std::size_t i = 1; i <= files.files().size(); ++i) {
        const auto file = files.files().find("t" + std::to_string(i) + ".etl");
        require(file != files.files().end());
        test::Content content = test::content_of(file->second);
        require(!content.error && content.damage == 0);
        for (const Diagnostic& finding : content.findings) { // numbers of what was overwritten
            require(is_circular && finding.missing && finding.severity == Severity::note);
        }
        require(content.info.header.end_time != 0);
        lost = std::max<std::uint64_t>(lost, content.info.header.events_lost);
        for (auto& [processor, records] : content.streams) {
            std::ranges::move(records, std::back_inserter(streams[processor]));
        }
    }
    require(lost == events_lost || files.files().empty()); // a file that was put off and not needed
    return streams;
}

void require_part(const std::vector<test::Image>& part, const std::vector<test::Image>& whole,
                  bool at_the_end) {
    require(part.size() <= whole.size());
    const std::size_t from = at_the_end ? whole.size() - part.size() : 0;
    require(std::ranges::equal(part, std::span(whole).subspan(from, part.size())));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Steering in(std::as_bytes(std::span(data, size)));
    io::MemoryFiles files;
    const trace::WriterOptions options = make_options(in, files);
    Taken taken;
    if (options.file.mode == trace::FileMode::append) {
        trace::WriterOptions before = options; // what is there already
        before.file.mode = trace::FileMode::sequential;
        before.file.delay_open = false;
        write(in, before, taken);
    }
    write(in, options, taken);
    const bool circular = options.file.mode == trace::FileMode::circular;
    test::Streams found = read_back(files, taken.lost, circular);
    if (!circular && taken.buffers_lost == 0) {
        require(found == taken.streams);
    }
    for (const auto& [processor, records] : taken.streams) {
        require_part(found[processor], records, circular);
    }
    return 0;
}

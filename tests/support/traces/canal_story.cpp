#include "tests/support/traces/canal_story.hpp"

#include "tests/support/traces/tracelogging_builder.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace etl::test {

namespace {

using trace::FileMode;

// Derived from its name as TraceLogging does it.
constexpr Guid canal = *parse_guid("87bfca0e-1c0b-5c34-4101-c4374a8602cc");
constexpr std::string_view canal_name = "Example.Canal";
constexpr std::int64_t millisecond = 10'000;

TraceLoggingEvent event_of(int n) {
    constexpr std::array<std::string_view, 5> boats{"Heron", "Otter", "Mayfly", "Old Pike",
                                                    "Kingfisher of Upper Mill"};
    const auto number = static_cast<std::uint32_t>(n);
    const std::string_view boat = boats[number % boats.size()];
    if (number % 7 == 3) {
        return TraceLoggingEvent("GateOpened").u16("Lock", static_cast<std::uint16_t>(number % 11));
    }
    return TraceLoggingEvent("LockFilled")
        .utf8("Boat", boat)
        .u32("Lock", number % 11)
        .f64("Level", 1.5 + 0.25 * (n % 9));
}

Result<void> put(const FileShape& shape, const std::string& path, CanalStory& story, int records,
                 io::FileFactory& files) {
    trace::WriterOptions options{.file = shape.options, .recording = {}, .files = &files};
    options.recording = trace::begin_recording(Filetime{story_start}, CanalStory::processors);
    options.recording->header.session_name = u"Canal";
    options.recording->header.log_file_name = u"C:\\Traces\\canal.etl";
    if (shape.options.mode == FileMode::new_file) {
        options.recording->header.log_file_name = u"C:\\Traces\\canal-%d.etl";
    }
    if (shape.options.compression != codec::Format::none) {
        options.recording->lineage = trace::Lineage::relogger;
    }
    auto writer = trace::Writer::create(path, std::move(options));
    if (!writer) {
        return std::unexpected(writer.error());
    }
    if (auto told = story.tell(**writer, records); !told) {
        return told;
    }
    if (!shape.finished) {
        (*writer)->flush();
    } else if (auto closed = (*writer)->close(); !closed) {
        return closed;
    }
    if ((*writer)->status().buffers_lost != 0) {
        return fail(ErrorCode::limit, "a buffer was lost");
    }
    return {};
}

void must(const Result<void>& result) {
    if (!result) {
        throw std::logic_error(describe(result.error()));
    }
}

struct Packing {
    const char* suffix;
    codec::Format compression;
    io::Container container;
};

constexpr std::array<Packing, 6> packings{{
    {"", codec::Format::none, io::Container::none},
    {"-xpress", codec::Format::xpress, io::Container::none},
    {"-xpress-huffman", codec::Format::xpress_huffman, io::Container::none},
    {"-lznt1", codec::Format::lznt1, io::Container::none},
    {"-zstd", codec::Format::none, io::Container::zstd},
    {"-lz4", codec::Format::none, io::Container::lz4},
}};

constexpr trace::SizeLimit kilobytes(std::uint32_t count) {
    return {.count = count, .unit = trace::SizeLimit::Unit::kilobytes};
}

} // namespace

Result<void> CanalStory::tell(trace::Writer& writer, int records) {
    const auto traits = provider_traits(canal_name);
    ByteWriter record;
    for (int i = 0; i < records; ++i, ++next_) {
        const auto processor = static_cast<std::uint16_t>(next_ / 3 % processors);
        const TraceLoggingEvent event = event_of(next_);
        const auto metadata = event.metadata();
        const std::array<format::ExtendedItem, 2> items{
            {{format::ItemType::provider_traits, traits},
             {format::ItemType::event_schema_tl, metadata}}};
        record.clear();
        const auto encoded = format::encode(
            format::EventRecord{.process_id = 700,
                                .thread_id = 704U + 4U * processor,
                                .time = story_start + millisecond * (next_ + 1),
                                .provider = canal,
                                .descriptor = {.channel = 11, .level = 4, .keyword = 1},
                                .items = items,
                                .payload = event.payload_bytes()},
            record);
        if (!encoded) {
            return encoded;
        }
        if (auto added = writer.add(processor, record.view()); !added) {
            return added;
        }
        told_[processor].emplace_back(record.view().begin(), record.view().end());
    }
    return {};
}

std::string FileShape::file_name() const {
    const std::string ending = options.container == io::Container::zstd  ? ".etl.zst"
                               : options.container == io::Container::lz4 ? ".etl.lz4"
                                                                         : ".etl";
    return name + (options.mode == FileMode::new_file ? "-%d" : "") + ending;
}

std::vector<FileShape> file_shapes() {
    const std::array<FileShape, 8> modes{{
        {"sequential", {.mode = FileMode::sequential}},
        {"limited", {.mode = FileMode::sequential, .limit = kilobytes(64)}},
        {"delayed", {.mode = FileMode::sequential, .delay_open = true}},
        {"preallocated",
         {.mode = FileMode::sequential, .limit = kilobytes(64), .preallocate = true}},
        {"preallocated-unfinished",
         {.mode = FileMode::sequential, .limit = kilobytes(40), .preallocate = true},
         false},
        {"unfinished", {.mode = FileMode::sequential}, false},
        {"new-file", {.mode = FileMode::new_file, .limit = kilobytes(16)}},
        {"new-file-unfinished", {.mode = FileMode::new_file, .limit = kilobytes(12)}, false},
    }};
    std::vector<FileShape> shapes{
        {"circular", {.mode = FileMode::circular, .limit = kilobytes(64)}},
        {"circular-wrapped", {.mode = FileMode::circular, .limit = kilobytes(16)}},
        {"circular-preallocated",
         {.mode = FileMode::circular, .limit = kilobytes(64), .preallocate = true}},
        {"circular-unfinished", {.mode = FileMode::circular, .limit = kilobytes(16)}, false},
        {"append", {.mode = FileMode::append}},
        {"append-unfinished", {.mode = FileMode::append}, false},
    };
    for (const FileShape& mode : modes) {
        for (const Packing& packing : packings) {
            if (mode.options.preallocate && packing.container != io::Container::none) {
                continue; // there is no such file
            }
            FileShape shape = mode;
            shape.name += packing.suffix;
            shape.options.compression = packing.compression;
            shape.options.container = packing.container;
            if (packing.suffix[0] != '\0' && mode.options.mode == FileMode::new_file) {
                shape.records = 900; // or it would have no second file
            }
            shapes.push_back(std::move(shape));
        }
    }
    for (FileShape& shape : shapes) {
        shape.options.buffer_size = 0x1000;
        if (shape.options.mode == FileMode::circular) {
            shape.records = 150;
        }
    }
    return shapes;
}

FileShape file_shape(std::string_view name) {
    for (FileShape& shape : file_shapes()) {
        if (shape.name == name) {
            return std::move(shape);
        }
    }
    throw std::logic_error("no such shape");
}

Streams write_shape(const FileShape& shape, const std::string& folder, io::FileFactory& files) {
    const std::string path = folder + shape.file_name();
    CanalStory story;
    int records = shape.records;
    if (shape.options.mode == FileMode::append) {
        records /= 2;
        FileShape before = shape;
        before.options.mode = FileMode::sequential;
        before.finished = true;
        must(put(before, path, story, shape.records - records, files));
    }
    must(put(shape, path, story, records, files));
    return story.told();
}

Image unpacked(io::Container kind, const Image& packed) {
    auto decoder = io::FrameDecoder::create(kind);
    io::FrameScanner scanner(kind, packed);
    Image plain;
    while (const auto frame = scanner.next()) {
        Image content(frame->content_size);
        const Bytes bytes =
            Bytes(packed).subspan(static_cast<std::size_t>(frame->where.value), frame->packed_size);
        if (!decoder || decoder->decode(bytes, content).error) {
            throw std::logic_error("a frame does not unpack");
        }
        plain.insert(plain.end(), content.begin(), content.end());
    }
    if (scanner.error()) {
        throw std::logic_error(describe(*scanner.error()));
    }
    return plain;
}

} // namespace etl::test

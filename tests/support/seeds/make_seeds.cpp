// make_seeds FOLDER: writes the seeds of the doors append, reader, relog, stream, merge, record,
// extended_data, image and message_table, all invented, into FOLDER/DOOR/. Run by hand; what it
// wrote is committed.
#include "tests/support/codecs/packed_image.hpp"
#include "tests/support/images/image_builder.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

using namespace etl;
using namespace etl::test;

namespace {

constexpr Guid provider = *parse_guid("5a1b0a11-0b0c-4d0e-8f10-112233445566");

class Folder {
public:
    explicit Folder(std::filesystem::path path) : path_(std::move(path)) {
        std::filesystem::create_directories(path_);
    }

    void write(const char* name, Bytes bytes) const {
        std::ofstream out(path_ / name, std::ios::binary);
        for (const std::byte byte : bytes) {
            out.put(static_cast<char>(byte));
        }
    }

private:
    std::filesystem::path path_;
};

std::vector<std::byte> items_bytes() {
    const Image sid = noise(12);
    const auto traits = provider_traits("Made.Up");
    const auto metadata = TraceLoggingEvent("Seed").i32("Answer", 42).metadata();
    const std::array<format::ExtendedItem, 3> items{
        {{format::ItemType::sid, sid},
         {format::ItemType::provider_traits, traits},
         {format::ItemType::event_schema_tl, metadata}}};
    ByteWriter out;
    if (!format::encode_items(items, out)) {
        throw std::logic_error("items");
    }
    return out.take();
}

/// One record of each kind.
void add_every_kind(BufferBuilder& buffer) {
    const Image payload = noise(9);
    const std::array<std::uint64_t, 2> counters{1, 2};
    const std::array<format::ExtendedItem, 1> items{{{format::ItemType::event_key, payload}}};
    buffer.add(format::SystemRecord{.hook_id = 0x0301, .time = 1, .payload = payload});
    buffer.add(format::CompactRecord{.hook_id = 0x0524, .time = 2, .payload = payload});
    buffer.add(format::PerfinfoRecord{.hook_id = 0x0F2E,
                                      .time = 3,
                                      .counters = {.pebs_index = 5, .values = counters},
                                      .payload = payload});
    buffer.add(format::FullRecord{.time = 4, .event_class = provider, .payload = payload});
    buffer.add(format::InstanceRecord{.time = 5, .event_class = provider, .payload = payload});
    buffer.add(format::EventRecord{.time = 6,
                                   .provider = provider,
                                   .descriptor = {.id = 7},
                                   .items = items,
                                   .payload = payload});
    buffer.add(format::MessageRecord{.number = 1,
                                     .width = format::Width::bits32,
                                     .sequence = 2,
                                     .guid = provider,
                                     .time = 7,
                                     .system_info = format::ThreadAndProcess{1, 2},
                                     .payload = payload});
    buffer.add(format::MessageRecord{.component_id = 3, .payload = payload});
    buffer.add(format::WnodeRecord{.time = 8, .payload = payload});
    buffer.add(format::TimedRecord{.time = 9});
    buffer.add(format::ErrorRecord{.payload = payload});
    buffer.add(format::Ulong32Record{.time = 10});
}

TraceFacts small(trace::Lineage lineage) {
    TraceFacts facts;
    facts.lineage = lineage;
    facts.reference_time = 0;
    facts.buffer_size = 0x400;
    facts.session_name = u"s";
    facts.file_name = u"f";
    return facts;
}

Image kinds(const TraceFacts& facts) {
    TraceBuilder trace(facts);
    add_every_kind(trace.buffer());
    return trace.build();
}

Image two_processors(codec::Format compression, std::uint32_t mode = 1) {
    TraceFacts facts = small(compression == codec::Format::none ? trace::Lineage::session
                                                                : trace::Lineage::relogger);
    facts.mode = mode;
    facts.processors = 2;
    TraceBuilder trace(facts);
    for (std::uint16_t i = 1; i <= 4; ++i) {
        trace.buffer({.processor = static_cast<std::uint16_t>(i % 2), .compression = compression})
            .add(format::EventRecord{.time = 10 * i, .descriptor = {.id = i}})
            .add(format::MessageRecord{.number = i})
            .add(format::EventRecord{.time = 10 * i - 15, .descriptor = {.id = i}});
    }
    return mode == format::log_mode::circular ? trace.wrap(2).build() : trace.build();
}

void write_container_seeds(const Folder& to, const Image& plain, const std::string& suffix) {
    for (const auto kind : {io::Container::zstd, io::Container::lz4}) {
        const std::string name = (kind == io::Container::zstd ? "zstd" : "lz4") + suffix;
        const PackedImage whole = pack(plain, kind);
        const PackedImage no_table = pack(plain, kind, SeekTable::none);
        const std::size_t second = whole.frames[2].where.value;
        to.write(name.c_str(), whole.file);
        to.write((name + "_no_table").c_str(), no_table.file);
        to.write((name + "_cut").c_str(), truncate_at(no_table.file, no_table.file.size() - 40));
        to.write((name + "_no_frame").c_str(), flip(no_table.file, second));
        to.write((name + "_damaged").c_str(), flip(whole.file, second + 120));
    }
}

/// A buffer that holds beginnings of frames, each of which would go on to the end of the file.
Image beginnings_of_frames(const Image& plain, io::Container kind) {
    const auto frame_of = [&](Bytes content, std::size_t stored) {
        Image frame;
        (void)io::FrameEncoder::create(kind)->encode(content, stored, frame);
        return frame;
    };
    const std::size_t head = io::stored_offset(kind);
    const std::size_t block = kind == io::Container::zstd ? 3 : 4; // its header
    const Image link = truncate_at(frame_of(Image(1U << 16U), head - block), head);
    Image content = truncate_at(plain, format::buffer_header::size);
    while (content.size() < 0x4000) {
        content.insert(content.end(), link.begin(), link.end());
    }
    store_le<std::uint32_t>(content.data(), static_cast<std::uint32_t>(content.size()));
    const PackedImage whole = pack(plain, kind);
    Image file = truncate_at(whole.file, whole.frames[1].where.value);
    const Image frame = frame_of(content, content.size());
    file.insert(file.end(), frame.begin(), frame.end());
    file.resize(file.size() + 20, std::byte{'x'});
    return file;
}

void write_reader_seeds(const Folder& to) {
    to.write("every_kind", kinds(small(trace::Lineage::session)));
    to.write("windows7", kinds(small(trace::Lineage::windows7)));
    TraceFacts narrow = small(trace::Lineage::session);
    narrow.pointer_size = 4;
    to.write("pointer_size_4", kinds(narrow));
    const Image plain = two_processors(codec::Format::none);
    const Image packed = two_processors(codec::Format::xpress);
    to.write("two_processors", plain);
    to.write("xpress", packed);
    to.write("xpress_huffman", two_processors(codec::Format::xpress_huffman));
    to.write("lznt1", two_processors(codec::Format::lznt1));
    to.write("circular", two_processors(codec::Format::none, format::log_mode::circular));
    to.write("garbage", insert_garbage(plain, 2, 50));
    to.write("xpress_garbage", insert_garbage(packed, 2, 50));
    to.write("xpress_size", grow_size(packed, 2, 40));
    to.write("size", grow_size(plain, 2, 40));
    to.write("cut", truncate_at(plain, plain.size() - 0x380));
    to.write("no_header", drop_buffer(plain, 0));
    to.write("tail", preallocate(plain, 0x500));
    to.write("concatenated", concatenate(plain, kinds(small(trace::Lineage::relogger))));
    write_container_seeds(to, plain, "");
    write_container_seeds(to, packed, "_xpress");
    to.write("regress_zstd_beginnings_of_frames", beginnings_of_frames(plain, io::Container::zstd));
    to.write("regress_lz4_beginnings_of_frames", beginnings_of_frames(plain, io::Container::lz4));
}

/// How a trace comes in pieces, then the trace. The bytes: fuzz_stream.cpp
Image in_pieces(const std::array<unsigned, 8>& how, const Image& trace) {
    Image seed;
    for (const unsigned byte : how) {
        seed.push_back(static_cast<std::byte>(byte));
    }
    seed.insert(seed.end(), trace.begin(), trace.end());
    return seed;
}

void write_stream_seeds(const Folder& to) {
    constexpr std::array<unsigned, 8> odd{1, 71, 100, 200, 73, 127, 144, 23};
    constexpr std::array<unsigned, 8> pauses{143, 0, 60, 150, 0, 72, 140, 23};
    constexpr std::array<unsigned, 8> narrow{200, 201, 202, 203, 204, 205, 206, 11};
    const Image plain = two_processors(codec::Format::none);
    const Image packed = two_processors(codec::Format::xpress);
    to.write("every_kind", in_pieces(odd, kinds(small(trace::Lineage::session))));
    to.write("odd", in_pieces(odd, plain));
    to.write("pauses", in_pieces(pauses, plain));
    to.write("narrow", in_pieces(narrow, plain));
    to.write("xpress_odd", in_pieces(odd, packed));
    to.write("xpress_pauses", in_pieces(pauses, packed));
    to.write("xpress_garbage", in_pieces(odd, insert_garbage(packed, 2, 50)));
    to.write("xpress_size", in_pieces(odd, grow_size(packed, 2, 40)));
    to.write("garbage", in_pieces(odd, insert_garbage(plain, 2, 50)));
    to.write("size", in_pieces(odd, grow_size(plain, 2, 40)));
    to.write("cut", in_pieces(odd, truncate_at(plain, plain.size() - 0x380)));
    to.write("tail", in_pieces(odd, preallocate(plain, 0x500)));
    to.write("concatenated",
             in_pieces(narrow, concatenate(plain, kinds(small(trace::Lineage::relogger)))));
}

/// Every edit there is, one after the other, from `first` on; then the trace.
Image edited(unsigned first, const Image& trace) {
    Image seed;
    for (unsigned i = 0; i < 16; ++i) {
        seed.push_back(static_cast<std::byte>(first + 17 * i));
    }
    seed.insert(seed.end(), trace.begin(), trace.end());
    return seed;
}

void write_relog_seeds(const Folder& to) {
    const TraceFacts facts = small(trace::Lineage::session);
    const Image plain = two_processors(codec::Format::none);
    const Image packed = two_processors(codec::Format::xpress);
    to.write("every_kind", edited(0, kinds(facts)));
    to.write("every_kind_changed", edited(3, kinds(facts)));
    to.write("windows7", edited(5, kinds(small(trace::Lineage::windows7))));
    TraceFacts narrow = facts;
    narrow.pointer_size = 4;
    to.write("pointer_size_4", edited(7, kinds(narrow)));
    TraceFacts shared = facts;
    shared.mode |= format::log_mode::no_per_processor_buffering;
    to.write("no_per_processor", edited(8, kinds(shared)));
    TraceFacts handles = facts;
    handles.layout_minor = 0;
    to.write("instances_with_handles", edited(2, kinds(handles)));
    to.write("two_processors", edited(2, plain));
    to.write("xpress", edited(1, packed));
    to.write("circular",
             edited(6, two_processors(codec::Format::none, format::log_mode::circular)));
    to.write("garbage", edited(4, insert_garbage(plain, 2, 50)));
    to.write("cut", edited(9, truncate_at(plain, plain.size() - 0x380)));
    to.write("no_header", edited(11, drop_buffer(plain, 0)));
    to.write("lz4", edited(13, pack(plain, io::Container::lz4).file));
}

void write_append_seeds(const Folder& to) {
    TraceFacts facts = small(trace::Lineage::session);
    to.write("finished", kinds(facts));
    to.write("two_processors", two_processors(codec::Format::none));
    to.write("windows7", kinds(small(trace::Lineage::windows7)));
    to.write("xpress", two_processors(codec::Format::xpress));
    facts.pointer_size = 4;
    facts.end_time = std::nullopt;
    const Image unfinished = kinds(facts);
    to.write("unfinished", unfinished);
    to.write("torn", truncate_at(unfinished, unfinished.size() - 0x80));
    to.write("tail", preallocate(unfinished, 0x1000));
}

void write_image_seeds(const Folder& to) {
    const Wevt five = wevt({sample_provider()});
    const Wevt three = wevt({sample_provider()},
                            {CrimVersion::three, MapHead::without_flags, UserDataRoot::outer});
    const auto table = message_table(five.messages);
    const auto german = message_table(translated(five.messages));
    to.write("pe32_plus", pe_image({template_resource(five.crim), message_resource(table)}));
    to.write("pe32", pe_image({template_resource(three.crim), message_resource(table),
                               message_resource(german, 0x0407)},
                              PeWidth::pe32));
    to.write("mui", pe_image({message_resource(german, 0x0407)}));
    to.write("no_resources", pe_image({}));
    to.write("bare", five.crim);
    to.write("bare_version_3", three.crim);
}

void write_version_seeds(const Folder& to) {
    to.write("windows", version_info(windows_version(22621)));
    to.write("no_texts", version_info({.file = {1, 2, 3, 4}}));
    to.write("image", pe_image({version_resource(windows_version(22621))}));
}

void write_message_table_seeds(const Folder& to) {
    const Messages messages{
        {1, u"one\r\n"}, {2, u"t\u00E4xt %1\r\n"}, {9, u""}, {0xB0000001, u"far away\r\n"}};
    to.write("utf16", message_table(messages));
    to.write("utf8", message_table(messages, MessageText::utf8));
    to.write("ansi", message_table(messages, MessageText::ansi));
    to.write("empty", message_table({}));
}

/// How they are merged, where the second one begins, both of them.
Image merged(unsigned how, const Image& first, const Image& second) {
    ByteWriter seed;
    seed.u8(static_cast<std::uint8_t>(how)).u8(3).u32(static_cast<std::uint32_t>(first.size()));
    return seed.bytes(first).bytes(second).take();
}

void write_merge_seeds(const Folder& to) {
    const TraceFacts facts = small(trace::Lineage::session);
    const Image plain = two_processors(codec::Format::none);
    TraceFacts other = facts;
    other.boot_time -= 7'000'000'000;
    other.perf_freq = 3'000'000;
    TraceFacts system = facts;
    system.clock = format::ClockType::system_time;
    to.write("one_boot", merged(0, kinds(facts), plain));
    to.write("the_same_twice", merged(0, plain, plain));
    to.write("tagged", merged(1, plain, kinds(facts)));
    to.write("other_boot", merged(2, kinds(facts), kinds(other)));
    to.write("other_clock_tagged", merged(3, kinds(system), plain));
    to.write("aligned_start", merged(4, kinds(other), plain));
    to.write("aligned_first_event", merged(8, kinds(facts), kinds(other)));
    to.write("series", merged(16, two_processors(codec::Format::xpress), kinds(other)));
    to.write("damaged", merged(2, insert_garbage(plain, 2, 50), truncate_at(plain, 0x700)));
    to.write("no_header", merged(0, drop_buffer(plain, 0), plain));
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::fputs("usage: make_seeds FOLDER\n", stderr);
        return 64;
    }
    const std::filesystem::path root = arguments[1];
    write_append_seeds(Folder(root / "append"));
    write_reader_seeds(Folder(root / "reader"));
    write_relog_seeds(Folder(root / "relog"));
    write_stream_seeds(Folder(root / "stream"));
    write_merge_seeds(Folder(root / "merge"));
    BufferBuilder records({}, 0);
    add_every_kind(records);
    Folder(root / "record")
        .write("every_kind", records.bytes().subspan(format::buffer_header::size));
    Folder(root / "extended_data").write("items", items_bytes());
    write_image_seeds(Folder(root / "image"));
    write_message_table_seeds(Folder(root / "message_table"));
    write_version_seeds(Folder(root / "version_resource"));
    return 0;
}

// A trace with names and addresses in every place.
#pragma once

#include "base/text.hpp"
#include "tests/support/traces/kernel_records.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"
#include "tests/unit/editing/anonymize/anonymized.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace etl::test {

inline constexpr Guid shop = *parse_guid("5a1e0000-0000-4000-8000-00000000cafe");

/// S-1-5-21-1111111111-222222222-3333333333-1001
inline std::vector<std::byte> sid_bytes(std::uint32_t account = 1001) {
    ByteWriter sid;
    sid.u8(1).u8(5).fill(5).u8(5).u32(21).u32(1111111111).u32(222222222).u32(3333333333U);
    return sid.u32(account).take();
}

/// Adds TraceLogging events of one provider.
class Shop {
public:
    explicit Shop(TraceBuilder& trace) : buffer_(&trace.buffer()) {}

    void add(TraceLoggingEvent& event, Bytes sid = {}, Bytes trailing = {}) {
        const auto metadata = event.metadata();
        const auto traits = provider_traits("Coffee.Shop");
        std::vector<format::ExtendedItem> items{
            {.type = format::ItemType::event_schema_tl, .data = metadata},
            {.type = format::ItemType::provider_traits, .data = traits}};
        if (!sid.empty()) {
            items.push_back({.type = format::ItemType::sid, .data = sid});
        }
        std::vector<std::byte> payload(event.payload_bytes().begin(), event.payload_bytes().end());
        payload.insert(payload.end(), trailing.begin(), trailing.end());
        buffer_->add(format::EventRecord{.time = 1'000'100 + ++count_,
                                         .provider = shop,
                                         .descriptor = {.channel = 11},
                                         .items = items,
                                         .payload = payload});
    }

    BufferBuilder& buffer() { return *buffer_; }

private:
    BufferBuilder* buffer_;
    int count_ = 0;
};

inline void add_texts(Shop& to) {
    TraceLoggingEvent order("Order");
    order.utf16("UserName", u"CONTOSO\\Alice").utf8("HostName", "ALICE-PC.contoso.com");
    order.ansi("CommandLine", "brew.exe --for alice --pin 4711");
    order.utf16("FileName", u"D:\\Recipes\\Grandma\\secret.docx");
    order.utf16("Message", u"aLiCe at 10.20.30.40 (00-15-5D-01-02-03), "
                           u"S-1-5-21-1111111111-222222222-3333333333-1001");
    order.i32("Cups", 7);
    to.add(order);
    TraceLoggingEvent note("Note");
    note.utf8("m", "C:\\Users\\bob\\Desktop\\taxes.xlsx from ALICE-PC").i32("n", 1);
    to.add(note, sid_bytes());
}

inline void add_binaries(Shop& to) {
    TraceLoggingEvent link("Link");
    link.value({.name = "To", .in = tl_in::u32, .out = tl_out::ipv4}, 0x281E140AU);
    link.field({.name = "Remote", .in = tl_in::binary, .out = tl_out::socket_address});
    link.payload().u16(16).u16(2).u16(0xBB01).u32(0x281E140AU).fill(8);
    link.field({.name = "Who", .in = tl_in::sid}).payload().bytes(sid_bytes(1002));
    link.binary("Blob", std::as_bytes(std::span("..alice......")));
    to.add(link, {}, std::as_bytes(std::span("bob was here")));
}

inline void add_kernel(Shop& to) {
    process_record(1'000'200, Life::start, 4711, "brew.exe",
                   u"\"C:\\Users\\alice\\brew.exe\" -user alice")
        .add_to(to.buffer());
    image_record(1'000'201, Life::start, 4711, 0x10000, 0x1000, u"C:\\Windows\\System32\\x.dll")
        .add_to(to.buffer());
    file_name_record(1'000'202, 0, 77, u"\\Device\\HarddiskVolume2\\Users\\alice\\diary.txt")
        .add_to(to.buffer());
    ByteWriter tcp;
    tcp.u32(4711).u32(100).u32(0x281E140AU).u32(0x0100007FU).u16(0xBB01).u16(0x5000).u32(1).u64(2);
    KernelRecord{0x060A, 2, 1'000'203, tcp.take()}.add_to(to.buffer());
}

inline Image story() {
    TraceBuilder trace({.buffer_size = 0x4000,
                        .session_name = u"Session of alice",
                        .file_name = u"C:\\Users\\alice\\trace.etl"});
    Shop to(trace);
    add_texts(to);
    add_binaries(to);
    add_kernel(to);
    return trace.build();
}

/// An event that nothing describes.
inline Image with_unknown_event() {
    TraceBuilder trace;
    Shop to(trace);
    add_texts(to);
    const std::u16string secret = u"for alice only";
    ByteWriter payload;
    payload.text16(secret);
    to.buffer().add(format::EventRecord{
        .time = 1'000'500, .provider = shop, .descriptor = {.id = 9}, .payload = payload.view()});
    return trace.build();
}

inline std::vector<Bytes> records_of(trace::Reader& reader) {
    std::vector<Bytes> records;
    flow::EventCursor events(reader);
    while (const flow::Event* event = events.next()) {
        records.push_back(event->bytes());
    }
    return records;
}

/// All values of all events, with their fields' names.
inline std::vector<std::string> values_of(const Image& image, bool only_fields) {
    std::vector<std::string> values;
    const auto reader = anonymize::open(image);
    decode::Decoder decoder(kernel_store());
    decode::FieldWalker walker;
    flow::EventCursor events(*reader);
    events.next(); // log file header
    while (const flow::Event* event = events.next()) {
        const decode::DecodedEvent& decoded = decoder.decode(*event);
        if (decoded.kind->schema == nullptr) {
            continue;
        }
        walker.start(decoded.kind->plan, decoded.body);
        for (auto step = walker.next(); step != decode::Step::end; step = walker.next()) {
            if (step == decode::Step::value) {
                std::string value = decoded.kind->schema->fields[walker.field()].name;
                value += "=" + std::to_string(walker.bytes().size());
                value += only_fields ? "" : ":" + std::string(as_text(walker.bytes()));
                values.push_back(std::move(value));
            }
        }
        EXPECT_FALSE(walker.failed());
    }
    return values;
}

} // namespace etl::test

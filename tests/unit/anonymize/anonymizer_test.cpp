#include <etl/base/text.hpp>

#include "tests/support/kernel_records.hpp"
#include "tests/support/tracelogging_builder.hpp"
#include "tests/unit/anonymize/anonymized.hpp"

#include <algorithm>

namespace etl::anonymize {
namespace {

using namespace etl::test;

constexpr Guid shop = *parse_guid("5a1e0000-0000-4000-8000-00000000cafe");

/// S-1-5-21-1111111111-222222222-3333333333-1001
std::vector<std::byte> sid_bytes(std::uint32_t account = 1001) {
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

void add_texts(Shop& to) {
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

void add_binaries(Shop& to) {
    TraceLoggingEvent link("Link");
    link.value({.name = "To", .in = tl_in::u32, .out = tl_out::ipv4}, 0x281E140AU);
    link.field({.name = "Remote", .in = tl_in::binary, .out = tl_out::socket_address});
    link.payload().u16(16).u16(2).u16(0xBB01).u32(0x281E140AU).fill(8);
    link.field({.name = "Who", .in = tl_in::sid}).payload().bytes(sid_bytes(1002));
    link.binary("Blob", std::as_bytes(std::span("..alice......")));
    to.add(link, {}, std::as_bytes(std::span("bob was here")));
}

void add_kernel(Shop& to) {
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

Image story() {
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
Image with_unknown_event() {
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

std::vector<Bytes> records_of(trace::Reader& reader) {
    std::vector<Bytes> records;
    flow::EventCursor events(reader);
    while (const flow::Event* event = events.next()) {
        records.push_back(event->bytes());
    }
    return records;
}

TEST(Anonymizer, LeavesNoneOfTheOriginals) {
    const Image before = story();
    constexpr std::string_view secrets[] = {"alice",       "contoso",     "brew",       "4711",
                                            "recipes",     "grandma",     "secret",     "bob",
                                            "10.20.30.40", "00-15-5D-01", "1111111111", "222222222",
                                            "3333333333",  "taxes",       "diary"};
    for (const std::string_view secret : secrets) {
        EXPECT_TRUE(occurs(before, secret)) << secret;
    }
    const auto reader = open(before);
    const Anonymized after = anonymized(*reader, kernel_store());
    for (const std::string_view secret : secrets) {
        EXPECT_FALSE(occurs(after.image, secret)) << secret;
    }
    const std::string_view address("\x0A\x14\x1E\x28", 4);
    EXPECT_TRUE(as_text(before).contains(address));
    EXPECT_FALSE(as_text(after.image).contains(address));
    const std::vector<std::byte> sid = sid_bytes();
    EXPECT_FALSE(as_text(after.image).contains(as_text(Bytes(sid).subspan(12, 12))));
    EXPECT_TRUE(occurs(after.image, "C:\\Windows\\System32\\x.dll"));
    EXPECT_TRUE(occurs(after.image, "\\Device\\HarddiskVolume2\\Users\\"));
}

TEST(Anonymizer, KeepsEveryRecordItsSizeAndTheTraceSound) {
    const auto reader = open(story());
    const Anonymized after = anonymized(*reader, kernel_store());
    const auto again = open(story());
    const auto result = open(after.image);
    const auto before = records_of(*again);
    const auto now = records_of(*result);
    ASSERT_EQ(before.size(), now.size());
    for (std::size_t i = 1; i < before.size(); ++i) { // behind the log file header
        EXPECT_EQ(before[i].size(), now[i].size());
    }
    EXPECT_TRUE(read_written(after.image).checked.empty());
}

/// All values of all events, with their fields' names.
std::vector<std::string> values_of(const Image& image, bool only_fields) {
    std::vector<std::string> values;
    const auto reader = open(image);
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

TEST(Anonymizer, ChangesNoFieldButTheValuesItReports) {
    const auto reader = open(story());
    const Anonymized after = anonymized(*reader, kernel_store());
    EXPECT_EQ(values_of(story(), true), values_of(after.image, true));
    const auto before = values_of(story(), false);
    const auto now = values_of(after.image, false);
    ASSERT_EQ(before.size(), now.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        different += before[i] != now[i] ? 1U : 0U;
    }
    std::size_t places = 0; // a value may hold several kinds
    std::uint64_t in_bytes = 0;
    for (std::size_t i = 0; i < after.report.fields.size(); ++i) {
        const Report::Field& field = after.report.fields[i];
        const bool is_field = !field.field.starts_with("(");
        const bool is_new = i == 0 || after.report.fields[i - 1].field != field.field ||
                            after.report.fields[i - 1].event != field.event;
        places += is_field && is_new ? 1U : 0U;
        in_bytes += is_field ? 0 : field.values;
        EXPECT_GT(field.values, 0U);
    }
    EXPECT_EQ(different, places);
    EXPECT_EQ(in_bytes, 4U) << "bytes behind fields, SID of an item; header: user, path";
}

TEST(Anonymizer, GivesOneValueOnePseudonymInAllFilesOfAKey) {
    const auto of = [](const Image& image, std::string_view key) {
        const auto reader = open(image);
        return values_of(anonymized(*reader, kernel_store(), {.key = key_of_text(key)}).image,
                         false);
    };
    TraceBuilder other;
    Shop to(other);
    add_texts(to);
    const auto story_values = of(story(), "a");
    const auto other_values = of(other.build(), "a");
    EXPECT_EQ(std::vector(story_values.begin(),
                          story_values.begin() + static_cast<std::ptrdiff_t>(other_values.size())),
              other_values);
    EXPECT_NE(of(other.build(), "b"), other_values);
}

TEST(Anonymizer, TellsWhatItDidNotLookInto) {
    const auto reader = open(story());
    const Report report = anonymized(*reader, kernel_store()).report;
    ASSERT_EQ(report.binary.size(), 1U);
    EXPECT_EQ(report.binary[0].field, "Blob");
    EXPECT_EQ(report.values[static_cast<std::size_t>(Kind::redacted)], 2U) << "wiped, both";
    EXPECT_EQ(report.unseen.at("Coffee.Shop").trailing, 1U);
    EXPECT_EQ(report.undecodable, 0U);
}

TEST(Anonymizer, FindsLearnedNamesEvenWhereNothingIsDescribed) {
    const auto reader = open(with_unknown_event());
    const Anonymized after = anonymized(*reader, kernel_store());
    EXPECT_EQ(after.report.undecodable, 1U);
    EXPECT_EQ(after.report.dropped, 0U);
    EXPECT_FALSE(occurs(after.image, "alice"));
    EXPECT_TRUE(occurs(after.image, "only"));
}

TEST(Anonymizer, LearnsFromProfilesInUndescribedBytes) {
    for (const std::size_t shift : {0U, 1U}) {
        ByteWriter payload;
        payload.fill(shift).text16(u"C:\\Users\\dora\\x S-1-5-21-1111111111-222222222-3-1001");
        TraceBuilder trace;
        Shop to(trace);
        to.buffer().add(format::EventRecord{.time = 1'000'050,
                                            .provider = shop,
                                            .descriptor = {.id = 9},
                                            .payload = payload.view()});
        TraceLoggingEvent hello("Hello");
        hello.utf8("Message", "dora again");
        to.add(hello);
        const auto reader = open(trace.build());
        const Anonymized after = anonymized(*reader, kernel_store());
        EXPECT_FALSE(occurs(after.image, "dora"));
        EXPECT_FALSE(occurs(after.image, "1111111111"));
        EXPECT_TRUE(occurs(after.image, "C:\\Users\\"));
    }
}

TEST(Anonymizer, CountsTheFieldsThatARedactionFits) {
    const auto reader = open(story());
    const Anonymized after = anonymized(
        *reader, kernel_store(),
        {.key = key_of_text("tests"),
         .redact = {{"*", "Order", "Cups"}, {"*", "Order", "Mugs"}, {"*", "Order", "*Name"}},
         .scope = Scope::redactions_only});
    EXPECT_EQ(after.report.redactions, (std::vector<std::uint64_t>{1, 0, 3}));
}

TEST(Anonymizer, DropsUndecodableEventsWhenAsked) {
    const auto reader = open(with_unknown_event());
    const Anonymized after = anonymized(*reader, kernel_store(),
                                        {.key = key_of_text("tests"), .drop_undecodable = true});
    EXPECT_EQ(after.report.dropped, 1U);
    EXPECT_EQ(after.events, 2U);
    EXPECT_FALSE(occurs(after.image, "only"));
}

TEST(Anonymizer, RedactsFieldsByPatternAndNothingElse) {
    const auto reader = open(story());
    const Anonymized after = anonymized(*reader, kernel_store(),
                                        {.key = key_of_text("tests"),
                                         .redact = {{"coffee.*", "Order", "Cups"},
                                                    {"*", "Order", "UserName"},
                                                    {"*", "Link", "Who"},
                                                    {"*", "Link", "Blob"}},
                                         .scope = Scope::redactions_only});
    const auto before = values_of(story(), false);
    const auto now = values_of(after.image, false);
    ASSERT_EQ(before.size(), now.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        different += before[i] != now[i] ? 1U : 0U;
    }
    EXPECT_EQ(different, 4U);
    EXPECT_EQ(after.report.values[static_cast<std::size_t>(Kind::redacted)], 4U);
    EXPECT_TRUE(occurs(after.image, "xxxxxxxxxxxxx"));
    EXPECT_TRUE(occurs(after.image, "ALICE-PC"));
}

TEST(Anonymizer, KeepsFieldsThatOthersTakeTheirSizeFrom) {
    auto names = std::make_shared<schema::ProviderNames>();
    names->guid = shop;
    names->name = "Shop";
    auto event = std::make_shared<schema::EventSchema>();
    event->provider = names;
    event->id = 5;
    event->event_name = "Sized";
    event->fields.resize(2);
    event->fields[0].name = "Size";
    event->fields[0].in_type = schema::InType::uint16;
    event->fields[0].referenced = true;
    event->fields[1].name = "Text";
    event->fields[1].in_type = schema::InType::unicode_string;
    event->fields[1].length = {schema::Extent::Kind::field, 0};
    auto store = std::make_shared<schema::SchemaStore>();
    store->add(event);
    store->freeze();
    ByteWriter payload;
    payload.u16(5).text16(u"alice");
    TraceBuilder trace;
    trace.buffer().add(format::EventRecord{
        .time = 1'000'100, .provider = shop, .descriptor = {.id = 5}, .payload = payload.view()});
    const auto reader = open(trace.build());
    const Anonymized after =
        anonymized(*reader, store, {.key = key_of_text("tests"), .redact = {{"*", "*", "*"}}});
    EXPECT_EQ(after.report.unredacted.at("Shop/Sized/Size"), 1U);
    EXPECT_TRUE(occurs(after.image, "xxxxx"));
}

TEST(Anonymizer, PassesEventsWithNothingPrivateAsTheyAre) {
    TraceBuilder trace;
    Shop to(trace);
    TraceLoggingEvent event("Done");
    event.i32("Cups", 1).utf16("Drink", u"espresso");
    to.add(event);
    const auto reader = open(trace.build());
    const Anonymized after = anonymized(*reader, kernel_store());
    EXPECT_EQ(after.report.changed, 1U) << "the log file header alone";
    const auto again = open(trace.build());
    const auto result = open(after.image);
    const auto before = records_of(*again);
    const auto now = records_of(*result);
    EXPECT_TRUE(std::ranges::equal(before.back(), now.back()));
}

} // namespace
} // namespace etl::anonymize

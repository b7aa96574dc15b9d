#include "base/limits.hpp"
#include "base/text.hpp"
#include "facts/annotator.hpp"
#include "tests/unit/context/facts/facts_of.hpp"

#include <gmock/gmock.h>

#include <map>

namespace etl::facts::annotator_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint64_t kernel_base = 0xFFFFF80000000000;

/// Notes that outlive the annotator's next event.
struct Noted {
    std::string process;
    std::map<std::string, std::string> fields;
    std::vector<std::uint64_t> stack;
    std::vector<std::string> frames;
};

/// All events of a trace, annotated, in the order of time.
std::vector<Noted> annotate(const test::Image& image) {
    const auto reader = open(image);
    auto facts = std::make_shared<FactsByTrace>();
    facts->push_back(facts_of(*reader));
    decode::Decoder decoder(kernel_store());
    Annotator annotator(facts);
    flow::EventCursor events(*reader);
    std::vector<Noted> all;
    while (const flow::Event* event = events.next()) {
        const decode::DecodedEvent& decoded = decoder.decode(*event);
        const Notes& notes = annotator.annotate(decoded, decoder.generation());
        Noted& noted = all.emplace_back();
        noted.process = notes.process;
        for (const FieldNote& note : notes.fields) {
            noted.fields[decoded.kind->schema->fields[note.field].name] = note.text;
        }
        noted.stack.assign(notes.stack.begin(), notes.stack.end());
        noted.frames.assign(notes.frames.begin(), notes.frames.end());
    }
    return all;
}

const std::vector<KernelRecord> machine{
    process_record(1'000'001, Life::rundown_at_start, 1200, "kettle.exe"),
    thread_record(1'000'002, Life::rundown_at_start, 1200, 41),
    image_record(1'000'003, Life::rundown_at_start, 1200, 0x10000, 0x5000, u"\\D\\tea.dll"),
    image_record(1'000'004, Life::rundown_at_start, 0, kernel_base, 0x10000, u"\\S\\nt.exe"),
    file_name_record(1'000'005, 36, 0xAAA0, u"\\D\\recipe.txt"),
    drive_record(1'000'006, 0, 0x100000, 0x1000, u"C:"),
};

/// The notes of the records given, in a trace that knows the machine.
std::vector<Noted> noted(const std::vector<KernelRecord>& records) {
    auto all = machine;
    all.insert(all.end(), records.begin(), records.end());
    auto notes = annotate(trace_of(all));
    notes.erase(notes.begin(), notes.begin() + 1 + static_cast<std::ptrdiff_t>(machine.size()));
    return notes;
}

TEST(Annotator, NamesTheProcessOfTheHeader) {
    const auto notes = noted({dpc_record(2'000'000, 0).by(1200, 41)});
    EXPECT_EQ(notes.at(0).process, "kettle.exe");
}

TEST(Annotator, FindsTheProcessOfASampleByItsThread) {
    const auto notes = noted({sample_record(2'000'000, 0x12345, 41)});
    EXPECT_EQ(notes.at(0).process, "kettle.exe");
    EXPECT_EQ(notes[0].fields.at("ThreadId"), "kettle.exe (1200)");
    EXPECT_EQ(notes[0].fields.at("InstructionPointer"), "tea.dll!0x2345");
}

TEST(Annotator, NamesFilesAndDrives) {
    const auto notes = noted({disk_read_record(2'000'000, 0, 0x100800, 0xAAA0, 41),
                              disk_read_record(2'000'001, 0, 0x999999, 0xBBB0, 42)});
    EXPECT_EQ(notes.at(0).process, "kettle.exe") << "the issuing thread's";
    EXPECT_EQ(notes[0].fields.at("FileObject"), "\\D\\recipe.txt");
    EXPECT_EQ(notes[0].fields.at("DiskNumber"), "C:");
    EXPECT_EQ(notes.at(1).process, "");
    EXPECT_THAT(notes[1].fields, IsEmpty());
}

TEST(Annotator, PutsTheStackToItsEvent) {
    const auto notes =
        noted({sample_record(2'000'000, 0x12345, 41), sample_record(2'000'000, 0x12345, 42),
               stack_record(2'000'010, 2'000'000, 1200, 41, {0x12345, 0x999}),
               stack_record(2'000'011, 2'000'000, 1200, 41, {kernel_base + 7})});
    EXPECT_THAT(notes.at(0).stack, ElementsAre(kernel_base + 7, 0x12345U, 0x999U));
    EXPECT_THAT(notes[0].frames, ElementsAre("nt.exe!0x7", "tea.dll!0x2345", "0x999"));
    EXPECT_THAT(notes.at(1).stack, IsEmpty()) << "of another thread";
    EXPECT_THAT(notes.at(2).stack, IsEmpty()) << "a stack has none";
}

TEST(Annotator, TheFirstAddressOfAnInterruptIsNoReturnAddress) {
    const auto first_frame = [](const KernelRecord& event) {
        const auto notes =
            noted({image_record(1'500'000, Life::start, 1200, 0x15000, 0x1000, u"\\D\\cup.dll"),
                   event, stack_record(2'000'010, 2'000'000, 1200, 41, {0x15000, 0x15000})});
        return notes.at(1).frames;
    };
    EXPECT_THAT(first_frame(sample_record(2'000'000, 0x15000, 41)),
                ElementsAre("cup.dll!0x0", "tea.dll!0x5000"));
    EXPECT_THAT(first_frame(switch_record(2'000'000, 41, 0)),
                ElementsAre("tea.dll!0x5000", "tea.dll!0x5000"));
}

TEST(Annotator, AnEventWithoutThreadSharesTheProcessorOfItsStack) {
    TraceBuilder trace({.processors = 2});
    for (const KernelRecord& record : machine) {
        record.add_to(trace.buffer());
    }
    BufferBuilder& here = trace.buffer({.processor = 1});
    dpc_record(2'000'000, kernel_base + 1).add_to(here);
    stack_record(2'000'003, 2'000'000, 1200, 41, {kernel_base + 1}).add_to(here);
    stack_record(2'000'001, 2'000'000, 1200, 40, {kernel_base + 2}).add_to(trace.buffer());
    stack_record(2'000'005, 2'000'000, 1200, 41, {0x10001}).add_to(trace.buffer());
    const auto notes = annotate(trace.build());
    const Noted& dpc = notes.at(1 + machine.size());
    EXPECT_THAT(dpc.frames, ElementsAre("nt.exe!0x1", "tea.dll!0x1"));
    EXPECT_EQ(dpc.fields.at("Routine"), "nt.exe!0x1");
    EXPECT_EQ(dpc.process, "") << "the stack is that of the thread that was interrupted";
}

TEST(Annotator, LooksAtSoManyStacksOfOneTimeOnly) {
    const auto has_stack = [](std::uint32_t others) {
        TraceBuilder trace({.buffer_size = 0x100000, .processors = 2});
        BufferBuilder& there = trace.buffer();
        for (std::uint32_t thread = 1; thread <= others; ++thread) {
            stack_record(2'000'001, 2'000'000, 1200, thread, {0x10001}).add_to(there);
        }
        BufferBuilder& here = trace.buffer({.processor = 1});
        dpc_record(2'000'000, kernel_base + 1).add_to(here);
        stack_record(2'000'003, 2'000'000, 1200, 0x10000, {0x10001}).add_to(here);
        const auto notes = annotate(trace.build());
        return std::ranges::count_if(notes, [](const Noted& n) { return !n.stack.empty(); }) == 1;
    };
    EXPECT_TRUE(has_stack(2 * etl::limits::processors - 1));
    EXPECT_FALSE(has_stack(2 * etl::limits::processors))
        << "time for each event would be without bound";
}

TEST(Annotator, GivesTheStackThatAnEventCarriesAndResolvesKeys) {
    ByteWriter carried;
    carried.u64(0).u64(0x10010).u64(0x10020);
    ByteWriter key;
    key.u64(0).u64(0xF00);
    const std::array<format::ExtendedItem, 2> items{
        format::ExtendedItem{format::ItemType::stack_trace64, carried.view()},
        format::ExtendedItem{format::ItemType::stack_key64, key.view()}};
    TraceBuilder trace({.buffer_size = 0x10000});
    BufferBuilder& buffer = trace.buffer();
    for (const KernelRecord& record : machine) {
        record.add_to(buffer);
    }
    buffer.add(format::EventRecord{.process_id = 1200,
                                   .thread_id = 41,
                                   .time = 2'000'000,
                                   .provider = {},
                                   .descriptor = {.id = 7},
                                   .items = items});
    key_frames_record(3'000'000, KeyMoment::rundown, 0xF00, {0x10030}).add_to(buffer);
    const auto notes = annotate(trace.build());
    EXPECT_THAT(notes.at(1 + machine.size()).frames,
                ElementsAre("tea.dll!0x10", "tea.dll!0x20", "tea.dll!0x30"));
}

TEST(Annotator, GivesNoFramesWhereNoImageIsKnown) {
    const auto notes = noted({sample_record(2'000'000, 0x7, 41),
                              stack_record(2'000'010, 2'000'000, 1200, 41, {0x7, 0x8})});
    EXPECT_THAT(notes.at(0).stack, ElementsAre(0x7U, 0x8U));
    EXPECT_THAT(notes[0].frames, IsEmpty());
    EXPECT_THAT(notes[0].fields,
                testing::Not(testing::Contains(testing::Key("InstructionPointer"))));
}

TEST(Annotator, AnImageOfTheKernelIsNotTheIdleProcesss) {
    const auto notes = noted({process_record(2'000'000, Life::rundown_at_start, 0, "Idle"),
                              image_record(2'000'001, Life::rundown_at_start, 0,
                                           kernel_base + 0x100000, 0x1000, u"\\S\\hal.dll")});
    EXPECT_EQ(notes.at(0).process, "Idle");
    EXPECT_EQ(notes.at(1).process, "");
    EXPECT_THAT(notes[1].fields, IsEmpty());
}

TEST(Annotator, KeepsTheFactsOfSeveralTracesApart) {
    auto facts = std::make_shared<FactsByTrace>();
    facts->push_back(facts_of({process_record(10, Life::rundown_at_start, 1200, "kettle.exe")}));
    facts->push_back(facts_of({process_record(10, Life::rundown_at_start, 1200, "cup.exe")}));
    Annotator annotator(facts);
    decode::Decoder decoder(kernel_store());
    const auto process_in = [&](std::uint32_t file) {
        auto reader = trace::Reader::open(
            io::InputFile::from_memory(trace_of({dpc_record(2'000'000, 0).by(1200, 41)}), "x"),
            {.file = file});
        flow::EventCursor events(**reader);
        events.next(); // the header
        const auto& decoded = decoder.decode(*events.next());
        return std::string(annotator.annotate(decoded, decoder.generation()).process);
    };
    EXPECT_EQ(process_in(0), "kettle.exe");
    EXPECT_EQ(process_in(1), "cup.exe");
    EXPECT_EQ(process_in(2), "") << "of which nothing was collected";
}

} // namespace
} // namespace etl::facts::annotator_test

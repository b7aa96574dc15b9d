// What headers and stack records state about threads, and stacks that a runtime logs.
#include "facts/annotator.hpp"
#include "facts/attributor.hpp"
#include "facts/relevance.hpp"
#include "flow/context.hpp"
#include "format/known_guids.hpp"
#include "tests/unit/context/facts/facts_of.hpp"

namespace etl::facts::thread_statements_test {
namespace {

using namespace literals;

constexpr std::uint32_t kettle = 1200, cup = 1300, cook = 41;
constexpr Guid tea_guid = "a1b2c3d4-0000-1111-2222-333344445555"_guid;

format::EventRecord event_by(std::uint32_t process, std::uint32_t thread, std::int64_t time,
                             const Guid& provider = tea_guid) {
    return {.process_id = process, .thread_id = thread, .time = time, .provider = provider};
}

test::Image trace_with(std::initializer_list<format::EventRecord> events,
                       const std::vector<KernelRecord>& records = {}) {
    TraceBuilder trace({.buffer_size = 0x10000});
    BufferBuilder& buffer = trace.buffer();
    for (const KernelRecord& record : records) {
        record.add_to(buffer);
    }
    for (const format::EventRecord& event : events) {
        buffer.add(event);
    }
    return trace.build();
}

TEST(ThreadStatements, HeadersOfProvidersState) {
    const Facts facts = facts_of(*open(trace_with({event_by(kettle, cook, 50)})));
    EXPECT_EQ(facts.process_of_thread(cook, 1), kettle);
    EXPECT_EQ(facts.process_of_thread(cook, 60), kettle);
}

TEST(ThreadStatements, WhatIsNoThreadOrNoProcessStatesNothing) {
    const Facts facts = facts_of(*open(trace_with(
        {event_by(0, cook, 50), event_by(kettle, 0, 50), event_by(flow::no_id, 43, 50),
         event_by(kettle, flow::no_id, 50), event_by(kettle, 44, 50, format::image_id_guid)})));
    for (const std::uint32_t thread : {cook, 0U, 43U, 44U, flow::no_id}) {
        EXPECT_EQ(facts.process_of_thread(thread, 50), flow::no_id) << thread;
    }
}

TEST(ThreadStatements, HeadersOfKernelRecordsState) {
    const Facts facts = facts_of({tcp_send_record(50, cup).by(kettle, cook)});
    EXPECT_EQ(facts.process_of_thread(cook, 60), kettle);
}

TEST(ThreadStatements, AStackRecordStatesAtTheTimeOfItsEvent) {
    const Facts facts =
        facts_of({sample_record(50, 0x1234, cook), stack_record(70, 50, kettle, cook, {0x1234}),
                  sample_record(60, 0x1234, cook), stack_record(72, 60, cup, cook, {0x1234})});
    EXPECT_EQ(facts.process_of_thread(cook, 50), kettle);
    EXPECT_EQ(facts.process_of_thread(cook, 60), cup);
}

TEST(ThreadStatements, TheScopeDoesNotMatter) {
    const auto reader = open(
        trace_of({sample_record(50, 0x1234, cook), stack_record(70, 50, kettle, cook, {0x1234})}));
    Collector collector(kernel_store(), {.scope = Scope::processes}, 1);
    EXPECT_EQ(collector.read(*reader, 1).process_of_thread(cook, 50), kettle);
}

TEST(ThreadStatements, BuffersOfTheFirstAndTheLastAreNeeded) {
    const auto reader = open(trace_with({event_by(kettle, cook, 50), event_by(cup, 45, 51)}));
    ThreadBuffers needed;
    std::uint32_t number = 0;
    reader->for_each_buffer(1, [&](unsigned, const trace::BufferEntry&, flow::Run events) {
        for (const std::uint32_t later : {0U, 1U, 2U}) {
            needed.add(number + later, 0, events);
        }
        EXPECT_FALSE(needed.state_again(0, events)) << "each is of one process";
        number += 3;
    });
    EXPECT_FALSE(needed.has_reused());
    const auto other = open(trace_with({event_by(cup, cook, 60)}));
    other->for_each_buffer(1, [&](unsigned, const trace::BufferEntry&, flow::Run events) {
        if (!events.empty()) {
            needed.add(99, 0, events);
        }
    });
    EXPECT_TRUE(needed.has_reused());
    bool has_last = false;
    needed.for_each_end([&](std::uint32_t buffer) { has_last = has_last || buffer == 99; });
    EXPECT_TRUE(has_last);
    reader->for_each_buffer(1, [&](unsigned, const trace::BufferEntry&, flow::Run events) {
        EXPECT_TRUE(events.size() < 2 || needed.state_again(0, events));
    });
}

TEST(ThreadStatements, BuffersAreNeededForEachMachine) {
    const auto reader = open(trace_with({event_by(kettle, cook, 50)}));
    const auto other = open(trace_with({event_by(cup, cook, 50)}));
    ThreadBuffers needed;
    const auto add = [&](trace::Reader& from, std::uint32_t buffer, std::uint32_t machine) {
        from.for_each_buffer(1, [&](unsigned, const trace::BufferEntry&, flow::Run events) {
            if (events.size() == 1 && !flow::is_logfile_header(events.front())) {
                needed.add(buffer, machine, events);
            }
        });
    };
    add(*reader, 1, 0);
    add(*other, 2, 1);
    add(*reader, 3, 0);
    EXPECT_FALSE(needed.has_reused()) << "each machine has a thread of this number";
    std::vector<std::uint32_t> ends;
    needed.for_each_end([&](std::uint32_t buffer) { ends.push_back(buffer); });
    EXPECT_TRUE(std::ranges::find(ends, 2U) != ends.end());
}

/// Payload of CLRStackWalk.
std::vector<std::byte> walk(std::initializer_list<std::uint64_t> frames) {
    ByteWriter payload;
    payload.u16(9).u8(0).u8(0).u32(static_cast<std::uint32_t>(frames.size()));
    for (const std::uint64_t frame : frames) {
        payload.u64(frame);
    }
    return payload.take();
}

struct RuntimeTrace {
    TraceBuilder trace{{.buffer_size = 0x10000, .processors = 2}};
    BufferBuilder* buffer = &trace.buffer();

    RuntimeTrace& event(std::int64_t time, std::uint32_t thread, std::uint16_t id) {
        format::EventRecord record = event_by(kettle, thread, time, format::dotnet_runtime_guid);
        record.descriptor.id = id;
        record.descriptor.opcode = 1;
        buffer->add(record);
        return *this;
    }

    RuntimeTrace& stack(std::int64_t time, std::uint32_t thread,
                        std::initializer_list<std::uint64_t> frames) {
        format::EventRecord record = event_by(kettle, thread, time, format::dotnet_runtime_guid);
        const std::vector<std::byte> payload = walk(frames);
        record.descriptor.id = 82;
        record.descriptor.opcode = 82;
        record.payload = payload;
        buffer->add(record);
        return *this;
    }

    RuntimeTrace& next_buffer(std::uint16_t processor) {
        buffer = &trace.buffer({.processor = processor});
        return *this;
    }

    /// `time: frame frame` of each event with a stack, in time order.
    std::vector<std::string> stacks() {
        const auto reader = open(trace.build());
        auto facts = std::make_shared<FactsByTrace>();
        facts->push_back(facts_of(*reader));
        decode::Decoder decoder(kernel_store(), {});
        Annotator annotator(facts);
        std::vector<std::string> all;
        flow::EventCursor events(*reader);
        while (const flow::Event* event = events.next()) {
            const decode::DecodedEvent& decoded = decoder.decode(*event);
            const Notes& notes = annotator.find_stack(decoded, decoder.generation());
            if (notes.stack.empty()) {
                continue;
            }
            std::string& text = all.emplace_back(std::to_string(event->raw_time) + ":");
            for (const std::uint64_t address : notes.stack) {
                text += ' ' + std::to_string(address);
            }
        }
        return all;
    }
};

using Texts = std::vector<std::string>;

TEST(RuntimeStacks, AreOfTheEventBeforeThemOnTheirThread) {
    EXPECT_EQ(RuntimeTrace()
                  .event(10, cook, 80)
                  .event(11, 45, 10)
                  .stack(12, cook, {1, 2})
                  .stack(13, 45, {3})
                  .stacks(),
              (Texts{"10: 1 2", "11: 3"}));
}

TEST(RuntimeStacks, ASecondOneIsOfNoEvent) {
    EXPECT_EQ(RuntimeTrace()
                  .event(10, cook, 80)
                  .stack(11, cook, {1})
                  .stack(12, cook, {2})
                  .event(20, cook, 80)
                  .event(21, cook, 80)
                  .stack(22, cook, {3})
                  .stacks(),
              (Texts{"10: 1", "21: 3"}));
}

TEST(RuntimeStacks, AnEventCanBeInAnEarlierBuffer) {
    EXPECT_EQ(RuntimeTrace()
                  .event(10, cook, 80)
                  .next_buffer(1)
                  .stack(11, cook, {1})
                  .stack(12, cook, {2})
                  .next_buffer(0)
                  .stack(20, cook, {3})
                  .stacks(),
              (Texts{"10: 1"}));
}

TEST(RuntimeStacks, AThreadCanHaveLoggedOnAnotherProcessorInBetween) {
    EXPECT_EQ(RuntimeTrace()
                  .event(10, cook, 80)
                  .stack(13, cook, {1})
                  .next_buffer(1)
                  .event(11, cook, 80)
                  .event(20, cook, 80)
                  .stack(21, cook, {2})
                  .stacks(),
              (Texts{"11: 1", "20: 2"}));
    EXPECT_EQ(RuntimeTrace()
                  .event(10, cook, 80)
                  .stack(13, cook, {1})
                  .next_buffer(1)
                  .event(11, cook, 80)
                  .stack(12, cook, {2})
                  .stacks(),
              (Texts{"11: 2"}))
        << "a second one is of no event";
}

TEST(RuntimeStacks, OfEventsThatCannotBeToldApartAreOfNone) {
    EXPECT_EQ(RuntimeTrace()
                  .event(10, cook, 80)
                  .stack(10, cook, {1})
                  .event(10, cook, 80)
                  .stack(10, cook, {2})
                  .stacks(),
              (Texts{}));
}

TEST(RuntimeStacks, ALyingCountIsBounded) {
    RuntimeTrace trace;
    trace.event(10, cook, 80);
    format::EventRecord record = event_by(kettle, cook, 11, format::dotnet_runtime_guid);
    ByteWriter payload;
    payload.u32(0).u32(0xFFFFFFFF).u64(7);
    const std::vector<std::byte> bytes = payload.take();
    record.descriptor.opcode = 82;
    record.payload = bytes;
    trace.buffer->add(record);
    EXPECT_EQ(trace.stacks(), (Texts{"10: 7"}));
}

} // namespace
} // namespace etl::facts::thread_statements_test

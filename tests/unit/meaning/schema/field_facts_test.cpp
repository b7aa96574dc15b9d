#include "schema/field_facts.hpp"
#include "schema/schema_store.hpp"
#include "schema/value_form.hpp"

#include <gtest/gtest.h>

namespace etl::schema::field_facts_test {
namespace {

using namespace etl::literals;

constexpr Guid clr = "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"_guid;
constexpr Guid clr_private = "763fd754-7086-4dfe-95eb-c01a46faf4ca"_guid;
constexpr Guid kernel_network = "7dd42a49-5329-4832-8dfd-43d979153a88"_guid;
constexpr Guid tcpip = "2f07e2ee-15db-40f1-90ef-9d7ba282188a"_guid;
constexpr Guid pktmon = "4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac"_guid;
constexpr Guid system_config = "01853a65-418f-4f36-aefc-dc0f1d2fd235"_guid;
constexpr Guid process_class = "3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c"_guid;
constexpr Guid event_trace = "68fdd900-4a3e-11d1-84f4-0000f80464e3"_guid;
constexpr Guid somebody = "7e57ab1e-0000-4000-8000-00000000cafe"_guid;

Field field(std::string name, InType in, OutType out = OutType::none, Extent count = {}) {
    Field made;
    made.name = std::move(name);
    made.in_type = in;
    made.out_type = out;
    made.count = count;
    return made;
}

EventSchema event(const Guid& provider, std::uint16_t id, std::vector<Field> fields) {
    auto names = std::make_shared<ProviderNames>();
    names->guid = provider;
    EventSchema schema;
    schema.provider = std::move(names);
    schema.id = id;
    schema.fields = std::move(fields);
    return schema;
}

EventSchema stack_walk(const Guid& provider, std::uint16_t id) {
    return event(provider, id,
                 {field("ClrInstanceID", InType::uint16), field("Reserved1", InType::uint8),
                  field("Reserved2", InType::uint8), field("FrameCount", InType::uint32),
                  field("Stack", InType::pointer, OutType::none, {Extent::Kind::fixed, 2})});
}

/// The out type that one field of one event gets.
OutType out_type(const Guid& provider, std::uint16_t id, Field of) {
    EventSchema schema = event(provider, id, {std::move(of)});
    apply_field_facts(schema);
    return schema.fields.front().out_type;
}

TEST(FieldFacts, CountFramesOfClrStackWalksByFrameCount) {
    for (const auto& [provider, id] : {std::pair{clr, std::uint16_t{82}}, {clr_private, 151}}) {
        EventSchema schema = stack_walk(provider, id);
        EXPECT_TRUE(apply_field_facts(schema));
        EXPECT_EQ(schema.fields[4].count.kind, Extent::Kind::field);
        EXPECT_EQ(schema.fields[4].count.value, 3U);
        EXPECT_TRUE(schema.fields[3].referenced);
        EXPECT_FALSE(apply_field_facts(schema)) << "a second time";
    }
}

TEST(FieldFacts, LeaveAStackWithoutFrameCountAlone) {
    EventSchema schema = stack_walk(clr, 82);
    schema.fields[3].name = "Frames";
    EXPECT_FALSE(apply_field_facts(schema));
    EXPECT_EQ(schema.fields[4].count.kind, Extent::Kind::fixed);
    EventSchema other = stack_walk(clr, 83);
    EXPECT_FALSE(apply_field_facts(other)) << "another event";
}

TEST(FieldFacts, KnowAddressesAndPortsOfTheKernelsNetworkEvents) {
    EXPECT_EQ(out_type(kernel_network, 12, field("daddr", InType::uint32)), OutType::ipv4);
    EXPECT_EQ(out_type(kernel_network, 28, field("saddr", InType::binary)), OutType::ipv6);
    EXPECT_EQ(out_type(kernel_network, 42, field("dport", InType::uint16)), OutType::port);
    EXPECT_EQ(out_type(kernel_network, 12, field("size", InType::uint32)), OutType::none);
    EXPECT_EQ(out_type(kernel_network, 99, field("dport", InType::uint16)), OutType::none);
    EXPECT_EQ(out_type(somebody, 12, field("dport", InType::uint16)), OutType::none);
}

TEST(FieldFacts, NeedTheInTypeAndRespectTheOutTypeThatIsStated) {
    EXPECT_EQ(out_type(kernel_network, 12, field("dport", InType::uint32)), OutType::none);
    EXPECT_EQ(out_type(kernel_network, 12, field("dport", InType::uint16, OutType::uint16)),
              OutType::port)
        << "event information always states one";
    EXPECT_EQ(out_type(kernel_network, 12, field("dport", InType::uint16, OutType::hex_int16)),
              OutType::hex_int16);
}

TEST(FieldFacts, FindNamesWithoutTheirBlanks) {
    EXPECT_EQ(out_type(tcpip, 1205, field("SourceIPv4Address", InType::uint32)), OutType::ipv4);
    EXPECT_EQ(out_type(tcpip, 1205, field("Source IPv4 Address", InType::uint32)), OutType::ipv4);
    EXPECT_EQ(out_type(tcpip, 1002, field("LocalAddress", InType::binary)),
              OutType::socket_address);
    EXPECT_EQ(out_type(tcpip, 1114, field("DLAddress", InType::binary, OutType::hex_binary)),
              OutType::mac_address);
}

TEST(FieldFacts, KnowPhysicalAddresses) {
    EXPECT_EQ(out_type(pktmon, 70, field("Value", InType::binary, OutType::hex_binary)),
              OutType::mac_address);
    EXPECT_EQ(out_type(pktmon, 60, field("Value", InType::binary)), OutType::none);
    EXPECT_EQ(
        out_type(system_config, 13, field("PhysicalAddr", InType::uint64, OutType::hex_int64)),
        OutType::padded_mac_address);
    EXPECT_EQ(form_of(InType::uint64, OutType::padded_mac_address, 8),
              ValueForm::padded_mac_address);
}

TEST(FieldFacts, KnowTheTimesOfLogFileHeaders) {
    EXPECT_EQ(out_type(event_trace, 0, field("EndTime", InType::uint64)), OutType::date_time);
    EXPECT_EQ(out_type(event_trace, 0, field("PerfFreq", InType::uint64)), OutType::none);
}

TEST(FieldFacts, ShowProcessAndThreadIdsAsNumbers) {
    const auto hex = [](const char* name) {
        return out_type(somebody, 1, field(name, InType::uint32, OutType::hex_int32));
    };
    for (const char* name : {"ProcessId", "ProcessID", "processid", "ParentProcessId", "process_id",
                             "PID", "pid", "UserModePid", "client_pid"}) {
        EXPECT_EQ(hex(name), OutType::pid) << name;
    }
    for (const char* name : {"ThreadId", "TThreadId", "NewThreadId", "OSThreadID", "TTID", "Tid"}) {
        EXPECT_EQ(hex(name), OutType::tid) << name;
    }
    for (const char* name : {"EventId", "IPID", "FilterRTID", "ManagedThreadID", "ThreadContextID",
                             "ProcessIdCount", "Rapid"}) {
        EXPECT_EQ(hex(name), OutType::hex_int32) << name;
    }
    EXPECT_EQ(out_type(somebody, 1, field("ProcessId", InType::hex_int32)), OutType::pid);
    EXPECT_EQ(out_type(somebody, 1, field("ProcessId", InType::pointer)), OutType::pid);
    EXPECT_EQ(out_type(somebody, 1, field("ProcessId", InType::guid)), OutType::none);
    EXPECT_EQ(out_type(process_class, 1, field("ParentId", InType::uint32, OutType::hex_int32)),
              OutType::pid);
    EXPECT_EQ(out_type(somebody, 1, field("ParentId", InType::uint32, OutType::hex_int32)),
              OutType::hex_int32)
        << "of something else";
}

TEST(FieldFacts, AreWhatAStoreFindsAndNotWhatItWasGiven) {
    SchemaStore store;
    store.add(std::make_shared<EventSchema>(stack_walk(clr, 82)),
              std::make_shared<SchemaFile>("clr.man"));
    store.add(std::make_shared<EventSchema>(stack_walk(somebody, 82)));
    store.freeze();
    const Match match = store.find({clr, 82, 0});
    ASSERT_EQ(match.candidates.size(), 1U);
    EXPECT_EQ(match.candidates.front()->fields[4].count.kind, Extent::Kind::field);
    EXPECT_EQ(store.schemas().front()->fields[4].count.kind, Extent::Kind::fixed);
    EXPECT_EQ(store.file_of(*match.candidates.front())->name, "clr.man");
    EXPECT_EQ(store.find({somebody, 82, 0}).candidates.front(), store.schemas()[1].get())
        << "no copy where nothing changes";
}

} // namespace
} // namespace etl::schema::field_facts_test

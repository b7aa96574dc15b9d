#include "sink/windows_event.hpp"
#include "tests/unit/outputs/sink/sink_events.hpp"

#include <gtest/gtest.h>

namespace etl::windows_event_test {
namespace {

using namespace test;
using sink::PayloadForm;
using sink::WindowsData;
using sink::WindowsDatum;
using sink::WindowsEvents;

/// An event with its decoder and its model.
struct Modeled {
    Modeled(const OneEvent& one, std::shared_ptr<const schema::SchemaStore> store)
        : decoder(std::move(store)), event(model.of(decoder.decode(one.event))) {}

    decode::Decoder decoder;
    WindowsEvents model{{.computer = "KITCHEN"}};
    const sink::WindowsEvent& event;
};

TEST(WindowsEvents, KeepTypes) {
    const auto payload = brewing_payload();
    auto record = brewing_record(payload);
    record.activity = some_activity;
    const auto one = event_of(record);
    const Modeled it(*one, store_with({brewing()}));
    const sink::WindowsSystem& system = it.event.system;
    EXPECT_EQ(system.provider, "Tea-House");
    EXPECT_EQ(system.provider_guid, tea_house);
    EXPECT_EQ(system.id, 1);
    EXPECT_EQ(system.keywords, 5U);
    EXPECT_EQ(system.time, Filetime{tea_time});
    EXPECT_EQ(system.activity, some_activity);
    EXPECT_FALSE(system.related_activity);
    EXPECT_EQ(system.process_id, 4242U);
    EXPECT_EQ(system.kernel_time, 0U);
    EXPECT_FALSE(system.processor_time);
    EXPECT_EQ(system.computer, "KITCHEN");
    EXPECT_EQ(it.event.form, PayloadForm::event_data);
    EXPECT_EQ(it.event.rendering().opcode, "Start");
    EXPECT_EQ(it.event.rendering().keywords.size(), 2U);
    EXPECT_FALSE(it.event.tracing);

    WindowsData data;
    WindowsDatum datum;
    data.start(it.event);
    ASSERT_TRUE(data.next(datum));
    EXPECT_EQ(datum.name, "Cups");
    EXPECT_EQ(datum.value.form, decode::Form::uint32);
    EXPECT_EQ(decode::bits_of(datum.value), 3U);
    ASSERT_TRUE(data.next(datum));
    EXPECT_EQ(datum.value.form, decode::Form::text16);
    EXPECT_EQ(datum.value.bytes.size(), 8U);
    ASSERT_TRUE(data.next(datum));
    EXPECT_FALSE(data.next(datum));
    EXPECT_FALSE(data.error());
}

TEST(WindowsEvents, RepeatNamesOfArraysAndOmitHiddenValues) {
    schema::EventSchema schema = brewing();
    schema.fields = {tea_field("Hidden", schema::InType::uint8, schema::OutType::no_print),
                     tea_field("Cups", schema::InType::uint16)};
    schema.fields[1].count = {schema::Extent::Kind::fixed, 2};
    ByteWriter payload;
    payload.u8(9).u16(1).u16(2);
    const auto one = event_of(brewing_record(payload.view()));
    const Modeled it(*one, store_with({schema}));
    WindowsData data;
    WindowsDatum datum;
    std::vector<std::pair<std::string_view, std::uint64_t>> values;
    for (data.start(it.event); data.next(datum);) {
        values.emplace_back(datum.name, decode::bits_of(datum.value));
    }
    EXPECT_EQ(values, (decltype(values){{"Cups", 1}, {"Cups", 2}}));
}

TEST(WindowsEvents, ReportPayloadsThatEndEarly) {
    const auto payload = brewing_payload();
    const auto one = event_of(brewing_record(Bytes(payload).first(2)));
    const Modeled it(*one, store_with({brewing()}));
    const auto error_with = [&](WindowsData::ShortPayloads how) {
        WindowsData data(how);
        WindowsDatum datum;
        for (data.start(it.event); data.next(datum);) {
        }
        return data.error();
    };
    const auto error = error_with(WindowsData::ShortPayloads::errors);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, 15005U);
    EXPECT_EQ(error->item, "Cups");
    EXPECT_EQ(error->payload.size(), 2U);
    EXPECT_FALSE(error_with(WindowsData::ShortPayloads::accepted));
}

TEST(WindowsEvents, NameTheClassOfClassicEvents) {
    const auto one = event_of(
        format::PerfinfoRecord{.hook_id = 0x0F2E, .time = tea_time, .payload = brewing_payload()});
    const Modeled it(*one, nullptr);
    EXPECT_EQ(it.event.system.provider, "");
    EXPECT_EQ(it.event.system.provider_guid, sink::kernel_trace_provider);
    EXPECT_EQ(it.event.system.process_id, flow::no_id);
    EXPECT_EQ(it.event.form, PayloadForm::binary_event_data);
    ASSERT_TRUE(it.event.tracing);
    EXPECT_EQ(to_string(it.event.tracing->event_guid), "ce1dbfb4-137e-4da6-87b0-3f59aa102cbc");
    EXPECT_EQ(it.event.rendering().event_name, "PerfInfo");
}

} // namespace
} // namespace etl::windows_event_test

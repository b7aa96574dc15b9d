#include <etl/byte_writer.hpp>

#include "facts/origins.hpp"
#include "format/known_guids.hpp"
#include "tests/support/traces/one_event.hpp"

#include <gtest/gtest.h>

namespace etl::origins_test {
namespace {

using namespace test;

constexpr std::int64_t some_boot = 133'603'992'000'000'000;

/// SystemConfig/CPU.
std::vector<std::byte> cpu_payload(std::u16string_view machine) {
    ByteWriter payload;
    payload.u32(2400).u32(8).u32(16384).u32(4096).u32(65536).zero_terminated16(machine);
    payload.fill(20 + 512 - payload.size()).fill(268);
    return payload.take();
}

/// An event that is of `trace` and, of a merge, of that input.
void add(facts::OriginCollector& to, OneEvent& one, const flow::TraceInfo& trace,
         std::uint16_t input = 0) {
    one.buffer.trace = &trace;
    one.buffer.merged_input = input;
    to.add(flow::Run(&one.event, 1));
}

flow::TraceInfo trace_named(std::string name, std::uint32_t file) {
    flow::TraceInfo trace;
    trace.name = std::move(name);
    trace.file = file;
    trace.has_header = true;
    trace.header.boot_time = file == 0 ? some_boot : 0;
    return trace;
}

TEST(Origins, NamesFileMachineAndBootOfEachTrace) {
    const flow::TraceInfo first = trace_named("x/one.etl", 0);
    const flow::TraceInfo second = trace_named("two.etl", 2); // 1 could not be opened
    facts::OriginCollector collector;
    const auto payload = cpu_payload(u"KITCHEN");
    const auto cpu = event_of(format::PerfinfoRecord{.hook_id = 0x0B0A, .payload = payload});
    add(collector, *cpu, second);
    const auto cut =
        event_of(format::PerfinfoRecord{.hook_id = 0x0B0A, .payload = Bytes(payload).first(500)});
    add(collector, *cut, first);
    const facts::Origins origins(std::array{&first, &second}, collector);
    ASSERT_EQ(origins.size(), 2U);
    const facts::Origin* const origin = origins.find(cpu->event);
    ASSERT_NE(origin, nullptr);
    EXPECT_EQ(origin->trace, 2U);
    EXPECT_EQ(origin->file, "two.etl");
    EXPECT_EQ(origin->machine, "KITCHEN");
    EXPECT_FALSE(origin->boot);
    EXPECT_EQ(origins.find(cut->event)->file, "x/one.etl");
    EXPECT_EQ(origins.find(cut->event)->machine, "");
    EXPECT_EQ(origins.find(cut->event)->boot, Filetime{some_boot});
    const flow::TraceInfo other = trace_named("three.etl", 7);
    cpu->buffer.trace = &other;
    EXPECT_EQ(origins.find(cpu->event), nullptr);
}

TEST(Origins, NamesWhatAMergeWasMadeOf) {
    flow::TraceInfo merged = trace_named("merged.etl", 0);
    merged.merged_inputs.push_back({.number = 1, .file = "a.etl", .path = "x/a.etl"});
    merged.merged_inputs.push_back({.number = 7, .path = "b.etl", .boot = {some_boot}});
    facts::OriginCollector collector;
    facts::OriginCollector of_other_thread;
    const auto payload = cpu_payload(u"KITCHEN");
    const auto cpu = event_of(format::PerfinfoRecord{.hook_id = 0x0B0A, .payload = payload});
    add(of_other_thread, *cpu, merged, 2);
    collector.combine(std::move(of_other_thread));
    const facts::Origins origins(std::array{&std::as_const(merged)}, collector);
    ASSERT_EQ(origins.size(), 2U);
    EXPECT_EQ(origins.all()[0].file, "x/a.etl");
    EXPECT_EQ(origins.all()[0].machine, "");
    EXPECT_FALSE(origins.all()[0].boot);
    EXPECT_EQ(origins.all()[1].file, "b.etl");
    EXPECT_EQ(origins.find(cpu->event)->machine, "KITCHEN");
    EXPECT_EQ(origins.find(cpu->event)->trace, 2U);
    EXPECT_EQ(origins.find(cpu->event)->boot, Filetime{some_boot});
    cpu->buffer.merged_input = 0;
    EXPECT_EQ(origins.find(cpu->event), nullptr);
    cpu->buffer.merged_input = 3;
    EXPECT_EQ(origins.find(cpu->event), nullptr);
}

TEST(Origins, KnowTheBuildOfTheHeaderFirst) {
    flow::TraceInfo header = trace_named("header.etl", 0);
    header.header.provider_version = 19045;
    const flow::TraceInfo text = trace_named("text.etl", 1);
    const flow::TraceInfo configuration = trace_named("configuration.etl", 2);
    const flow::TraceInfo image = trace_named("image.etl", 3);
    const flow::TraceInfo unknown = trace_named("unknown.etl", 4);
    const auto build_info = event_of(format::PerfinfoRecord{
        .hook_id = 0x0042, .payload = ByteWriter().zero_terminated8("22621.1.amd64fre.ni").take()});
    const auto product = event_of(format::FullRecord{
        .opcode = 32,
        .event_class = format::system_config_ex_guid,
        .payload = ByteWriter().u64(1).zero_terminated16(u"22631.1.amd64").take()});
    const auto version_of = [](std::u16string_view file) {
        return ByteWriter()
            .u32(1)
            .u32(2)
            .zero_terminated16(file)
            .zero_terminated16(u"NT Kernel & System")
            .zero_terminated16(u"10.0.26100.1 (WinBuild.160101.0800)")
            .take();
    };
    const auto kernel = event_of(format::FullRecord{.opcode = 64,
                                                    .event_class = format::image_id_guid,
                                                    .payload = version_of(u"ntoskrnl.exe")});
    const auto program = event_of(format::FullRecord{
        .opcode = 64, .event_class = format::image_id_guid, .payload = version_of(u"notepad.exe")});
    facts::OriginCollector collector;
    facts::OriginCollector of_other_thread;
    add(collector, *build_info, header);
    add(of_other_thread, *kernel, text);
    add(collector, *build_info, text);
    add(collector, *product, configuration);
    add(collector, *kernel, image);
    add(collector, *program, unknown);
    collector.combine(std::move(of_other_thread));
    const facts::Origins origins(
        std::array<const flow::TraceInfo*, 5>{&header, &text, &configuration, &image, &unknown},
        collector);
    EXPECT_EQ(origins.all()[0].build, 19045U);
    EXPECT_EQ(origins.all()[1].build, 22621U) << "a text of the build is surer than a file";
    EXPECT_EQ(origins.all()[2].build, 22631U);
    EXPECT_EQ(origins.all()[3].build, 26100U);
    EXPECT_EQ(origins.all()[4].build, 0U) << "programs have versions of their own";
}

} // namespace
} // namespace etl::origins_test

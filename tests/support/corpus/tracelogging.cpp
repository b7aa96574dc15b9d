#include "format/records.hpp"
#include "tests/support/corpus/corpus.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"

#include <limits>

namespace etl::test {

namespace {

using Field = TraceLoggingEvent::Field;

// Derived from its name as TraceLogging does it.
constexpr Guid every_type = *parse_guid("8eadb513-e868-51a0-9a2b-0b396af6746b");
// Chosen by hand.
constexpr Guid some_group = *parse_guid("7c2f1d5e-3b1a-4e0f-9c55-0d7a61b2e490");

constexpr std::int64_t second = 10'000'000;

// Scalars of each in type, with the values at their bounds.
TraceLoggingEvent scalars() {
    TraceLoggingEvent e("Scalars");
    e.field({.name = "null", .in = tl_in::null});
    e.utf16("utf16", u"\u20AC \U0001F682").ansi("ansi", "plain");
    e.value(Field{.name = "i8", .in = tl_in::i8}, std::int8_t{-128});
    e.value(Field{.name = "u8", .in = tl_in::u8}, std::uint8_t{255});
    e.value(Field{.name = "i16", .in = tl_in::i16}, std::int16_t{-32768});
    e.u16("u16", 65535).i32("i32", -2147483647 - 1).u32("u32", 4294967295U);
    e.value(Field{.name = "i64", .in = tl_in::i64}, std::numeric_limits<std::int64_t>::min());
    e.u64("u64", std::numeric_limits<std::uint64_t>::max());
    e.f32("f32", 0.1F).f64("f64", -2.5e-300).boolean("bool32", true);
    const std::array<std::byte, 4> bytes{std::byte{0xDE}, std::byte{0xAD}, std::byte{0xBE},
                                         std::byte{0xEF}};
    e.binary("binary", bytes);
    e.guid("guid", every_type).filetime("filetime", story_start + 1234567);
    e.field({.name = "systemtime", .in = tl_in::systemtime});
    e.payload().u16(2024).u16(5).u16(5).u16(17).u16(6).u16(30).u16(15).u16(125);
    e.field({.name = "sid", .in = tl_in::sid});
    e.payload().u8(1).u8(2).u8(0).u8(0).u8(0).u8(0).u8(0).u8(5).u32(32).u32(544);
    e.value(Field{.name = "hex32", .in = tl_in::hex32}, 0xBEEFU);
    e.value(Field{.name = "hex64", .in = tl_in::hex64}, std::uint64_t{0x7FF6'1234'5678});
    e.field({.name = "counted_utf16", .in = tl_in::counted_utf16});
    e.payload().u16(6).text16(u"cup");
    e.field({.name = "counted_ansi", .in = tl_in::counted_ansi});
    e.payload().u16(3).text8("mug");
    e.field({.name = "counted_binary", .in = tl_in::counted_binary});
    e.payload().u16(2).u16(0x0201);
    return e;
}

// Each out type over an in type that may have it.
TraceLoggingEvent out_types() {
    TraceLoggingEvent e("OutTypes");
    e.value(Field{"no_print", tl_in::u8, tl_out::no_print}, std::uint8_t{1});
    e.value(Field{"char8", tl_in::u8, tl_out::string}, std::uint8_t{'A'});
    e.value(Field{"char16", tl_in::u16, tl_out::string}, std::uint16_t{0x20AC});
    e.value(Field{"bool8", tl_in::u8, tl_out::boolean}, std::uint8_t{1});
    e.value(Field{"hex8", tl_in::u8, tl_out::hex}, std::uint8_t{0x0F});
    e.value(Field{"hex16", tl_in::u16, tl_out::hex}, std::uint16_t{0xABC});
    e.value(Field{"hex32", tl_in::i32, tl_out::hex}, std::int32_t{-1});
    e.value(Field{"hex64", tl_in::u64, tl_out::hex}, std::uint64_t{0});
    e.value(Field{"pid", tl_in::u32, tl_out::pid}, 1200U);
    e.value(Field{"tid", tl_in::u32, tl_out::tid}, 1204U);
    e.value(Field{"port", tl_in::u16, tl_out::port}, std::uint16_t{0xBB01}); // 443 on the wire
    e.value(Field{"ipv4", tl_in::u32, tl_out::ipv4}, 0x0100000AU);           // 10.0.0.1
    e.field({"ipv6", tl_in::binary, tl_out::ipv6});
    e.payload().u16(16).u8(0xFE).u8(0x80).fill(13).u8(1);
    e.field({"socket_address", tl_in::binary, tl_out::socket_address});
    e.payload().u16(16).u16(2).u8(0x01).u8(0xBB).u32(0x0100000A).fill(8);
    e.field({"xml", tl_in::utf16, tl_out::xml}).payload().zero_terminated16(u"<a b=\"1\"/>");
    e.field({"json", tl_in::ansi, tl_out::json}).payload().zero_terminated8("{\"a\":1}");
    e.field({"utf8", tl_in::ansi, tl_out::utf8}).payload().zero_terminated8("\u00FCber");
    e.value(Field{"win32_error", tl_in::u32, tl_out::win32_error}, 5U);
    e.value(Field{"ntstatus", tl_in::u32, tl_out::ntstatus}, 0xC0000034U);
    e.value(Field{"hresult", tl_in::i32, tl_out::hresult}, static_cast<std::int32_t>(0x80070005U));
    e.value(Field{"filetime", tl_in::i64, tl_out::filetime}, story_start);
    e.value(Field{"signed", tl_in::u32, tl_out::as_signed}, 0xFFFFFFFFU);
    e.value(Field{"unsigned", tl_in::i32, tl_out::as_unsigned}, std::int32_t{-1});
    e.value(Field{"code_pointer", tl_in::hex64, tl_out::code_pointer}, std::uint64_t{0x401000});
    e.value(Field{"date_time_utc", tl_in::filetime, tl_out::date_time_utc}, story_start);
    e.field({"pkcs7", tl_in::counted_binary, tl_out::pkcs7}).payload().u16(2).u16(0x8230);
    return e;
}

TraceLoggingEvent arrays_and_structs() {
    TraceLoggingEvent e("ArraysAndStructs", 0x0ABCDEF);
    e.fixed_array({.name = "fixed", .in = tl_in::u8}, 3);
    e.payload().u8(1).u8(2).u8(3);
    e.variable_array({.name = "variable", .in = tl_in::f32});
    e.payload().u16(2).value(0.5F).value(1.5F);
    e.variable_array({.name = "empty", .in = tl_in::u32});
    e.payload().u16(0);
    e.variable_array({.name = "strings", .in = tl_in::utf16});
    e.payload().u16(2).zero_terminated16(u"one").zero_terminated16(u"");
    e.variable_array({.name = "pids", .in = tl_in::u32, .out = tl_out::pid});
    e.payload().u16(2).u32(4).u32(8);
    e.structure("outer", 3);
    e.u16("first", 1);
    e.structure("inner", 1).field({.name = "deep", .in = tl_in::u8, .tag = 5}).payload().u8(2);
    e.u16("last", 3);
    e.structure_array("pairs", 2);
    e.field({.name = "key", .in = tl_in::ansi}).field({.name = "value", .in = tl_in::i32});
    e.payload().u16(2).zero_terminated8("a").value(std::int32_t{1});
    e.payload().zero_terminated8("b").value(std::int32_t{-2});
    e.value(Field{.name = "tagged", .in = tl_in::u32, .tag = 0x0FFFFFFF}, 7U);
    return e;
}

} // namespace

Sample tracelogging_types() {
    TraceFacts facts;
    facts.reference_time = 0;
    TraceBuilder trace(facts);
    auto& buffer = trace.buffer();
    std::int64_t time = second;
    for (const TraceLoggingEvent& event : {scalars(), out_types(), arrays_and_structs()}) {
        const auto traits = provider_traits("Example.EveryType", {.group = some_group});
        const auto metadata = event.metadata();
        const std::array<format::ExtendedItem, 2> items{
            {{format::ItemType::provider_traits, traits},
             {format::ItemType::event_schema_tl, metadata}}};
        for (const auto width : {format::Width::bits64, format::Width::bits32}) {
            buffer.add(format::EventRecord{.width = width,
                                           .process_id = 77,
                                           .thread_id = 78,
                                           .time = time,
                                           .provider = every_type,
                                           .descriptor = {.channel = 11, .level = 5},
                                           .items = items,
                                           .payload = event.payload_bytes()});
            time += second;
        }
    }
    return {.name = "good/tracelogging-types",
            .about = "Every in and out type of TraceLogging, arrays, nested structures, tags; each "
                     "event from a 64-bit and from a 32-bit process",
            .bytes = trace.build(),
            .events = 7,
            .buffers = 2,
            .warnings = 0,
            .kinds = "SYSTEM64 EVENT64 EVENT32"};
}

} // namespace etl::test

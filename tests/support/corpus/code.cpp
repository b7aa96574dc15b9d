// What a session tells about code, and stacks that run through it.
#include "tests/support/corpus/corpus.hpp"
#include "tests/support/images/database_builder.hpp"
#include "tests/support/traces/kernel_records.hpp"
#include "tests/support/traces/runtime_records.hpp"

namespace etl::test {

namespace {

constexpr std::int64_t start = 1'000'000; // the reference time of the session
constexpr std::uint64_t nt = 0xFFFFF80000000000;
constexpr std::uint64_t image = 0x7FF600000000; // with native code of managed methods
constexpr std::uint64_t heap = 0x7FFD90000000;  // of jitted code
constexpr std::uint64_t pots = 0x7FFD80001000;  // a module
constexpr std::uint32_t kitchen = 1200, cook = 41;

constexpr Guid nt_pdb = *parse_guid("10000000-0000-0000-0000-000000000001");
constexpr Guid pots_pdb = *parse_guid("20000000-0000-0000-0000-000000000002");
constexpr std::uint32_t pots_age = 2;

constexpr std::int64_t at(std::int64_t milliseconds) {
    return start + milliseconds * 10'000;
}

template <typename... Records>
void add(BufferBuilder& buffer, const Records&... records) {
    (records.add_to(buffer), ...);
}

void add_images(BufferBuilder& buffer) {
    const Guid il_pdb = *parse_guid("30000000-0000-0000-0000-000000000003");
    add(buffer, process_record(at(1), Life::rundown_at_start, kitchen, "kettle.exe"),
        thread_record(at(1), Life::rundown_at_start, kitchen, cook),
        volume_record(at(1), u"\\SystemRoot\\", u"C:\\Windows\\"),
        image_record(at(2), Life::rundown_at_start, 0, nt, 0x800000,
                     u"\\SystemRoot\\system32\\ntoskrnl.exe"),
        image_pdb_record(at(2), 36, 0, nt, nt_pdb, 1, "ntkrnlmp.pdb"),
        image_info_record(at(2), 0, nt, 0x5F001122, u"ntkrnlmp.exe"),
        image_record(at(3), Life::start, kitchen, image, 0x10000,
                     u"\\Device\\HarddiskVolume2\\Kitchen\\pots.ni.dll"),
        image_pdb_record(at(3), 36, kitchen, image, pots_pdb, pots_age, "pots.ni.pdb"),
        image_pdb_record(at(3), 37, kitchen, image, il_pdb, 3, "C:\\Kitchen\\pots.pdb"));
}

void add_stack(BufferBuilder& buffer, std::int64_t time,
               std::initializer_list<std::uint64_t> frames) {
    add(buffer, sample_record(time, *frames.begin(), cook),
        stack_record(time + 5, time, kitchen, cook, frames));
}

/// A method of two tiers, one of a native image, a dynamic one whose memory is given again, a
/// script.
void add_code(BufferBuilder& buffer) {
    const auto stir = [](std::int64_t time, MethodMoment moment, std::u16string_view name) {
        return method_record(
            time, moment, kitchen, heap + 0x4000, 0x40,
            {.type = u"dynamicClass", .name = name, .signature = u"void  ()", .flags = 9});
    };
    add(buffer, module_record(at(10), 152, kitchen, pots, u"C:\\Kitchen\\pots.dll"),
        method_record(at(11), MethodMoment::load, kitchen, heap, 0x100,
                      {.module = pots, .flags = 8 | 3U << 7U}),
        stir(at(12), MethodMoment::load, u"Stir"),
        script_source_record(at(12), 41, kitchen, 77, u"https://kitchen.example/js/tea.js?v=2"),
        script_method_record(at(12), 9, kitchen, heap + 0x8000, 0x80, 77, 12, u"steep"));
    add_stack(buffer, at(20), {heap + 0x4010, heap + 0x100, image + 0x1010, heap + 0x8020});
    add(buffer, stir(at(30), MethodMoment::unload, u"Stir"),
        stir(at(30), MethodMoment::load, u"Sip"),
        method_record(at(31), MethodMoment::load, kitchen, heap + 0x1000, 0x80,
                      {.module = pots, .flags = 8 | 4U << 7U}));
    add_stack(buffer, at(40), {heap + 0x4010, heap + 0x1080, image + 0x3000, image + 0x8000});
}

/// Kernel parts that share a user part, and a user key that equals a kernel key.
void add_stacks(BufferBuilder& buffer) {
    constexpr std::uint64_t key = 0xFFFFC0000000A000;
    add(buffer, sample_record(at(50), nt + 0x1000, cook),
        stack_key_record(at(50) + 1, KeyPart::kernel, at(50), kitchen, cook, key),
        sample_record(at(51), nt + 0x1000, cook),
        stack_key_record(at(51) + 1, KeyPart::kernel, at(51), kitchen, cook, key),
        stack_key_record(at(51) + 9, KeyPart::user, at(51), kitchen, cook, key),
        key_frames_record(at(60), KeyMoment::rundown, key, {heap + 0x20, heap + 0x8020}),
        key_frames_record(at(61), KeyMoment::rundown, key, {nt + 0x1000, nt + 0x2000}));
}

void add_rundown(BufferBuilder& buffer) {
    add(buffer,
        method_record(
            at(90), MethodMoment::rundown_at_end, kitchen, image + 0x1000, 0x200,
            {.name = u"Pour", .signature = u"class Kitchen.Cup  ()", .module = pots, .flags = 0},
            1),
        method_record(at(90), MethodMoment::rundown_at_end, kitchen, heap, 0x100,
                      {.module = pots, .flags = 8 | 3U << 7U}));
}

} // namespace

Sample managed_code() {
    TraceBuilder trace({.buffer_size = 0x4000, .processors = 2, .reference_time = start});
    add_images(trace.buffer());
    BufferBuilder& buffer = trace.buffer({.processor = 1});
    add_code(buffer);
    add_stacks(buffer);
    add_rundown(trace.buffer());
    return {.name = "good/managed-code",
            .about =
                "Methods of .NET and of a script, identities of images, and stacks through them",
            .bytes = trace.build(),
            .events = 31,
            .buffers = 4,
            .warnings = 0,
            .kinds = "SYSTEM64 PERFINFO64 FULL64 EVENT64"};
}

std::vector<Attachment> managed_code_symbols() {
    DatabaseBuilder kernel;
    kernel.identity(nt_pdb, 1).section(0x1000, 0x3000);
    const std::size_t source = kernel.file("D:\\nt\\clock.c");
    kernel.begin_module();
    kernel.begin_procedure("KeTick", 0, 0x800).end_procedure();
    kernel.lines(0, 0x800, {{0, 20, source}, {0x10, 22, source}});
    kernel.public_symbol("KeTick", 0);
    kernel.public_symbol("KeChime", 0x1000);
    DatabaseBuilder pots_database;
    pots_database.identity(pots_pdb, pots_age).mapped_section(0xE000).mapped_section(0x800);
    pots_database.begin_module();
    pots_database.begin_procedure("pots::lid::lift", 0x2000, 0x100).end_procedure();
    pots_database.public_symbol("?lift@lid@pots@@QEAAXH@Z", 0x2000);
    const std::string key = "20000000000000000000000000000002" + std::to_string(pots_age);
    return {{"symbols/ntkrnlmp.pdb", kernel.build()},
            {"symbols/pots.ni.pdb/" + key + "/pots.ni.pdb", pots_database.build()}};
}

} // namespace etl::test

// Kernel sessions of an invented machine: the lighthouse Leuchtturm, its lamp and its keeper.
#include "codec/formats.hpp"
#include "tests/support/corpus/corpus.hpp"
#include "tests/support/corpus/kernel_story.hpp"

namespace etl::test {

namespace {

constexpr std::uint64_t lamp_key = 0xFFFF8A80'4C00'1080; // kernel addresses; 32 bits keep the end
constexpr std::uint64_t file_object = 0xFFFF8A80'4C00'2090;
constexpr std::uint64_t file_key = 0xFFFF8A80'4C00'30A0;
constexpr std::uint64_t irp = 0xFFFF8A80'4C00'40B0;
constexpr std::uint64_t image_base = 0x0000'7FF6'1000'0000;
constexpr std::uint64_t stack_key = 0xFFFF8A80'4C00'50C0;
constexpr std::uint64_t routine = 0xFFFFF802'1000'1234;
constexpr std::uint32_t lamp_pid = 2024, lamp_tid = 2028, keeper_pid = 2100;

constexpr Guid lost_event = *parse_guid("6a399ae0-4bc6-4de9-870b-3657f8947e7e");
constexpr Guid image_id = *parse_guid("b3e675d7-2554-4f18-830b-2762732560de");
constexpr Guid system_config_ex = *parse_guid("9b79ee91-b5fd-41c0-a243-4248e266e9d0");
constexpr Guid winsat = *parse_guid("ed54dff8-c409-4cf6-bf83-05e1e61a09c4");
constexpr Guid process_class = *parse_guid("3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c");
constexpr Guid lamp_pdb = *parse_guid("1a3b0000-0000-4000-8000-00000000beac");

KernelPayload process(const KernelStory& story, std::uint32_t pid, std::uint32_t parent) {
    KernelPayload p = story.payload();
    p.pointer(lamp_key).u32(pid).u32(parent).u32(1).u32(0x103).pointer(0x1AA000);
    return p;
}

void processes(KernelStory& story) {
    auto lamp = process(story, lamp_pid, 600);
    lamp.u32(0).user(1001).zero_terminated8("lamp.exe");
    lamp.zero_terminated16(u"lamp.exe --turn").zero_terminated16(u"").zero_terminated16(u"");
    story.system(0x0301, 4, lamp);
    auto nobody = process(story, 4, 0); // no user: the SID is four bytes of zero
    nobody.u32(0).u32(0).zero_terminated8("System");
    nobody.zero_terminated16(u"").zero_terminated16(u"").zero_terminated16(u"");
    story.system(0x0303, 4, nobody);
    auto old = process(story, keeper_pid, 600); // version 3 has neither flags nor packages
    old.user(1002, 0).zero_terminated8("keeper.exe").zero_terminated16(u"keeper.exe");
    story.system(0x0303, 3, old);
    auto end = process(story, lamp_pid, 600);
    end.u32(0).user(1001).zero_terminated8("lamp.exe");
    end.zero_terminated16(u"").zero_terminated16(u"Leuchtturm.Lamp_1.0").zero_terminated16(u"Lamp");
    story.system(0x0302, 4, end);
    auto full = process(story, keeper_pid, 600);
    full.user(1002).zero_terminated8("keeper.exe").zero_terminated16(u"keeper.exe");
    story.full(process_class, 4, 3, full);
}

KernelPayload thread(const KernelStory& story) {
    KernelPayload p = story.payload();
    p.u32(lamp_pid).u32(lamp_tid);
    p.pointers(routine, routine - 0x6000, 0x8F0000U, 0x8E0000U);
    p.pointers(0xFU, image_base + 0x1480, 0x7E0000U);
    p.u32(0).u8(8).u8(5).u8(2).u8(0);
    return p;
}

void threads(KernelStory& story) {
    story.system(0x0501, 3, thread(story)); // up to Windows 8
    auto named = thread(story);             // since Windows 10, the version is the same
    named.zero_terminated16(u"beam");
    story.system(0x0501, 3, named);
    auto four = thread(story);
    four.zero_terminated16(u"horn");
    story.system(0x0502, 4, four);
    auto cswitch = story.payload();
    cswitch.u32(lamp_tid).u32(0).u8(9).u8(0).u8(1).u8(0).u8(0).u8(1).u8(2).u8(3).u32(17).u32(0);
    story.compact(0x0524, 4, cswitch);
    auto ready = story.payload();
    ready.u32(lamp_tid).u8(1).u8(0xFF).u8(1).u8(0);
    story.compact(0x0532, 2, ready);
}

void images(KernelStory& story) {
    auto image = story.payload();
    image.pointer(image_base).pointer(0x42000).u32(lamp_pid).u32(0xABCDEF).u32(0x60000000);
    image.u8(4).u8(1).u16(0).pointer(0x140000000).u32(0).u32(0).u32(0).u32(0);
    image.zero_terminated16(u"\\Device\\HarddiskVolume3\\Leuchtturm\\lamp.exe");
    story.system(0x030A, 3, image); // Load: the hook is in the group of processes
    story.system(0x1403, 3, image);
    story.system(0x1402, 3, image);
}

void files(KernelStory& story) {
    auto read = story.payload();
    read.u32(0).u32(0x60043).u32(4096).u32(0).u64(0x12345000).pointers(file_object, irp);
    read.u64(1234).u32(lamp_tid);
    story.system(0x010A, 3, read);
    auto init = story.payload();
    init.pointer(irp).u32(lamp_tid);
    story.system(0x010C, 3, init);
    auto name = story.payload();
    name.pointer(file_key).zero_terminated16(u"\\Device\\HarddiskVolume3\\Leuchtturm\\log.txt");
    story.system(0x0424, 2, name);
    auto create = story.payload();
    create.pointers(irp, file_object).u32(lamp_tid).u32(0x1200000).u32(0x80).u32(7);
    create.zero_terminated16(u"\\Leuchtturm\\log.txt");
    story.system(0x0440, 3, create);
    auto write = story.payload();
    write.u64(8192).pointers(irp, file_object, file_key).u32(lamp_tid).u32(512).u32(0x60A00);
    story.system(0x0444, 3, write);
    auto end = story.payload();
    end.pointer(irp).pointer(512).u32(0xC0000034);
    story.system(0x044C, 3, end);
    auto split = story.payload();
    split.pointers(irp, irp + 0x100);
    story.system(0x1B20, 2, split);
}

void registry(KernelStory& story) {
    auto query = story.payload();
    query.ticks(story.time()).u32(0).u32(0).pointer(lamp_key);
    query.zero_terminated16(u"SOFTWARE\\Leuchtturm\\Beam");
    story.system(0x0910, 2, query);
}

void network(KernelStory& story) {
    auto send = story.payload();
    send.u32(lamp_pid).u32(48).ipv4(10, 0, 0, 7).ipv4(10, 0, 0, 9).port(443).port(50123);
    send.u32(11).u32(12).u32(0).pointer(0x77);
    story.system(0x060A, 2, send);
    const auto six = [&](std::uint8_t last) {
        return ByteWriter().u8(0xFE).u8(0x80).fill(13).u8(last).take();
    };
    auto receive = story.payload();
    receive.u32(lamp_pid).u32(48).bytes(six(7)).bytes(six(9));
    receive.port(443).port(50124).u32(1).pointer(0x78);
    story.system(0x061B, 2, receive);
    auto datagram = story.payload();
    datagram.u32(lamp_pid).u32(12).ipv4(224, 0, 0, 251).ipv4(10, 0, 0, 9).port(5353).port(5353);
    datagram.u32(0).pointer(0);
    story.system(0x080A, 2, datagram);
}

void memory(KernelStory& story) {
    auto soft = story.payload();
    soft.pointers(image_base + 0x2000, image_base + 0x1480);
    story.system(0x020B, 2, soft);
    auto hard = story.payload();
    hard.ticks(story.time()).u64(0x12345000).pointers(image_base + 0x3000, file_object);
    hard.u32(lamp_tid).u32(4096);
    story.system(0x0220, 2, hard);
    auto alloc = story.payload();
    alloc.pointers(0x210000U, 0x10000U).u32(lamp_pid).u32(0x1000);
    story.system(0x0262, 2, alloc);
    auto pool = story.payload();
    pool.u32(1).u32(0x706D614C).pointers(0x200U, irp);
    story.system(0x0E20, 2, pool);
    auto handle = story.payload();
    handle.pointer(lamp_key).u32(0x1F4).u16(37).zero_terminated16(u"\\BaseNamedObjects\\Horn");
    story.system(0x1120, 2, handle);
}

void interrupts(KernelStory& story) {
    auto sample = story.payload();
    sample.pointer(image_base + 0x1500).u32(lamp_tid).u16(1).u16(0x40);
    story.perfinfo(0x0F2E, 2, sample);
    auto stack = story.payload();
    stack.ticks(story.time()).u32(lamp_pid).u32(lamp_tid);
    stack.pointers(routine, routine + 0x10, image_base + 0x1500);
    story.perfinfo(0x1820, 2, stack);
    auto isr = story.payload();
    isr.ticks(story.time()).pointer(routine).u8(1).u16(0xA1).u8(0);
    story.perfinfo(0x0F43, 2, isr);
    auto dpc = story.payload();
    dpc.ticks(story.time()).pointer(routine + 0x40);
    story.perfinfo(0x0F44, 2, dpc);
    auto call = story.payload();
    call.pointer(routine + 0x80);
    story.perfinfo(0x0F33, 2, call);
    auto result = story.payload();
    result.u32(0xC0000034);
    story.perfinfo(0x0F34, 2, result);
    auto reference = story.payload();
    reference.ticks(story.time()).u32(lamp_pid).u32(lamp_tid).pointer(stack_key);
    story.perfinfo(0x1825, 2, reference);
    auto definition = story.payload();
    definition.pointer(stack_key).pointers(routine, routine + 0x20);
    story.perfinfo(0x1824, 2, definition);
    auto message = story.payload();
    message.u32(0x1001);
    story.compact(0x1A21, 2, message);
    auto wait = story.payload();
    wait.u32(1).zero_terminated16(u"\\RPC Control\\horn");
    story.compact(0x1A24, 2, wait);
}

void system_configuration(KernelStory& story) {
    auto cpu = story.payload();
    cpu.u32(2400).u32(4).u32(8192).u32(4096).u32(65536);
    cpu.padded16(u"LEUCHTTURM", 256).padded16(u"KUESTE", 134).pointer(0xF);
    story.system(0x0B0A, 2, cpu);
    auto disk = story.payload();
    disk.u64(0x100000).u64(0x40000000).u32(0).u32(1024).u32(3).padded16(u"C:", 4).u32(0).u32(3);
    disk.u32(8).u32(512).u32(0).u64(1000).u64(2000).padded16(u"NTFS", 16).u32(0).u32(0);
    story.system(0x0B0C, 2, disk);
    auto service = story.payload();
    service.u32(keeper_pid).u32(4).u32(0x51).zero_terminated16(u"keeper");
    service.zero_terminated16(u"Keeper of the Light").zero_terminated16(u"keeper.exe");
    story.system(0x0B0F, 2, service);
    auto dpi = story.payload();
    dpi.u32(96).u32(144);
    story.system(0x0B1C, 2, dpi);
}

// What a merge adds.
void injected(KernelStory& story) {
    auto lost = story.payload();
    story.full(lost_event, 32, 0, lost);
    auto info = story.payload();
    info.pointer(image_base).pointer(0x42000).u32(lamp_pid).u32(0x60000000);
    info.zero_terminated16(u"lamp.exe");
    story.full(image_id, 0, 0, info);
    auto symbols = story.payload();
    symbols.pointer(image_base).u32(lamp_pid).guid(lamp_pdb).u32(2).zero_terminated8("lamp.pdb");
    story.full(image_id, 36, 0, symbols);
    auto volume = story.payload();
    volume.zero_terminated16(u"\\Device\\HarddiskVolume3").zero_terminated16(u"C:");
    story.full(system_config_ex, 35, 0, volume);
    ByteWriter text;
    text.text16(u"<WinSPR><Light>9.9</Light><Horn>9.9</Horn></WinSPR>");
    std::vector<std::byte> packed;
    codec::lznt1::compress(text.view(), packed);
    auto assessment = story.payload();
    assessment.u32(1).u32(static_cast<std::uint32_t>(text.size())).bytes(packed);
    story.full(winsat, 33, 0, assessment);
}

// What no definition fits: a longer payload, a shorter one, one that contradicts, one of a later
// version, one of an unknown type.
void misfits(KernelStory& story) {
    auto longer = story.payload();
    longer.u32(96).u32(144).u16(0xFEED);
    story.system(0x0B1C, 2, longer);
    auto shorter = story.payload();
    shorter.u32(96);
    story.system(0x0B1C, 2, shorter);
    auto group = story.payload(); // claims more elements than there are bytes
    group.u32(1000).u32(1);
    story.system(0x0B1B, 2, group);
    auto later = story.payload();
    later.u32(lamp_tid).u8(1).u8(0).u8(1).u8(0).u32(0xBEA);
    story.compact(0x0532, 7, later);
    auto unknown = story.payload();
    unknown.u32(0xBEAC04);
    story.perfinfo(0x0FF0, 2, unknown);
}

TraceFacts lighthouse(format::Width headers) {
    TraceFacts facts;
    facts.pointer_size = static_cast<unsigned>(headers);
    facts.buffer_size = 0x2000;
    facts.processors = 4;
    facts.session_name = u"NT Kernel Logger";
    facts.file_name = u"C:\\Traces\\lighthouse.etl";
    return facts;
}

Sample kernel_session(format::Width width) {
    TraceBuilder trace(lighthouse(width));
    KernelStory story(trace.buffer(), width, width);
    processes(story);
    threads(story);
    images(story);
    files(story);
    registry(story);
    network(story);
    memory(story);
    story.turn_to(trace.buffer());
    interrupts(story);
    system_configuration(story);
    injected(story);
    misfits(story);
    const std::string bits = width == format::Width::bits32 ? "32" : "64";
    return {.name = "good/kernel-events-" + bits,
            .about = "A kernel session of a lighthouse, " + bits +
                     "-bit: processes, threads, images, files, registry, network, memory, "
                     "interrupts, stacks, system configuration, what a merge adds, and payloads "
                     "that no definition fits",
            .bytes = trace.build(),
            .events = story.events() + 1,
            .buffers = 3,
            .warnings = 0,
            .kinds = "SYSTEM" + bits + " COMPACT" + bits + " PERFINFO" + bits + " FULL" + bits};
}

Sample pointers_under_narrow_headers() {
    TraceBuilder trace(lighthouse(format::Width::bits32));
    KernelStory story(trace.buffer(), format::Width::bits32, format::Width::bits64);
    processes(story);
    threads(story);
    images(story);
    files(story);
    return {.name = "good/kernel-events-64-under-32",
            .about = "Payloads with pointers of eight bytes under headers that say four, as "
                     "synthetic traces have them",
            .bytes = trace.build(),
            .events = story.events() + 1,
            .buffers = 2,
            .warnings = 0,
            .kinds = "SYSTEM32 COMPACT32 FULL32"};
}

} // namespace

std::vector<Sample> kernel_events() {
    return {kernel_session(format::Width::bits64), kernel_session(format::Width::bits32),
            pointers_under_narrow_headers()};
}

} // namespace etl::test

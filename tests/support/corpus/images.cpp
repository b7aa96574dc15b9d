// A trace that only an executable describes, and that executable.
#include "tests/support/corpus/corpus.hpp"
#include "tests/support/images/image_builder.hpp"

namespace etl::test {

namespace {

constexpr std::int64_t second = 10'000'000;

std::vector<std::byte> arrival() {
    ByteWriter out;
    out.zero_terminated16(u"Night Mail").u8(2).u32(5).u64(0x7FFE0010);
    return out.take();
}

std::vector<std::byte> load() {
    ByteWriter out;
    out.u16(2).u32(4100).u32(3900);
    out.u8(4).u8(4).u8(6);
    out.u32(3).u8(0xCA).u8(0xFE).u8(0x01);
    out.text8("UIC4");
    out.fill(15).u8(1); // ::1
    return out.take();
}

std::vector<std::byte> consist() {
    ByteWriter out;
    out.u8(2);
    out.u16(11).u8(2).u16(1).u16(2);
    out.u16(12).u8(0);
    out.zero_terminated16(u"Ada").u32(500).u32(480);
    return out.take();
}

std::vector<std::byte> notice() {
    ByteWriter out;
    out.zero_terminated16(u"Fog <dense>").u32(7);
    return out.take();
}

} // namespace

Sample compiled_manifest() {
    const ImageProvider provider = sample_provider();
    const std::array<std::vector<std::byte>, 6> payloads{arrival(), load(), consist(),
                                                         notice(),  {},     {}};
    TraceBuilder trace;
    BufferBuilder& buffer = trace.buffer();
    for (std::size_t i = 0; i < provider.events.size(); ++i) {
        const ImageEvent& event = provider.events[i];
        buffer.add(format::EventRecord{.process_id = 700,
                                       .thread_id = 704,
                                       .time = (static_cast<std::int64_t>(i) + 1) * second,
                                       .provider = provider.guid,
                                       .descriptor = {.id = event.id,
                                                      .version = event.version,
                                                      .channel = event.channel,
                                                      .level = event.level,
                                                      .opcode = event.opcode,
                                                      .task = event.task,
                                                      .keyword = event.keyword},
                                       .payload = payloads.at(i)});
    }
    return {.name = "good/compiled-manifest",
            .about = "Events of a provider that only corpus/schemas/signal-box.dll describes",
            .bytes = trace.build(),
            .events = 7,
            .buffers = 2,
            .warnings = 0,
            .kinds = "SYSTEM64 EVENT64"};
}

std::vector<Attachment> signal_box_dll() {
    const Wevt built = wevt({sample_provider()});
    const auto english = message_resource(message_table(built.messages));
    const auto german = message_resource(message_table(translated(built.messages)), 0x0407);
    return {{"schemas/signal-box.dll", pe_image({template_resource(built.crim)})},
            {"schemas/en-US/signal-box.dll.mui", pe_image({english})},
            {"schemas/de-DE/signal-box.dll.mui", pe_image({german})},
            {"windows/26100/signal-box.dll",
             pe_image({template_resource(built.crim), version_resource(windows_version(26100))})}};
}

} // namespace etl::test

// Texts that are packed in payloads.
#include "base/text.hpp"
#include "codec/formats.hpp"
#include "decode/decoder.hpp"
#include "tests/support/traces/one_event.hpp"

#include <gtest/gtest.h>

namespace etl::packed_text_test {
namespace {

using namespace test;
using namespace literals;

constexpr Guid winsat = "ed54dff8-c409-4cf6-bf83-05e1e61a09c4"_guid;
constexpr Guid perftrack = "bf6ef1cb-89b5-490a-80ac-b180cfbcff0f"_guid;

std::vector<std::byte> packed(ByteWriter head, Bytes text) {
    head.u32(static_cast<std::uint32_t>(text.size()));
    std::vector<std::byte> payload = head.take();
    codec::lznt1::compress(text, payload);
    return payload;
}

std::string text_of(const decode::DecodedEvent& event) {
    decode::FieldWalker walker;
    walker.start(event.kind->plan, event.body);
    std::string text;
    while (walker.next() != decode::Step::end) {
        text = as_text(walker.bytes());
    }
    return text;
}

TEST(PackedText, IsUnpackedAndShownAsUtf8) {
    ByteWriter xml;
    xml.zero_terminated16(u"<WinSPR><Score>5.9</Score><Score>5.9</Score></WinSPR>");
    decode::Decoder decoder(nullptr);
    const auto assessment = packed(ByteWriter().u32(1), xml.view());
    const auto one =
        event_of(format::FullRecord{.opcode = 33, .event_class = winsat, .payload = assessment});
    const auto& event = decoder.decode(one->event);
    EXPECT_EQ(event.kind->event, "WinSAT/WinSPR");
    EXPECT_EQ(event.kind->provider, "MSNT_SystemTrace");
    EXPECT_EQ(event.kind->schema->fields.size(), 2U);
    EXPECT_EQ(event.problem, nullptr);
    EXPECT_EQ(text_of(event), "<WinSPR><Score>5.9</Score><Score>5.9</Score></WinSPR>");
}

TEST(PackedText, MayBeUtf8AndHaveNoNumberBeforeIt) {
    const auto payload = packed(ByteWriter(), ByteWriter().text8("<a>\u00FC</a>").view());
    const auto one =
        event_of(format::FullRecord{.opcode = 33, .event_class = perftrack, .payload = payload});
    decode::Decoder decoder(nullptr);
    const auto& event = decoder.decode(one->event);
    EXPECT_EQ(event.kind->schema->fields.size(), 1U);
    EXPECT_EQ(text_of(event), "<a>\u00FC</a>");
}

TEST(PackedText, ThatIsDamagedSaysSo) {
    decode::Decoder decoder(nullptr);
    const auto problem_of = [&](std::vector<std::byte> payload) {
        const auto one =
            event_of(format::FullRecord{.opcode = 33, .event_class = winsat, .payload = payload});
        const char* problem = decoder.decode(one->event).problem;
        return std::string(problem != nullptr ? problem : "");
    };
    auto payload = packed(ByteWriter().u32(1), ByteWriter().text8("<a>12345</a>").view());
    EXPECT_EQ(problem_of(payload), "");
    payload.resize(payload.size() - 3);
    EXPECT_EQ(problem_of(payload), "invalid compressed text");
    EXPECT_EQ(problem_of({payload.begin(), payload.begin() + 6}),
              "the payload ends before its compressed text");
    EXPECT_EQ(problem_of(ByteWriter().u32(1).u32(0xFFFFFFFF).u16(0).take()),
              "invalid compressed text")
        << "the claim decides no allocation";
}

} // namespace
} // namespace etl::packed_text_test

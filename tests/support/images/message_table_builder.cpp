// Message tables of image_builder.hpp.
#include "tests/support/images/image_builder.hpp"

namespace etl::test {

namespace {

std::uint32_t as32(std::size_t value) {
    return static_cast<std::uint32_t>(value);
}

void write_message(ByteWriter& out, const std::u16string& text, MessageText kind) {
    ByteWriter body;
    if (kind == MessageText::utf16) {
        body.zero_terminated16(text);
    } else {
        for (const char16_t unit : text) {
            if (unit >= 0x80 && kind == MessageText::utf8 && unit < 0x800) {
                body.u8(static_cast<std::uint8_t>(0xC0 | unit >> 6U));
                body.u8(static_cast<std::uint8_t>(0x80 | (unit & 0x3F)));
            } else {
                body.u8(static_cast<std::uint8_t>(unit));
            }
        }
        body.u8(0);
    }
    body.align(4);
    out.u16(static_cast<std::uint16_t>(body.size() + 4)).u16(static_cast<std::uint16_t>(kind));
    out.bytes(body.view());
}

} // namespace

std::vector<std::byte> message_table(const Messages& messages, MessageText text) {
    struct Block {
        std::uint32_t low, high;
        std::vector<std::u16string> texts;
    };

    std::vector<Block> blocks;
    for (const auto& [id, message] : messages) {
        if (blocks.empty() || blocks.back().high + 1 != id) {
            blocks.push_back({id, id, {}});
        }
        blocks.back().high = id;
        blocks.back().texts.push_back(message);
    }
    ByteWriter out;
    out.u32(as32(blocks.size()));
    out.fill(blocks.size() * 12);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        out.patch(4 + i * 12, blocks[i].low);
        out.patch(8 + i * 12, blocks[i].high);
        out.patch(12 + i * 12, as32(out.size()));
        for (const std::u16string& message : blocks[i].texts) {
            write_message(out, message, text);
        }
    }
    return out.take();
}

} // namespace etl::test

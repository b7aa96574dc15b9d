// Binary XML as the message compiler writes it: tokens of .evtx files, names in place.
// docs/format/images.md#user-data
#pragma once

#include "tests/support/images/image_builder.hpp"

namespace etl::test {

/// `%1` as it stands in a text.
struct Insert {
    std::size_t at, size;
    std::uint16_t index;
};

inline std::vector<Insert> inserts_of(const std::u16string& text) {
    std::vector<Insert> inserts;
    for (std::size_t at = text.find(u'%'); at != text.npos; at = text.find(u'%', at + 1)) {
        std::size_t end = at + 1;
        unsigned number = 0;
        for (; end < text.size() && text[end] >= u'0' && text[end] <= u'9'; ++end) {
            number = number * 10 + (text[end] - u'0');
        }
        inserts.push_back({at, end - at, static_cast<std::uint16_t>(number - 1)});
    }
    return inserts;
}

/// Writes the tokens of .evtx files, names in place.
class BinaryXml {
public:
    explicit BinaryXml(ByteWriter& out) : out_(out) {}

    void fragment(const ImageXml& root) {
        out_.u8(0x0F).u8(1).u8(1).u8(0);
        element(root);
        out_.u8(0x00);
    }

private:
    void element(const ImageXml& xml) {
        out_.u8(xml.attributes.empty() ? 0x01 : 0x41).u16(0xFFFF);
        const std::size_t size = reserve();
        name(xml.name);
        if (!xml.attributes.empty()) {
            attributes(xml);
        }
        if (xml.text.empty() && xml.children.empty()) {
            out_.u8(0x03);
        } else {
            out_.u8(0x02);
            text(xml.text);
            for (const ImageXml& child : xml.children) {
                element(child);
            }
            out_.u8(0x04);
        }
        fill_in(size);
    }

    void attributes(const ImageXml& xml) {
        const std::size_t size = reserve();
        for (std::size_t i = 0; i < xml.attributes.size(); ++i) {
            out_.u8(i + 1 < xml.attributes.size() ? 0x46 : 0x06);
            name(xml.attributes[i].first);
            text(xml.attributes[i].second);
        }
        fill_in(size);
    }

    void text(const std::u16string& all) {
        std::size_t at = 0;
        for (const Insert& insert : inserts_of(all)) {
            plain(all.substr(at, insert.at - at));
            out_.u8(0x0D).u16(insert.index).u8(1);
            at = insert.at + insert.size;
        }
        plain(all.substr(at));
    }

    void plain(const std::u16string& text) {
        if (!text.empty()) {
            out_.u8(0x05).u8(1).u16(static_cast<std::uint16_t>(text.size())).text16(text);
        }
    }

    void name(const std::u16string& text) {
        std::uint32_t hash = 0;
        for (const char16_t unit : text) {
            hash = hash * 65599 + unit;
        }
        out_.u16(static_cast<std::uint16_t>(hash)).u16(static_cast<std::uint16_t>(text.size()));
        out_.zero_terminated16(text);
    }

    std::size_t reserve() {
        out_.u32(0);
        return out_.size() - 4;
    }

    void fill_in(std::size_t size) {
        out_.patch(size, static_cast<std::uint32_t>(out_.size() - size - 4));
    }

    ByteWriter& out_;
};

} // namespace etl::test

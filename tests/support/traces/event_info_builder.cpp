#include "tests/support/traces/event_info_builder.hpp"

namespace etl::test {

namespace {

constexpr std::size_t fixed_size = 112;
constexpr std::size_t property_size = 24;

/// Texts behind the fixed parts; an offset of 0 stands for none.
class Texts {
public:
    explicit Texts(std::size_t begin) : begin_(begin) {}

    std::uint32_t add(const std::u16string& text) { return text.empty() ? 0 : write(text); }

    std::uint32_t add_list(const std::vector<std::u16string>& list) {
        if (list.empty()) {
            return 0;
        }
        const auto at = static_cast<std::uint32_t>(begin_ + out_.size());
        for (const std::u16string& text : list) {
            write(text);
        }
        out_.u16(0); // the list ends with an empty text
        return at;
    }

    Bytes bytes() const noexcept { return out_.view(); }

private:
    std::uint32_t write(const std::u16string& text) {
        const auto at = static_cast<std::uint32_t>(begin_ + out_.size());
        out_.zero_terminated16(text);
        return at;
    }

    std::size_t begin_;
    ByteWriter out_;
};

} // namespace

std::vector<std::byte> event_info(const EventInfo& info) {
    Texts texts(fixed_size + property_size * info.properties.size());
    const auto property_count = static_cast<std::uint32_t>(info.properties.size());
    ByteWriter out;
    out.guid(info.provider).guid(info.event_guid);
    out.u16(info.id).u8(info.version).u8(info.channel).u8(info.level).u8(info.opcode);
    out.u16(info.task).u64(info.keyword);
    out.u32(info.decoding_source);
    out.u32(texts.add(info.provider_name)).u32(texts.add(info.level_name));
    out.u32(texts.add(info.channel_name)).u32(texts.add_list(info.keyword_names));
    out.u32(texts.add(info.task_name)).u32(texts.add(info.opcode_name));
    out.u32(texts.add(info.message));
    out.u32(0); // ProviderMessageOffset
    const std::size_t binary_xml = out.size();
    out.u32(0).u32(static_cast<std::uint32_t>(info.binary_xml.size()));
    out.u32(0).u32(0); // EventNameOffset, EventAttributesOffset
    out.u32(property_count);
    out.u32(info.top_level_properties == 0 ? property_count : info.top_level_properties);
    out.u32(info.flags);
    for (const EventProperty& property : info.properties) {
        out.u32(property.flags).u32(texts.add(property.name));
        out.u16(property.in).u16(property.out).u32(texts.add(property.map));
        out.u16(property.count).u16(property.length).u32(0);
    }
    out.bytes(texts.bytes());
    out.patch(binary_xml, static_cast<std::uint32_t>(info.binary_xml.empty() ? 0 : out.size()));
    return out.bytes(info.binary_xml).take();
}

} // namespace etl::test

// Version resources of image_builder.hpp.
#include "tests/support/images/image_builder.hpp"

#include <functional>
#include <string_view>

namespace etl::test {

namespace {

/// A block: its size, that of its value, the type of the value, the key, and what `content` writes.
void write_block(ByteWriter& out, std::u16string_view key, std::size_t value_size,
                 const std::function<void()>& content, bool is_text = true) {
    out.align(4);
    const std::size_t start = out.size();
    out.u16(0).u16(static_cast<std::uint16_t>(value_size)).u16(is_text ? 1 : 0);
    out.zero_terminated16(key).align(4);
    content();
    out.patch(start, static_cast<std::uint16_t>(out.size() - start));
}

void write_version(ByteWriter& out, const std::array<std::uint16_t, 4>& version) {
    out.u16(version[1]).u16(version[0]).u16(version[3]).u16(version[2]);
}

void write_fixed_info(ByteWriter& out, const ImageVersion& version) {
    out.u32(0xFEEF04BD).u32(0x10000);
    write_version(out, version.file);
    write_version(out, version.product);
    out.fill(28); // flags, system, type, date
}

} // namespace

std::vector<std::byte> version_info(const ImageVersion& version) {
    ByteWriter out;
    const auto write_texts = [&] {
        for (const auto& [key, text] : version.texts) {
            write_block(out, key, text.size() + 1, [&] { out.zero_terminated16(text); });
        }
    };
    const auto write_table = [&] { write_block(out, u"040904B0", 0, write_texts); };
    const auto write_all = [&] {
        write_fixed_info(out, version);
        write_block(out, u"StringFileInfo", 0, write_table);
    };
    write_block(out, u"VS_VERSION_INFO", 52, write_all, false);
    return out.take();
}

ImageResource version_resource(const ImageVersion& version, std::uint16_t language) {
    return {.type = 16, .language = language, .bytes = version_info(version)};
}

ImageVersion windows_version(std::uint16_t build) {
    return {.file = {10, 0, build, 1},
            .product = {10, 0, build, 1},
            .texts = {{u"CompanyName", u"Microsoft Corporation"},
                      {u"ProductName", u"Microsoft\u00AE Windows\u00AE Operating System"}}};
}

} // namespace etl::test

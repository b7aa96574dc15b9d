// The PE file around resources.
#include "tests/support/images/image_builder.hpp"

#include <tuple>

namespace etl::test {

namespace {

constexpr std::uint32_t high_bit = 0x80000000;
constexpr std::uint32_t file_alignment = 0x200;
constexpr std::uint32_t memory_alignment = 0x1000;
constexpr std::uint32_t code_address = 0x1000;

std::uint32_t as32(std::size_t value) {
    return static_cast<std::uint32_t>(value);
}

std::uint32_t aligned(std::size_t value, std::uint32_t to) {
    return (as32(value) + to - 1) / to * to;
}

/// The resource section, for an address: type, name and language, one level below the other.
class ResourceWriter {
public:
    ResourceWriter(const std::vector<ImageResource>& resources, std::uint32_t address)
        : address_(address) {
        for (const ImageResource& one : resources) {
            // Texts go before numbers.
            const TypeKey type{one.type_name.empty(), one.type_name, one.type};
            tree_[type][one.name][one.language] = &one;
        }
    }

    std::vector<std::byte> write() {
        directory(tree_, [&](const auto& names) {
            directory(names, [&](const auto& languages) {
                directory(languages, [&](const ImageResource* one) {
                    data_.push_back({out_.size(), one});
                    out_.fill(16);
                });
            });
        });
        for (const auto& [at, text] : texts_) {
            out_.patch(at, high_bit | as32(out_.size()));
            out_.u16(static_cast<std::uint16_t>(text.size())).text16(text).align(4);
        }
        for (const auto& [at, one] : data_) {
            out_.align(8);
            out_.patch(at, address_ + as32(out_.size()));
            out_.patch(at + 4, as32(one->bytes.size()));
            out_.bytes(one->bytes);
        }
        return out_.take();
    }

private:
    using TypeKey = std::tuple<bool, std::u16string, std::uint16_t>;
    using Languages = std::map<std::uint16_t, const ImageResource*>;
    using Names = std::map<std::uint16_t, Languages>;

    void key(const TypeKey& type) {
        if (!std::get<1>(type).empty()) {
            texts_.emplace_back(out_.size(), std::get<1>(type));
        }
        out_.u32(std::get<2>(type));
    }

    void key(std::uint16_t number) { out_.u32(number); }

    static bool is_named(const TypeKey& type) { return !std::get<1>(type).empty(); }

    static bool is_named(std::uint16_t) { return false; }

    static constexpr bool is_leaf(const ImageResource* const*) { return true; }

    template <typename Map>
    static constexpr bool is_leaf(const Map*) {
        return false;
    }

    template <typename Children, typename Write>
    void directory(const Children& children, Write write) {
        std::uint16_t named = 0;
        for (const auto& child : children) {
            named = static_cast<std::uint16_t>(named + (is_named(child.first) ? 1 : 0));
        }
        out_.fill(12).u16(named).u16(static_cast<std::uint16_t>(children.size() - named));
        std::vector<std::size_t> offsets;
        for (const auto& child : children) {
            key(child.first);
            offsets.push_back(out_.size());
            out_.u32(0);
        }
        std::size_t i = 0;
        for (const auto& child : children) {
            out_.patch(offsets[i++], as32(out_.size()) | (is_leaf(&child.second) ? 0 : high_bit));
            write(child.second);
        }
    }

    std::uint32_t address_;
    std::map<TypeKey, Names> tree_;
    ByteWriter out_;
    std::vector<std::pair<std::size_t, std::u16string>> texts_;
    std::vector<std::pair<std::size_t, const ImageResource*>> data_;
};

struct Section {
    std::string_view name;
    std::uint32_t address, size, file_offset;
};

void write_section(ByteWriter& out, const Section& section) {
    out.text8(section.name).fill(8 - section.name.size());
    out.u32(section.size).u32(section.address);
    out.u32(aligned(section.size, file_alignment)).u32(section.file_offset);
    out.fill(12).u32(0x40000040); // initialised data, readable
}

void write_headers(ByteWriter& out, PeWidth width, const Section& resources, bool has_resources) {
    const bool is_wide = width == PeWidth::pe32_plus;
    const std::uint16_t sections = has_resources ? 2 : 1;
    out.text8("MZ").fill(0x3A).u32(0x40); // the PE header follows at once
    out.text8("PE").u16(0);
    out.u16(is_wide ? 0x8664 : 0x014C).u16(sections).fill(12);
    out.u16(is_wide ? 240 : 224).u16(0x2022);
    out.u16(is_wide ? 0x20B : 0x10B).fill(30);
    out.u32(memory_alignment).u32(file_alignment);
    out.fill(is_wide ? 68 : 52).u32(16); // up to the number of directories
    out.fill(16);
    out.u32(has_resources ? resources.address : 0).u32(has_resources ? resources.size : 0);
    out.fill(13 * 8);
}

} // namespace

std::vector<std::byte> pe_image(const std::vector<ImageResource>& resources, PeWidth width,
                                std::size_t padding) {
    const std::size_t code_size = padding + 16;
    const std::uint32_t address = code_address + aligned(code_size, memory_alignment);
    const std::vector<std::byte> tree = ResourceWriter(resources, address).write();
    const Section code{".text", code_address, as32(code_size), 2 * file_alignment};
    const Section data{".rsrc", address, as32(tree.size()),
                       code.file_offset + aligned(code_size, file_alignment)};
    ByteWriter out;
    write_headers(out, width, data, !resources.empty());
    write_section(out, code);
    if (!resources.empty()) {
        write_section(out, data);
    }
    out.align(code.file_offset).fill(code_size).align(file_alignment);
    if (!resources.empty()) {
        out.bytes(tree).align(file_alignment);
    }
    return out.take();
}

} // namespace etl::test

#include "tests/support/images/image_builder.hpp"

#include "tests/support/images/binary_xml_builder.hpp"

#include <algorithm>
#include <stdexcept>

namespace etl::test {

namespace {

constexpr std::uint32_t no_message = 0xFFFFFFFF;

std::uint32_t as32(std::size_t value) {
    return static_cast<std::uint32_t>(value);
}

/// Writes one resource; offsets count from its beginning.
class CrimWriter {
public:
    explicit CrimWriter(const WevtStyle& style) : style_(style) {}

    Wevt write(const std::vector<ImageProvider>& providers) {
        out_.text8("CRIM").u32(0).u16(style_.version == CrimVersion::three ? 3 : 5).u16(1);
        out_.u32(as32(providers.size()));
        const std::size_t list = out_.size();
        for (const ImageProvider& provider : providers) {
            out_.guid(provider.guid).u32(0);
        }
        for (std::size_t i = 0; i < providers.size(); ++i) {
            out_.patch(list + i * 20 + 16, as32(out_.size()));
            write_provider(providers[i]);
        }
        out_.patch(4, as32(out_.size()));
        out_.u16(0); // as mc writes it
        return {out_.take(), std::move(messages_)};
    }

private:
    // Message ids as mc gives them: the kind in the upper four bits.
    std::uint32_t message(std::uint32_t kind, std::uint32_t number, const std::u16string& text) {
        if (text.empty()) {
            return no_message;
        }
        std::uint32_t id = kind << 28U | number;
        while (messages_.contains(id)) {
            ++id;
        }
        messages_[id] = text + u"\r\n";
        return id;
    }

    void write_provider(const ImageProvider& provider) {
        begin_elements(provider);
        if (!provider.channels.empty()) {
            begin("CHAN", 5);
            channels(provider.channels);
        }
        if (!provider.maps.empty()) {
            begin("MAPS", 6);
            maps(provider.maps);
        }
        if (!provider.templates.empty()) {
            begin("TTBL", 7);
            out_.u32(as32(provider.templates.size()));
            for (const ImageTemplate& one : provider.templates) {
                write_template(one);
            }
            end();
        }
        if (style_.version == CrimVersion::five) {
            begin("PRVA", 13);
            out_.u32(1).u32(0x10000001).u32(as32(out_.size() + 4));
            out_.zero_terminated16(provider.name).align(4);
            end();
        }
        begin("OPCO", 2);
        named(provider.opcodes, 3, opcodes_, true);
        begin("LEVL", 0);
        named(provider.levels, 5, levels_, false);
        begin("TASK", 1);
        tasks(provider.tasks);
        begin("KEYW", 3);
        keywords(provider.keywords);
        out_.align(8);
        begin("EVNT", 4);
        events(provider.events);
        out_.patch(block_ + 4, as32(out_.size() - block_));
    }

    void begin_elements(const ImageProvider& provider) {
        for (auto* offsets : {&channels_, &levels_, &tasks_, &opcodes_}) {
            offsets->clear();
        }
        maps_.clear();
        templates_.clear();
        block_ = out_.size();
        elements_ = 5;
        for (const bool is_there :
             {!provider.channels.empty(), !provider.maps.empty(), !provider.templates.empty(),
              style_.version == CrimVersion::five}) {
            elements_ += is_there ? 1U : 0U;
        }
        out_.text8("WEVT").u32(0).u32(message(9, 1, provider.display_name)).u32(elements_);
        next_element_ = out_.size();
        out_.fill(std::size_t{elements_} * 8);
    }

    void begin(const char* signature, std::uint32_t kind) {
        out_.patch(next_element_, kind);
        out_.patch(next_element_ + 4, as32(out_.size()));
        next_element_ += 8;
        element_ = out_.size();
        out_.text8(signature).u32(0);
    }

    void end() { out_.patch(element_ + 4, as32(out_.size() - element_)); }

    // Texts stand behind the entries that point at them.
    struct Pending {
        std::size_t at;
        std::u16string text;
    };

    void point_at(std::u16string text) {
        pending_.push_back({out_.size(), std::move(text)});
        out_.u32(0);
    }

    void write_texts() {
        for (const Pending& one : pending_) {
            out_.patch(one.at, as32(out_.size()));
            const std::size_t size = (4 + one.text.size() * 2 + 2 + 3) / 4 * 4;
            out_.u32(as32(size)).zero_terminated16(one.text).align(4);
        }
        pending_.clear();
    }

    using Offsets = std::map<std::uint64_t, std::uint32_t>; // by number

    void end_list(std::size_t count) {
        write_texts();
        if (count != 0) {
            end();
        }
    }

    void channels(const std::vector<ImageName>& all) {
        out_.u32(as32(all.size()));
        for (const ImageName& one : all) {
            channels_[one.number] = as32(out_.size());
            out_.u32(one.imported ? 1 : 0);
            point_at(one.name);
            out_.u32(as32(one.number)).u32(message(9, as32(one.number), one.message));
        }
        end_list(all.size());
    }

    void named(const std::vector<ImageName>& all, std::uint32_t kind, Offsets& offsets,
               bool are_opcodes) {
        out_.u32(as32(all.size()));
        for (const ImageName& one : all) {
            const std::uint32_t number =
                are_opcodes ? as32(one.number) << 16U | one.task : as32(one.number);
            offsets[number] = as32(out_.size());
            out_.u32(number).u32(message(kind, number & 0xFFFFFF, one.message));
            point_at(one.name);
        }
        end_list(all.size());
    }

    void tasks(const std::vector<ImageName>& all) {
        out_.u32(as32(all.size()));
        for (const ImageName& one : all) {
            tasks_[one.number] = as32(out_.size());
            out_.u32(as32(one.number)).u32(message(7, as32(one.number), one.message)).guid({});
            point_at(one.name);
        }
        end_list(all.size());
    }

    void keywords(const std::vector<ImageName>& all) {
        out_.u32(as32(all.size()));
        for (const ImageName& one : all) {
            out_.u64(one.number).u32(message(1, as32(one.number & 0xFFFF), one.message));
            point_at(one.name);
        }
        end_list(all.size());
    }

    void maps(const std::vector<ImageMap>& all) {
        out_.u32(as32(all.size()));
        const std::size_t list = out_.size();
        out_.fill(all.size() * 4);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const ImageMap& one = all[i];
            const std::size_t begin = out_.size();
            maps_[one.name] = as32(begin);
            out_.patch(list + i * 4, as32(begin));
            out_.text8(one.of_bits ? "BMAP" : "VMAP").u32(0);
            point_at(one.name);
            if (style_.map_head == MapHead::with_flags) {
                out_.u32(one.of_bits ? 1 : 0);
            }
            out_.u32(as32(one.entries.size()));
            for (const auto& [value, text] : one.entries) {
                out_.u32(value).u32(message(13, as32(i) << 16U | (value & 0xFFFF), text));
            }
            out_.patch(begin + 4, as32(out_.size() - begin));
        }
        end_list(all.size());
    }

    void write_template(const ImageTemplate& one) {
        const std::size_t begin = out_.size();
        templates_[one.name] = as32(begin);
        std::size_t count = one.fields.size();
        for (const ImageField& field : one.fields) {
            count += field.members.size();
        }
        out_.text8("TEMP").u32(0).u32(as32(one.fields.size())).u32(as32(count)).u32(0);
        out_.u32(one.user_data.empty() ? 1 : 2).guid({});
        BinaryXml(out_).fragment(xml_of(one));
        out_.align(4);
        out_.patch(begin + 16, as32(out_.size()));
        std::size_t next_member = one.fields.size();
        for (const ImageField& field : one.fields) {
            write_field(field, one.fields, 0, next_member);
            next_member += field.members.size();
        }
        std::size_t first = one.fields.size();
        for (const ImageField& field : one.fields) {
            for (const ImageField& member : field.members) {
                write_field(member, field.members, first, 0);
            }
            first += field.members.size();
        }
        write_texts();
        out_.patch(begin + 4, as32(out_.size() - begin));
    }

    ImageXml xml_of(const ImageTemplate& one) const {
        if (!one.user_data.empty() && style_.user_data == UserDataRoot::inner) {
            return one.user_data.front();
        }
        if (!one.user_data.empty()) {
            return {.name = u"UserData", .children = one.user_data};
        }
        ImageXml root{.name = u"EventData"};
        for (std::size_t i = 0; i < one.fields.size(); ++i) {
            std::u16string insert = u"%";
            for (const char digit : std::to_string(i + 1)) {
                insert.push_back(static_cast<char16_t>(digit));
            }
            root.children.push_back(
                {.name = one.fields[i].members.empty() ? u"Data" : u"ComplexData",
                 .attributes = {{u"Name", one.fields[i].name}},
                 .text = insert});
        }
        return root;
    }

    /// `first` is the index of the first of `siblings`.
    void write_field(const ImageField& field, const std::vector<ImageField>& siblings,
                     std::size_t first, std::size_t next_member) {
        std::uint32_t flags = field.members.empty() ? 0 : 1;
        const std::uint16_t count = extent(field.count, siblings, first, 0x10, 0x08, flags);
        const std::uint16_t length = extent(field.length, siblings, first, 0x04, 0x02, flags);
        out_.u32(flags);
        if (field.members.empty()) {
            out_.u8(field.in).u8(field.out).u16(0);
        } else {
            out_.u16(static_cast<std::uint16_t>(next_member));
            out_.u16(static_cast<std::uint16_t>(field.members.size()));
        }
        out_.u32(field.map.empty() ? 0 : maps_.at(field.map));
        out_.u16(count).u16(length);
        point_at(field.name);
    }

    static std::uint16_t extent(const ImageExtent& extent, const std::vector<ImageField>& siblings,
                                std::size_t first, std::uint32_t by_field, std::uint32_t fixed,
                                std::uint32_t& flags) {
        if (extent.field.empty()) {
            flags |= extent.number != 0 ? fixed : 0;
            return extent.number;
        }
        flags |= by_field;
        const auto found = std::ranges::find(siblings, extent.field, &ImageField::name);
        if (found == siblings.end()) {
            throw std::logic_error("no such field");
        }
        return static_cast<std::uint16_t>(first +
                                          static_cast<std::size_t>(found - siblings.begin()));
    }

    static std::uint32_t offset_of(const Offsets& offsets, std::uint64_t number) {
        const auto found = offsets.find(number);
        return found == offsets.end() ? 0 : found->second;
    }

    void events(const std::vector<ImageEvent>& all) {
        out_.u32(as32(all.size())).u32(0);
        for (const ImageEvent& one : all) {
            out_.u16(one.id).u8(one.version).u8(one.channel).u8(one.level).u8(one.opcode);
            out_.u16(one.task).u64(one.keyword);
            out_.u32(message(11, std::uint32_t{one.version} << 16U | one.id, one.message));
            out_.u32(one.payload.empty() ? 0 : templates_.at(one.payload));
            const std::uint32_t global = std::uint32_t{one.opcode} << 16U;
            const std::uint32_t local = offset_of(opcodes_, global | one.task);
            out_.u32(local != 0 ? local : offset_of(opcodes_, global));
            out_.u32(offset_of(levels_, one.level)).u32(offset_of(tasks_, one.task));
            out_.u32(0).u32(0).u32(offset_of(channels_, one.channel));
        }
        end();
    }

    WevtStyle style_;
    ByteWriter out_;
    Messages messages_;
    std::size_t block_ = 0, element_ = 0, next_element_ = 0;
    std::uint32_t elements_ = 0;
    std::vector<Pending> pending_;
    Offsets channels_, levels_, tasks_, opcodes_;
    std::map<std::u16string, std::uint32_t> maps_, templates_;
};

} // namespace

Wevt wevt(const std::vector<ImageProvider>& providers, const WevtStyle& style) {
    return CrimWriter(style).write(providers);
}

ImageResource template_resource(std::vector<std::byte> crim, std::uint16_t language) {
    return {.type_name = u"WEVT_TEMPLATE", .language = language, .bytes = std::move(crim)};
}

ImageResource message_resource(std::vector<std::byte> table, std::uint16_t language) {
    return {.type = 11, .language = language, .bytes = std::move(table)};
}

Messages translated(const Messages& messages) {
    Messages others;
    for (const auto& [id, text] : messages) {
        others[id] = u"de: " + text;
    }
    return others;
}

} // namespace etl::test

#include "schema/wpp/pdb_enums.hpp"

#include "base/cursor.hpp"
#include "base/function_ref.hpp"
#include "base/text.hpp"
#include "schema/limits.hpp"

#include <unordered_set>

namespace etl::schema {

namespace {

constexpr std::size_t type_information = 2; // the stream

namespace leaf {
constexpr std::uint16_t field_list = 0x1203;
constexpr std::uint16_t enumerator = 0x1502;
constexpr std::uint16_t enumeration = 0x1507;
} // namespace leaf

using Entries = decltype(ValueMap::entries);

// A number is two bytes, or two that say how many follow.
std::uint32_t take_number(Cursor& in) noexcept {
    const std::uint16_t first = in.u16("number");
    if (first < 0x8000) {
        return first;
    }
    switch (first) {
    case 0x8000:
        return static_cast<std::uint32_t>(static_cast<std::int8_t>(in.u8("number")));
    case 0x8001:
        return static_cast<std::uint32_t>(static_cast<std::int16_t>(in.u16("number")));
    case 0x8002:
        return in.u16("number");
    case 0x8003:
    case 0x8004:
        return in.u32("number");
    default:
        return static_cast<std::uint32_t>(in.u64("number"));
    }
}

/// Goes over the types twice: for the enumerations, then for their lists of members.
class EnumReader {
public:
    explicit EnumReader(Bytes types) {
        Cursor in(types);
        in.u32("version");
        const std::size_t header = in.u32("size of the header");
        first_index_ = in.u32("first index");
        records_ = clamped(types, header);
    }

    void run(PdbEnums& enums) {
        for_each([&](std::uint32_t, std::uint16_t kind, Bytes content) {
            if (kind == leaf::enumeration) {
                find(content, enums);
            }
        });
        for_each([&](std::uint32_t index, std::uint16_t kind, Bytes content) {
            if (kind == leaf::field_list && lists_.contains(index)) {
                read_members(content, *lists_[index]);
            }
        });
    }

private:
    void for_each(FunctionRef<void(std::uint32_t, std::uint16_t, Bytes)> each) const {
        std::uint32_t index = first_index_;
        for (std::size_t at = 0; has_range(records_, at, 4); ++index) {
            const std::size_t size = 2UL + load_le<std::uint16_t>(records_.data() + at);
            if (size < 4 || !has_range(records_, at, size)) {
                return;
            }
            each(index, load_le<std::uint16_t>(records_.data() + at + 2),
                 records_.subspan(at + 4, size - 4));
            at += size;
        }
    }

    void find(Bytes content, PdbEnums& enums) {
        Cursor in(content);
        in.u16("count");
        const std::uint16_t property = in.u16("property");
        in.u32("underlying type");
        const std::uint32_t list = in.u32("list of members");
        constexpr std::uint16_t is_declared_only = 0x80;
        const auto wanted = enums.find(std::string(as_text(in.zero_terminated8("name"))));
        // Modules may define the same type again.
        if (in && wanted != enums.end() && (property & is_declared_only) == 0 &&
            defined_.insert(&wanted->second).second) {
            lists_.try_emplace(list, &wanted->second);
        }
    }

    void read_members(Bytes content, Entries& to) const {
        Cursor in(content);
        while (in.left() >= 4 && to.size() < limits::schema_fields) {
            if (in.u16("kind") != leaf::enumerator) {
                return; // the list goes on elsewhere, or it is none of an enumeration
            }
            in.u16("attributes");
            const std::uint32_t value = take_number(in);
            const std::string_view name = as_text(in.zero_terminated8("name"));
            if (!in) {
                return;
            }
            append_utf8(to.emplace_back(value, std::string()).second,
                        std::as_bytes(std::span(name)));
            while (!in.is_at_end() && content[in.position()] >= std::byte{0xF0}) {
                in.u8("padding");
            }
        }
    }

    Bytes records_;
    std::uint32_t first_index_ = 0;
    std::unordered_map<std::uint32_t, Entries*> lists_;
    std::unordered_set<const Entries*> defined_;
};

} // namespace

void read_enums(const symbols::StreamFile& file, PdbEnums& enums) {
    std::vector<std::byte> types;
    if (!enums.empty() && file.read(type_information, types)) {
        EnumReader(types).run(enums);
    }
}

} // namespace etl::schema

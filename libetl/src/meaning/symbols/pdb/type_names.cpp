#include "symbols/pdb/type_names.hpp"

#include "base/cursor.hpp"
#include "base/text.hpp"
#include "symbols/limits.hpp"
#include "symbols/source.hpp"

#include <algorithm>

namespace etl::symbols {

namespace {

constexpr std::size_t type_stream = 2;
constexpr std::size_t item_stream = 4;

// Skips a number: two bytes, or two bytes that specify the size of what follows.
void skip_number(Cursor& in) noexcept {
    switch (in.u16("number")) {
    case 0x8000:
        in.u8("number");
        return;
    case 0x8001:
    case 0x8002:
        in.u16("number");
        return;
    case 0x8003:
    case 0x8004:
        in.u32("number");
        return;
    case 0x8009:
    case 0x800A:
        in.u64("number");
        return;
    default:
        return;
    }
}

} // namespace

TypeRecords::TypeRecords(const StreamFile& file, std::size_t stream)
    : file_(&file), stream_(stream) {
    constexpr std::size_t header_size = 56;
    std::vector<std::byte> scratch;
    const Bytes header = file.part(stream, 0, header_size, scratch);
    if (header.empty()) {
        return;
    }
    begin_ = load_le<std::uint32_t>(header.data() + 4);
    first_ = load_le<std::uint32_t>(header.data() + 8);
    end_ = load_le<std::uint32_t>(header.data() + 12);
    read_entries(header);
    if (entries_.empty() || entries_.front().index != first_) {
        make_entries();
    }
}

// The stream of the hash table contains the offset of a record every 8 KB.
void TypeRecords::read_entries(Bytes header) {
    const auto stream = load_le<std::uint16_t>(header.data() + 20);
    const auto offset = load_le<std::uint32_t>(header.data() + 40);
    const auto size = load_le<std::uint32_t>(header.data() + 44);
    std::vector<std::byte> scratch;
    const Bytes list = file_->part(stream, offset, size, scratch);
    entries_.reserve(list.size() / 8);
    for (std::size_t at = 0; has_range(list, at, 8); at += 8) {
        entries_.push_back({load_le<std::uint32_t>(list.data() + at),
                            load_le<std::uint32_t>(list.data() + at + 4)});
    }
    if (!std::ranges::is_sorted(entries_, {}, &Entry::index)) {
        entries_.clear();
    }
}

void TypeRecords::make_entries() {
    constexpr std::uint32_t step = 256;
    entries_.clear();
    std::vector<std::byte> records;
    file_->read(stream_, records);
    std::size_t at = begin_;
    for (std::uint32_t index = first_; index < end_; ++index) {
        const auto record = record_at<TypeKind>(records, at);
        if (record.size == 0) {
            end_ = index;
            return;
        }
        if ((index - first_) % step == 0) {
            entries_.push_back({index, static_cast<std::uint32_t>(at - begin_)});
        }
        at += record.size;
    }
}

CodeViewRecord<TypeKind> TypeRecords::at(std::uint32_t index,
                                         std::vector<std::byte>& scratch) const {
    const Entry* const entry =
        index < end_ ? last_at_or_below(std::span(entries_), index, &Entry::index) : nullptr;
    if (entry == nullptr || index - entry->index > limits::type_records) {
        return {};
    }
    std::uint64_t at = std::uint64_t{begin_} + entry->offset;
    for (std::uint32_t here = entry->index;; ++here) {
        const Bytes size_field = file_->part(stream_, at, 2, scratch);
        if (size_field.empty()) {
            return {};
        }
        const std::size_t size = 2UL + load_le<std::uint16_t>(size_field.data());
        if (here == index) {
            return record_at<TypeKind>(file_->part(stream_, at, size, scratch), 0);
        }
        at += size;
    }
}

TypeNames::TypeNames(const StreamFile& file)
    : types_(file, type_stream), items_(file, item_stream) {}

bool TypeNames::append_function(std::uint32_t item, std::string& to) const {
    std::vector<std::byte> scratch;
    const auto record = items_.at(item, scratch);
    if (record.kind != TypeKind::function_id && record.kind != TypeKind::member_function_id) {
        return false;
    }
    Cursor in(record.content);
    const std::uint32_t scope = in.u32("scope or class");
    in.u32("type");
    const Bytes name = in.zero_terminated8("name");
    const std::size_t before = to.size();
    if (record.kind == TypeKind::member_function_id) {
        append_type(scope, to);
    } else if (scope != 0) {
        std::vector<std::byte> scope_scratch;
        const auto text = items_.at(scope, scope_scratch);
        if (text.kind == TypeKind::string_id && text.content.size() > 4) {
            Cursor scope_in(text.content.subspan(4));
            to.append(as_text(scope_in.zero_terminated8("scope")));
        }
    }
    to.append(to.size() == before ? "" : "::").append(as_text(name));
    return !name.empty();
}

bool TypeNames::append_type(std::uint32_t type, std::string& to) const {
    std::vector<std::byte> scratch;
    const auto record = types_.at(type, scratch);
    Cursor in(record.content);
    in.bytes("members, properties, fields", 8);
    switch (record.kind) {
    case TypeKind::class_type:
    case TypeKind::structure:
    case TypeKind::interface_type:
        in.bytes("base, virtual table", 8);
        skip_number(in);
        break;
    case TypeKind::union_type:
        skip_number(in);
        break;
    case TypeKind::enumeration:
        in.u32("fields");
        break;
    case TypeKind::function_id:
    case TypeKind::member_function_id:
    case TypeKind::string_id:
    default:
        return false;
    }
    const Bytes name = in.zero_terminated8("name");
    to.append(as_text(name));
    return !name.empty();
}

} // namespace etl::symbols

#include "evtx/chunk_writer.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <utility>

namespace etl::evtx {

namespace {

// Some readers miss a record that ends with its chunk.
constexpr std::size_t records_end = chunk_size - record_overhead;
constexpr std::uint32_t written_flags = 1; // as Windows sets them
constexpr std::uint64_t no_record = 0xFFFFFFFFFFFFFFFF;
constexpr std::size_t name_head_size = 8; // next u32, hash u16, characters u16

std::uint64_t fnv1a(std::string_view text, std::uint64_t hash) noexcept {
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    }
    return hash;
}

/// The same for equal definitions; otherwise any.
Guid template_guid(std::string_view key) noexcept {
    Guid guid;
    store_le(guid.bytes.data(), fnv1a(key, 0xCBF29CE484222325ULL));
    store_le(guid.bytes.data() + 8, fnv1a(key, 0x84222325CBF29CE4ULL));
    return guid;
}

std::size_t template_bucket(const Guid& guid) noexcept {
    std::array<char16_t, 8> units{};
    for (std::size_t i = 0; i < units.size(); ++i) {
        units[i] = load_le<std::uint16_t>(guid.bytes.data() + 2 * i);
    }
    return name_hash({units.data(), units.size()}) % template_buckets;
}

} // namespace

ChunkWriter::ChunkWriter() {
    clear();
}

void ChunkWriter::clear() {
    bytes_.clear();
    bytes_.fill(chunk_header_size);
    tables_ = {};
    templates_.clear();
    added_.clear();
    record_ = previous_ = 0;
    records_ = 0;
    ++generation_;
}

void ChunkWriter::begin_record(std::uint64_t id, std::int64_t written) {
    before_ = tables_;
    added_.clear();
    previous_ = record_;
    record_ = position();
    std::array<std::byte, record_header_size> head{}; // the size follows in end_record()
    store_le(head.data(), record_signature);
    store_le(head.data() + 8, id);
    store_le(head.data() + 16, written);
    bytes_.bytes(head);
    first_id_ = records_ == 0 ? id : first_id_;
    previous_id_ = std::exchange(last_id_, id);
    ++records_;
}

std::size_t ChunkWriter::end_record() {
    bytes_.u32(0).align(8); // the size, in the last bytes
    const auto size = position() - record_;
    bytes_.patch(record_ + 4, size);
    bytes_.patch(bytes_.size() - 4, size);
    return bytes_.size() > records_end ? bytes_.size() - records_end : 0;
}

void ChunkWriter::undo_record() {
    ByteWriter kept; // once per chunk
    kept.bytes(bytes_.view().first(record_));
    bytes_ = std::move(kept);
    tables_ = before_;
    for (const std::string& key : added_) {
        templates_.erase(key);
    }
    added_.clear();
    ++generation_;
    record_ = previous_;
    --records_;
    last_id_ = previous_id_;
}

Bytes ChunkWriter::finish(std::uint64_t first_number) {
    ChunkHeader header{.first_number = first_number,
                       .last_number = first_number + records_ - 1,
                       .first_id = first_id_,
                       .last_id = last_id_,
                       .last_record = record_,
                       .free_space = position(),
                       .records_checksum = checksum(bytes_.view().subspan(chunk_header_size)),
                       .flags = written_flags};
    if (records_ == 0) {
        header.last_number = header.first_id = header.last_id = no_record;
    }
    bytes_.fill(chunk_size - bytes_.size());
    for (std::size_t i = 0; i < name_buckets; ++i) {
        bytes_.patch(name_table_offset + 4 * i, tables_.names[i]);
    }
    for (std::size_t i = 0; i < template_buckets; ++i) {
        bytes_.patch(template_table_offset + 4 * i, tables_.templates[i]);
    }
    std::array<std::byte, chunk_header_size> head{};
    std::ranges::copy(bytes_.view().first(chunk_header_size), head.begin());
    store_chunk_header(head, header);
    bytes_.patch(0, head);
    return bytes_.view();
}

void ChunkWriter::known_instance(const Definition& definition) {
    std::array<std::byte, 10> head{std::byte{static_cast<std::uint8_t>(Token::template_instance)},
                                   std::byte{1}};
    store_le(head.data() + 2, definition.id);
    store_le(head.data() + 6, definition.offset);
    bytes_.bytes(head);
}

ChunkWriter::Instance ChunkWriter::begin_instance(std::string_view key) {
    if (const auto known = templates_.find(key); known != templates_.end()) {
        known_instance(known->second);
        return {known->second, false};
    }
    token(Token::template_instance);
    const Guid guid = template_guid(key);
    const auto id = load_le<std::uint32_t>(guid.bytes.data());
    bytes_.u8(1).u32(id);
    const std::uint32_t offset = position() + 4;
    std::uint32_t& newest = tables_.templates[template_bucket(guid)];
    bytes_.u32(offset).u32(std::exchange(newest, offset)).guid(guid).u32(0);
    template_size_ = bytes_.size() - 4;
    templates_.emplace(key, Definition{id, offset});
    added_.emplace_back(key);
    return {{id, offset}, true};
}

void ChunkWriter::end_template() {
    token(Token::end_of_fragment);
    bytes_.patch(template_size_, static_cast<std::uint32_t>(bytes_.size() - template_size_ - 4));
}

void ChunkWriter::fragment_header() {
    constexpr std::uint32_t header =
        0x00010100U | static_cast<std::uint32_t>(Token::fragment_header);
    bytes_.u32(header); // 0F 01 01 00
}

void ChunkWriter::token(Token token, bool more) {
    bytes_.u8(static_cast<std::uint8_t>(static_cast<unsigned>(token) | (more ? more_bit : 0U)));
}

std::size_t ChunkWriter::open(std::string_view name, bool has_attributes,
                              std::uint16_t dependency) {
    token(Token::open_element, has_attributes);
    bytes_.u16(dependency).u32(0);
    const std::size_t size = bytes_.size() - 4;
    this->name(name);
    return size;
}

void ChunkWriter::close(std::size_t element, Token end) {
    token(end);
    bytes_.patch(element, static_cast<std::uint32_t>(bytes_.size() - element - 4));
}

std::size_t ChunkWriter::begin_attributes() {
    bytes_.u32(0);
    return bytes_.size() - 4;
}

void ChunkWriter::end_attributes(std::size_t position) {
    bytes_.patch(position, static_cast<std::uint32_t>(bytes_.size() - position - 4));
}

void ChunkWriter::attribute(std::string_view name, bool more) {
    token(Token::attribute, more);
    this->name(name);
}

void ChunkWriter::text(std::string_view utf8) {
    std::u16string units = to_utf16(utf8);
    units.resize(std::min<std::size_t>(units.size(), 0x7FFF));
    token(Token::text);
    bytes_.u8(static_cast<std::uint8_t>(ValueType::string));
    bytes_.u16(static_cast<std::uint16_t>(units.size())).text16(units);
}

void ChunkWriter::text(Bytes units) {
    const Bytes stored = units.first(std::min<std::size_t>(units.size() / 2, 0x7FFF) * 2);
    token(Token::text);
    bytes_.u8(static_cast<std::uint8_t>(ValueType::string));
    bytes_.u16(static_cast<std::uint16_t>(stored.size() / 2)).bytes(stored);
}

void ChunkWriter::substitution(Token token, std::uint16_t index, std::uint8_t type) {
    this->token(token);
    bytes_.u16(index).u8(type);
}

std::uint32_t ChunkWriter::find_name(std::u16string_view units, std::uint32_t hash) const {
    std::uint32_t at = tables_.names[hash % name_buckets];
    while (at != 0) {
        const Bytes name = bytes_.view().subspan(at);
        const auto size = load_le<std::uint16_t>(name.data() + 6);
        const auto unit = [&](std::size_t i) {
            return load_le<char16_t>(name.data() + name_head_size + 2 * i);
        };
        std::size_t same = 0;
        while (size == units.size() && same < size && unit(same) == units[same]) {
            ++same;
        }
        if (size == units.size() && same == size) {
            return at;
        }
        at = load_le<std::uint32_t>(name.data());
    }
    return 0;
}

void ChunkWriter::name(std::string_view utf8) {
    std::u16string& units = units_;
    if (std::ranges::all_of(utf8, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
        units.assign(utf8.begin(), utf8.end());
    } else {
        units = to_utf16(utf8);
    }
    units.resize(std::min<std::size_t>(units.size(), 0x7FFF));
    const std::uint32_t hash = name_hash(units);
    if (const std::uint32_t known = find_name(units, hash); known != 0) {
        bytes_.u32(known);
        return;
    }
    const std::uint32_t here = position() + 4;
    std::uint32_t& newest = tables_.names[hash % name_buckets];
    bytes_.u32(here).u32(std::exchange(newest, here));
    bytes_.u16(static_cast<std::uint16_t>(hash)).u16(static_cast<std::uint16_t>(units.size()));
    bytes_.zero_terminated16(units);
}

} // namespace etl::evtx

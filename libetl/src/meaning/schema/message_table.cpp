#include "schema/message_table.hpp"

#include "base/text.hpp"
#include "schema/event_name.hpp"
#include "schema/image.hpp"

#include <utility>

namespace etl::schema {

namespace {

// MESSAGE_RESOURCE_DATA, _BLOCK, _ENTRY of winnt.h. docs/format/images.md#message-tables
constexpr std::size_t count_size = 4;
constexpr std::size_t block_size = 12;
constexpr std::size_t entry_head = 4;

constexpr std::uint16_t utf16_flag = 1; // flags of an entry; 0 is text of an ANSI code page
constexpr std::uint16_t utf8_text = 2;

Result<Bytes> entry_at(Bytes resource, std::size_t at) {
    if (!has_range(resource, at, entry_head)) {
        return fail(ErrorCode::truncated, "message", FileOffset{at}, entry_head,
                    clamped(resource, at).size());
    }
    const std::size_t size = load_at<std::uint16_t>(resource, at);
    if (size < entry_head) {
        return fail(ErrorCode::malformed, "size of a message", FileOffset{at}, entry_head, size);
    }
    if (!has_range(resource, at, size)) {
        return fail(ErrorCode::truncated, "message", FileOffset{at}, size,
                    clamped(resource, at).size());
    }
    return resource.subspan(at, size);
}

std::string text_of(Bytes entry) {
    const auto flags = load_at<std::uint16_t>(entry, 2);
    const Bytes bytes = entry.subspan(entry_head);
    std::string text;
    if (flags == utf16_flag) {
        append_utf16le(text, until_zero(bytes, 2));
    } else if (flags == utf8_text) {
        append_utf8(text, until_zero(bytes, 1));
    } else {
        append_ansi(text, until_zero(bytes, 1));
    }
    text.resize(without_message_end(text).size());
    return text;
}

} // namespace

Result<MessageTable> MessageTable::parse(Bytes resource) {
    if (resource.size() < count_size) {
        return fail(ErrorCode::truncated, "message table", {}, count_size, resource.size());
    }
    const std::size_t blocks = load_at<std::uint32_t>(resource, 0);
    if (blocks > (resource.size() - count_size) / block_size) {
        return fail(ErrorCode::truncated, "blocks of a message table", FileOffset{count_size},
                    blocks * block_size, resource.size() - count_size);
    }
    MessageTable table;
    std::size_t left = resource.size(); // blocks do not share entries
    for (std::size_t block = 0; block < blocks; ++block) {
        const std::size_t from = count_size + block * block_size;
        const std::uint64_t low = load_at<std::uint32_t>(resource, from);
        const std::uint64_t high = load_at<std::uint32_t>(resource, from + 4);
        std::size_t at = load_at<std::uint32_t>(resource, from + 8);
        for (std::uint64_t id = low; id <= high; ++id) {
            const auto entry = entry_at(resource, at);
            if (!entry) {
                return std::unexpected(entry.error());
            }
            if (entry->size() > left) {
                return fail(ErrorCode::limit, "overlapping blocks of a message table",
                            FileOffset{at}, resource.size());
            }
            left -= entry->size();
            at += entry->size();
            table.add(static_cast<std::uint32_t>(id), text_of(*entry));
        }
    }
    return table;
}

const std::string* MessageTable::find(std::uint32_t id) const noexcept {
    const auto found = texts_.find(id);
    return found == texts_.end() ? nullptr : &found->second;
}

void MessageTable::merge(const MessageTable& other) {
    for (const auto& [id, text] : other.texts_) {
        if (!texts_.contains(id)) {
            add(id, std::string(text));
        }
    }
}

// The first text of an id stays.
void MessageTable::add(std::uint32_t id, std::string&& text) {
    const auto [place, is_new] = texts_.try_emplace(id, std::move(text));
    if (is_new) {
        bytes_ += sizeof(*place) + place->second.size();
    }
}

} // namespace etl::schema

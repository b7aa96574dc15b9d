// RT_MESSAGETABLE resources: texts by message ID. Thread-safe once parsed.
// docs/format/images.md#message-tables
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include <cstdint>
#include <string>
#include <unordered_map>

namespace etl::schema {

class MessageTable {
public:
    /// Parses one resource. Errors: truncated, malformed, limit.
    static Result<MessageTable> parse(Bytes resource);

    /// Returns the text of a message without the line end added by the message compiler, or null.
    /// Valid as long as the table.
    const std::string* find(std::uint32_t id) const noexcept;

    /// Adds the messages of `other` that are missing here.
    void merge(const MessageTable& other);

    std::size_t size() const noexcept { return texts_.size(); }

    /// Returns the approximate memory use.
    std::size_t bytes() const noexcept { return bytes_; }

private:
    void add(std::uint32_t id, std::string&& text);

    std::unordered_map<std::uint32_t, std::string> texts_;
    std::size_t bytes_ = 0;
};

} // namespace etl::schema

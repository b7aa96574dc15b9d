// RT_MESSAGETABLE resources: texts by message id. Immutable once parsed; any thread.
// docs/format/images.md#message-tables
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/result.hpp>

#include <cstdint>
#include <string>
#include <unordered_map>

namespace etl::schema {

class MessageTable {
public:
    /// Parses one resource. Errors: truncated, malformed, limit.
    static Result<MessageTable> parse(Bytes resource);

    /// The text of a message without the line end that the message compiler adds; null: there is
    /// none. Lives as long as the table.
    const std::string* find(std::uint32_t id) const noexcept;

    /// Adds what `other` has and this has not.
    void merge(const MessageTable& other);

    std::size_t size() const noexcept { return texts_.size(); }

    /// Memory that it takes, about.
    std::size_t bytes() const noexcept { return bytes_; }

private:
    void add(std::uint32_t id, std::string text);

    std::unordered_map<std::uint32_t, std::string> texts_;
    std::size_t bytes_ = 0;
};

} // namespace etl::schema

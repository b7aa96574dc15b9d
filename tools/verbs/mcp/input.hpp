// Lines of standard input as they arrive, in bounded memory.
#pragma once

#include "io/byte_stream.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli::mcp {

class MessageInput {
public:
    /// A line over `longest` bytes is not kept.
    MessageInput(std::unique_ptr<etl::io::ByteStream> from, std::size_t longest)
        : from_(std::move(from)), longest_(longest) {}

    struct Line {
        std::string text; // without the line end
        bool is_too_long = false;
    };

    /// Returns the next line that is not empty, or nothing if it is not complete within `timeout`
    /// and at the end.
    std::optional<Line> next(std::chrono::milliseconds timeout);

    /// Returns whether the input has ended, and every line was returned. An input that cannot be
    /// read has ended.
    bool at_end() const noexcept { return has_ended_ && pending_.empty(); }

private:
    std::optional<Line> take_line();
    void read_some(std::chrono::milliseconds timeout);

    std::unique_ptr<etl::io::ByteStream> from_;
    std::size_t longest_;
    std::vector<std::byte> block_ = std::vector<std::byte>(64U << 10U);
    std::string pending_;
    std::size_t searched_ = 0; // bytes of pending_ without a line end
    bool has_ended_ = false;
    bool is_skipping_ = false; // inside a line that is too long
};

} // namespace cli::mcp

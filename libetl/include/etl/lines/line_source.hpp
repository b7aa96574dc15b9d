// Lines of a file or of standard input, in bounded memory. One thread.
#pragma once

#include <etl/base/result.hpp>

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::lines {

class LineSource {
public:
    struct Line {
        /// Without blanks around it; line_padding bytes (line_trace.hpp) follow.
        std::string_view text;
        std::uint64_t number = 0; // 1-based
        bool is_too_long = false; // over limits::json_line_bytes: `text` is empty
    };

    virtual ~LineSource() = default;

    /// A file, mapped; each member of a packed one (io::is_packed), unpacked into a temporary file;
    /// `-` is standard input, read as it comes. Errors: not_found, io_failure; those of io::unpack.
    static etl::Result<std::vector<std::unique_ptr<LineSource>>> open(const std::string& path);

    /// For messages: the path, `archive.zip:member.jsonl` or `-`.
    virtual const std::string& name() const noexcept = 0;

    /// The next line that holds anything, or nothing: at the end, or where error() says why. What
    /// makes an array of lines is left out: `[` and `]` alone, and commas at the end. Valid until
    /// the next call.
    std::optional<Line> next();

    /// How far it is done, 0 to 1; 0 where nobody knows.
    virtual double fraction_done() const noexcept = 0;
    virtual const std::optional<etl::Error>& error() const noexcept = 0;

private:
    /// A line without its end, with what follows it; nothing at the end.
    virtual std::optional<Line> next_raw() = 0;
};

} // namespace etl::lines

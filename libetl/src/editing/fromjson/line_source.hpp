// Lines of a file or of standard input, read in bounded memory. Not thread-safe.
#pragma once

#include <etl/error.hpp>

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::fromjson {

class LineSource {
public:
    struct Line {
        /// Trimmed; followed by line_padding bytes (line_trace.hpp).
        std::string_view text;
        std::uint64_t number = 0; // 1-based
        bool is_too_long = false; // over limits::json_line_bytes: `text` is empty
    };

    virtual ~LineSource() = default;

    /// Opens a file, which is mapped; or each member of a compressed file or archive
    /// (io::is_packed), decompressed to a temporary file; or `-`, standard input, read as it
    /// arrives. Errors: not_found, io_failure; those of io::unpack.
    static etl::Result<std::vector<std::unique_ptr<LineSource>>> open(const std::string& path);

    /// Returns the name for messages: the path, `archive.zip:member.jsonl`, or `-`.
    virtual const std::string& name() const noexcept = 0;

    /// Returns the next nonempty line; nothing at the end, or after an error (see error()). Array
    /// syntax around lines is removed: `[` and `]` alone on a line, and trailing commas. Valid
    /// until the next call.
    std::optional<Line> next();

    /// Returns the completed fraction, 0 to 1; 0 if unknown.
    virtual double fraction_done() const noexcept = 0;
    virtual const std::optional<etl::Error>& error() const noexcept = 0;

private:
    /// Returns the next line without its line end, followed by padding; nothing at the end.
    virtual std::optional<Line> next_raw() = 0;
};

} // namespace etl::fromjson

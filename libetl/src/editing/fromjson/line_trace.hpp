// Conversion of JSON lines to the input of trace::Writer: a recording, then records. docs/write.md
#pragma once

#include "encode/payload.hpp"
#include "schema/schema_store.hpp"
#include "trace/recording.hpp"

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etl::fromjson {

/// Errors in input lines.
struct LineError {
    std::string field; // key or path of a value: `data.Rows[3].Name`; empty: the line itself
    std::string what;
};

template <typename T>
using LineResult = std::expected<T, LineError>;

inline std::unexpected<LineError> line_error(std::string field, std::string what) {
    return std::unexpected(LineError{std::move(field), std::move(what)});
}

inline std::unexpected<LineError> line_error(std::string_view key,
                                             const etl::encode::Mismatch& mismatch) {
    const std::string path(key);
    return line_error(mismatch.field.empty() ? path : path + "." + mismatch.field, mismatch.what);
}

// Choice between two representations of a payload.

/// The source of a payload if a line has both `payload` and `data`.
enum class PreferredSource : std::uint8_t { payload, data };

/// Returns external schemas, frozen: at least those of `provider` and of the providers that it was
/// called with before; null: all. Called once for each provider, when a line first needs it. May
/// return the same store again.
using SchemaLoader =
    std::function<std::shared_ptr<const schema::SchemaStore>(const Guid* provider)>;

/// Number of readable bytes that must follow each line; their content is ignored.
extern const std::size_t line_padding;

/// Converts the lines of one trace: first inspect() some lines, then make() all of them. Not
/// thread-safe.
class LineTrace {
public:
    /// `schemas` may be empty: no external schemas.
    LineTrace(SchemaLoader schemas, PreferredSource prefer);
    ~LineTrace();
    LineTrace(const LineTrace&) = delete;
    LineTrace& operator=(const LineTrace&) = delete;

    /// Inspects one of the first lines, which will be passed to make() as well. line_padding bytes
    /// must follow it.
    void inspect(std::string_view line, std::uint64_t number);

    /// Returns whether inspecting further lines could change the result.
    bool needs_more_lines() const noexcept;

    /// Returns the recording of the trace. Call once, before the first make().
    trace::Recording begin();

    /// Returns whether begin() used a log file header.
    bool has_header() const noexcept;

    /// Adds the records to an existing trace instead of the one described by begin().
    void continue_trace(const trace::Recording& recording);

    struct LineRecord {
        std::uint16_t processor = 0;
        Bytes record;                // empty: the line is not an event, but describes the trace
        bool has_usable_time = true; // false: `time` is null
    };

    /// Returns the record of a line. `number` is the one passed to inspect(), 0 if not inspected.
    /// line_padding bytes must follow the line. Valid until the next call.
    LineResult<LineRecord> make(std::string_view line, std::uint64_t number);

    /// Returns the number of log file headers after the first.
    std::uint64_t further_headers() const noexcept;

    const std::vector<std::string>& unknown_keys() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace etl::fromjson

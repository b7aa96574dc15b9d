// The inputs of `etl write`.
#pragma once

#include "fromjson/line_source.hpp"
#include "fromjson/line_trace.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// All inputs as one, with lookahead. Prints read errors to standard error.
class LineInputs {
public:
    struct Line {
        etl::fromjson::LineSource::Line line;
        std::size_t file = 0;
    };

    /// No names: standard input.
    explicit LineInputs(std::vector<std::string> names);

    /// If an input cannot be opened, prints why and returns false.
    bool open();

    /// Passes the first lines to the trace, as many as it needs, and to `seen`. next() returns them
    /// again.
    template <typename Seen>
    void look_ahead(etl::fromjson::LineTrace& trace, Seen seen) {
        constexpr std::size_t max_lines = 4096;
        constexpr std::size_t max_bytes = 1U << 20U;
        std::size_t bytes = 0;
        while (trace.needs_more_lines() && ahead_.size() < max_lines && bytes < max_bytes) {
            const auto next = read();
            if (!next) {
                return;
            }
            bytes += next->line.text.size();
            Kept& kept = ahead_.emplace_back(Kept{{}, *next});
            kept.text.assign(next->line.text).append(etl::fromjson::line_padding, '\0');
            if (next->file == 0) {
                trace.inspect(view_of(kept).line.text, next->line.number);
            }
            seen(view_of(kept));
        }
    }

    std::optional<Line> next() {
        return taken_ < ahead_.size() ? view_of(ahead_[taken_++]) : read();
    }

    const std::string& name(std::size_t file) const noexcept { return sources_[file]->name(); }

    double fraction_done() const noexcept;

    /// An input could not be read to its end.
    bool failed() const noexcept { return failed_; }

private:
    struct Kept {
        std::string text;
        Line line;
    };

    static Line view_of(const Kept& kept);
    std::optional<Line> read();

    std::vector<std::string> names_;
    std::vector<std::unique_ptr<etl::fromjson::LineSource>> sources_;
    std::vector<Kept> ahead_;
    std::size_t taken_ = 0, current_ = 0;
    bool failed_ = false;
};

} // namespace cli

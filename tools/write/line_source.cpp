#include "write/line_source.hpp"

#include <etl/base/limits.hpp>
#include <etl/base/text.hpp>
#include <etl/io/input_file.hpp>

#include "write/event_line.hpp"

#include <cerrno>
#include <cstdio>
#include <vector>

namespace lines {

namespace {

constexpr std::size_t padding = EventLineReader::padding;
constexpr std::size_t longest = etl::limits::json_line_bytes;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::string_view without_blanks(std::string_view text) noexcept {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t begin = text.find_first_not_of(blanks);
    return begin == text.npos ? std::string_view{}
                              : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

class MappedLines final : public LineSource {
public:
    explicit MappedLines(std::shared_ptr<const etl::io::InputFile> file)
        : file_(std::move(file)), rest_(etl::as_text(file_->bytes())) {}

    double fraction_done() const noexcept override {
        const auto size = static_cast<double>(file_->bytes().size());
        return size > 0 ? 1.0 - static_cast<double>(rest_.size()) / size : 1.0;
    }

    const std::optional<etl::Error>& error() const noexcept override { return file_->damage(); }

private:
    std::optional<Line> next_raw() override {
        if (rest_.empty()) {
            return std::nullopt;
        }
        const std::size_t end = std::min(rest_.find('\n'), rest_.size());
        Line line{.text = rest_.substr(0, end), .number = ++number_};
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        if (line.text.size() > longest) {
            return Line{.number = line.number, .is_too_long = true};
        }
        if (rest_.size() < padding) { // what follows is not ours to read
            last_.assign(line.text).append(padding, '\0');
            line.text = std::string_view(last_).substr(0, line.text.size());
        }
        return line;
    }

    std::shared_ptr<const etl::io::InputFile> file_;
    std::string_view rest_;
    std::uint64_t number_ = 0;
    std::string last_;
};

class StandardInput final : public LineSource {
public:
    double fraction_done() const noexcept override { return 0; }

    const std::optional<etl::Error>& error() const noexcept override { return error_; }

private:
    static constexpr std::size_t block = 256U << 10U;

    std::optional<Line> next_raw() override {
        bool is_too_long = false;
        std::size_t searched = begin_;
        for (;;) {
            const std::string_view there(buffer_.data(), end_);
            const std::size_t found = there.find('\n', searched);
            if (found != there.npos) {
                return take(found, found + 1, is_too_long);
            }
            if (end_ - begin_ > longest) {
                is_too_long = true;
                begin_ = end_;
            }
            searched = end_ - begin_; // where it will lie
            if (!fill()) {
                return begin_ == end_ && !is_too_long
                           ? std::nullopt
                           : std::optional(take(end_, end_, is_too_long));
            }
        }
    }

    Line take(std::size_t end, std::size_t next, bool is_too_long) {
        const Line line{.text = is_too_long
                                    ? std::string_view{}
                                    : std::string_view(buffer_.data() + begin_, end - begin_),
                        .number = ++number_,
                        .is_too_long = is_too_long};
        begin_ = next;
        return line;
    }

    // What is there moves to the front, more comes behind it. False: the input is at its end.
    bool fill() {
        std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
                  buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
        end_ -= begin_;
        begin_ = 0;
        if (buffer_.size() < end_ + block + padding) {
            buffer_.resize(end_ + block + padding);
        }
        const std::size_t got = std::fread(buffer_.data() + end_, 1, block, stdin);
        end_ += got;
        if (got == 0 && std::ferror(stdin) != 0) {
            error_ = etl::Error{etl::ErrorCode::io_failure, "standard input"};
            error_->os_code = errno;
        }
        return got > 0;
    }

    std::vector<char> buffer_;
    std::size_t begin_ = 0, end_ = 0;
    std::uint64_t number_ = 0;
    std::optional<etl::Error> error_;
};

} // namespace

etl::Result<std::unique_ptr<LineSource>> LineSource::open(const std::string& path) {
    if (path == "-") {
        return std::make_unique<StandardInput>();
    }
    auto file = etl::io::InputFile::map(path);
    if (!file) {
        return std::unexpected(file.error());
    }
    return std::make_unique<MappedLines>(*std::move(file));
}

std::optional<LineSource::Line> LineSource::next() {
    while (auto line = next_raw()) {
        if (line->number == 1 && line->text.starts_with(byte_order_mark)) {
            line->text.remove_prefix(byte_order_mark.size());
        }
        line->text = without_blanks(line->text);
        if (line->text.ends_with(',')) {
            line->text.remove_suffix(1);
        }
        const bool is_bracket = line->text == "[" || line->text == "]";
        if (line->is_too_long || (!line->text.empty() && !is_bracket)) {
            return line;
        }
    }
    return std::nullopt;
}

} // namespace lines

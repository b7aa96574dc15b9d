#include "fromjson/line_source.hpp"

#include "base/text.hpp"
#include "fromjson/event_line.hpp"
#include "fromjson/limits.hpp"
#include "io/input_file.hpp"
#include "io/unpack.hpp"

#include <cerrno>
#include <ios>
#include <iostream>

namespace etl::fromjson {

namespace {

constexpr std::size_t padding = EventLineReader::padding;
constexpr std::size_t max_line = etl::fromjson::limits::json_line_bytes;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// What looks like JSON is not asked whether it is packed: a tar shows itself deep in a line.
bool is_packed(etl::Bytes content) noexcept {
    const std::string_view text = etl::as_text(content);
    constexpr std::string_view first_of_lines = "{[ \t\r\n\xEF";
    return !text.empty() && first_of_lines.find(text.front()) == text.npos &&
           etl::io::is_packed(content);
}

class MappedLines final : public LineSource {
public:
    explicit MappedLines(std::shared_ptr<const etl::io::InputFile> file)
        : file_(std::move(file)), rest_(etl::as_text(file_->bytes())) {}

    const std::string& name() const noexcept override { return file_->name(); }

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
        if (line.text.size() > max_line) {
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
    StandardInput() { std::ios::sync_with_stdio(false); } // a buffer of its own

    const std::string& name() const noexcept override { return name_; }

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
            if (end_ - begin_ > max_line) {
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
        const std::size_t got = read_some(buffer_.data() + end_, block);
        if (end_ == 0 && number_ == 0 && is_packed(std::as_bytes(std::span(buffer_).first(got)))) {
            error_ = etl::Error{etl::ErrorCode::unsupported,
                                "standard input is compressed; decompress it, or name the file"};
            return false;
        }
        end_ += got;
        return got > 0;
    }

    // What is there, without waiting for more: whoever follows a growing log wants each line soon.
    std::size_t read_some(char* to, std::size_t max) {
        try {
            std::streambuf& in = *std::cin.rdbuf();
            if (in.sgetc() == std::streambuf::traits_type::eof()) {
                return 0;
            }
            const auto there =
                static_cast<std::size_t>(std::max<std::streamsize>(in.in_avail(), 1));
            return static_cast<std::size_t>(
                in.sgetn(to, static_cast<std::streamsize>(std::min(there, max))));
        } catch (const std::ios_base::failure&) { // that is how the library says it
            error_ = etl::Error{etl::ErrorCode::io_failure, "standard input"};
            error_->os_code = errno;
            return 0;
        }
    }

    std::string name_ = "-";
    std::vector<char> buffer_;
    std::size_t begin_ = 0, end_ = 0;
    std::uint64_t number_ = 0;
    std::optional<etl::Error> error_;
};

} // namespace

etl::Result<std::vector<std::unique_ptr<LineSource>>> LineSource::open(const std::string& path) {
    std::vector<std::unique_ptr<LineSource>> sources;
    if (path == "-") {
        sources.push_back(std::make_unique<StandardInput>());
        return sources;
    }
    auto file = etl::io::InputFile::map(path);
    if (!file) {
        return std::unexpected(file.error());
    }
    if (!is_packed((*file)->bytes())) {
        sources.push_back(std::make_unique<MappedLines>(*std::move(file)));
        return sources;
    }
    auto unpacked = etl::io::unpack(
        **file, [](std::string_view /*name*/, etl::Bytes /*head*/) { return true; });
    if (!unpacked) {
        return std::unexpected(unpacked.error());
    }
    if (!unpacked->lost.empty()) {
        return std::unexpected(unpacked->lost.front().why);
    }
    for (auto& member : unpacked->members) {
        sources.push_back(std::make_unique<MappedLines>(std::move(member)));
    }
    return sources;
}

std::optional<LineSource::Line> LineSource::next() {
    while (auto line = next_raw()) {
        if (line->number == 1 && line->text.starts_with(byte_order_mark)) {
            line->text.remove_prefix(byte_order_mark.size());
        }
        line->text = trimmed(line->text);
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

} // namespace etl::fromjson

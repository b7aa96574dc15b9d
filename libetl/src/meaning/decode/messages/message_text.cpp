#include "decode/message_text.hpp"

#include "decode/limits.hpp"
#include "decode/messages/printf_text.hpp"

#include <algorithm>

namespace etl::decode {

namespace {

constexpr bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

std::string_view without_line_end(std::string_view text) noexcept {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) {
        text.remove_suffix(1);
    }
    return text;
}

// `-20.5s` between exclamation marks: the arguments are texts already, so only width and precision
// mean anything.
Notation parse_spec(std::string_view spec) noexcept {
    if (spec.empty() || (spec.back() != 's' && spec.back() != 'S')) {
        return {};
    }
    Notation result;
    while (!spec.empty() && (spec.front() == '-' || spec.front() == '0' || spec.front() == ' ')) {
        result.is_left |= spec.front() == '-';
        spec.remove_prefix(1);
    }
    result.width = take_number(spec);
    if (!spec.empty() && spec.front() == '.') {
        spec.remove_prefix(1);
        result.precision = take_number(spec);
    }
    return result;
}

// Whether what stands between two exclamation marks can be a format of printf; else the marks are
// just marks: `%1! Or %2!`.
bool is_spec(std::string_view spec) noexcept {
    constexpr std::string_view flags = "-+ #0";
    constexpr std::string_view sizes = "hlwjztqLI";
    constexpr std::string_view conversions = "diouxXeEfFgGaAcCsSpn";
    const auto skip = [&](auto is_wanted) {
        while (!spec.empty() && is_wanted(spec.front())) {
            spec.remove_prefix(1);
        }
    };
    skip([&](char c) { return flags.contains(c); });
    skip([](char c) { return is_digit(c) || c == '*'; });
    if (spec.starts_with('.')) {
        spec.remove_prefix(1);
        skip([](char c) { return is_digit(c) || c == '*'; });
    }
    skip([&](char c) { return sizes.contains(c); });
    skip(is_digit); // I64
    return spec.size() == 1 && conversions.contains(spec.front());
}

/// One pass over a message.
class MessageReader {
public:
    MessageReader(std::string& to, std::string_view message,
                  std::span<const std::string_view> inserts)
        : to_(to), end_(to.size() + limits::message_bytes), left_(message), inserts_(inserts) {}

    void run() {
        while (!left_.empty() && to_.size() < end_) {
            const std::size_t percent = std::min(left_.find('%'), left_.size());
            to_.append(left_.substr(0, percent));
            left_.remove_prefix(percent);
            if (left_.size() < 2) {
                to_.append(left_);
                return;
            }
            const char c = left_[1];
            if (c == '0') {
                return;
            }
            if (is_digit(c)) {
                insert();
            } else {
                left_.remove_prefix(2);
                to_.push_back(escaped(c));
            }
        }
    }

private:
    static char escaped(char c) noexcept {
        switch (c) {
        case 'n':
            return '\n';
        case 'r':
            return '\r';
        case 't':
            return '\t';
        case 'b':
            return ' ';
        default:
            return c;
        }
    }

    void insert() {
        const std::string_view whole = left_;
        left_.remove_prefix(1);
        auto number = static_cast<std::size_t>(left_.front() - '0');
        left_.remove_prefix(1);
        if (!left_.empty() && is_digit(left_.front())) {
            number = number * 10 + static_cast<std::size_t>(left_.front() - '0');
            left_.remove_prefix(1);
        }
        Notation spec;
        if (!left_.empty() && left_.front() == '!') {
            const std::size_t end = left_.find('!', 1);
            if (end != std::string_view::npos && is_spec(left_.substr(1, end - 1))) {
                spec = parse_spec(left_.substr(1, end - 1));
                left_.remove_prefix(end + 1);
            }
        }
        if (number > inserts_.size()) {
            to_.append(whole.substr(0, whole.size() - left_.size()));
        } else {
            const std::size_t begin = to_.size();
            to_.append(inserts_[number - 1]);
            fit_text(to_, begin, spec);
        }
    }

    std::string& to_;
    std::size_t end_; // of to_, where it is enough
    std::string_view left_;
    std::span<const std::string_view> inserts_;
};

} // namespace

void append_message(std::string& to, std::string_view message,
                    std::span<const std::string_view> inserts) {
    MessageReader(to, without_line_end(message), inserts).run();
}

void PropertyTexts::add_value(const Value& value, const DisplayOptions& options) {
    if (value.hidden) {
        return;
    }
    if (!is_first_) {
        text_.append(", ");
    }
    is_first_ = false;
    append_display(text_, value, options);
}

std::span<const std::string_view> PropertyTexts::render(const DecodedEvent& event) {
    text_.clear();
    ends_.clear();
    views_.clear();
    if (event.kind->schema == nullptr) {
        return {};
    }
    const DisplayOptions options = options_for(options_, event);
    const auto& fields = event.kind->plan.fields();
    walker_.start(event.kind->plan, event.body);
    int depth = 0;
    for (Step step = walker_.next(); step != Step::end; step = walker_.next()) {
        if (depth == 0) {
            is_first_ = true;
        }
        if (step == Step::value) {
            add_value(walker_.value(), options);
        } else {
            depth += step == Step::array_begin || step == Step::struct_begin ? 1 : -1;
        }
        if (depth == 0) {
            ends_.push_back(text_.size());
        }
    }
    std::size_t count = 0;
    for (std::size_t i = 0; i < fields.size(); i += 1U + fields[i].members) {
        ++count;
    }
    ends_.resize(count, text_.size());
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
        views_.push_back(std::string_view(text_).substr(begin, end - begin));
        begin = end;
    }
    return views_;
}

void EventMessage::append(std::string& to, const DecodedEvent& event) {
    if (event.kind->decoded_by == DecodedBy::wpp) {
        wpp_.append_message(to, event);
        return;
    }
    if (event.kind->schema != nullptr && !event.kind->schema->message.empty()) {
        append_message(to, event.kind->schema->message, properties_.render(event));
    }
}

} // namespace etl::decode

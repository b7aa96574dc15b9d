#include "verbs/mcp/input.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <span>

namespace cli::mcp {

std::optional<MessageInput::Line> MessageInput::next(std::chrono::milliseconds timeout) {
    while (!at_end()) {
        if (auto line = take_line()) {
            if (line->is_too_long || !line->text.empty()) {
                return line;
            }
            continue;
        }
        if (has_ended_) {
            break;
        }
        const std::size_t before = pending_.size();
        const bool was_skipping = is_skipping_;
        read_some(timeout);
        if (pending_.size() == before && is_skipping_ == was_skipping && !has_ended_) {
            break;
        }
    }
    return std::nullopt;
}

std::optional<MessageInput::Line> MessageInput::take_line() {
    const std::size_t found = pending_.find('\n', searched_);
    if (found == pending_.npos && !(has_ended_ && !pending_.empty())) {
        searched_ = pending_.size();
        if (searched_ > longest_) { // what follows up to the line end is dropped as well
            is_skipping_ = true;
            pending_.clear();
            searched_ = 0;
        }
        return std::nullopt;
    }
    const std::size_t end = std::min(found, pending_.size());
    const std::string_view text = etl::trimmed(std::string_view(pending_).substr(0, end));
    Line line{.text = std::string(text), .is_too_long = is_skipping_ || end > longest_};
    if (line.is_too_long) {
        line.text.clear();
    }
    is_skipping_ = false;
    pending_.erase(0, end == pending_.size() ? end : end + 1);
    searched_ = 0;
    return line;
}

void MessageInput::read_some(std::chrono::milliseconds timeout) {
    using State = etl::io::ByteStream::State;
    const auto arrival = from_->read(block_, timeout);
    has_ended_ = !arrival || arrival->state == State::end;
    if (!has_ended_) {
        pending_ += etl::as_text(std::span(block_).first(arrival->size));
    } else if (is_skipping_ && pending_.empty()) {
        pending_ = "\n"; // the end of the line that is too long
    }
}

} // namespace cli::mcp

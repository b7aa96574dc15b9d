#include "verbs/write/inputs.hpp"

#include "cli/console.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace cli {

LineInputs::LineInputs(std::vector<std::string> names) : names_(std::move(names)) {
    if (names_.empty()) {
        names_.emplace_back("-");
    }
}

bool LineInputs::open() {
    for (const std::string& name : names_) {
        auto sources = etl::fromjson::LineSource::open(name);
        if (!sources) {
            say(name, sources.error());
            return false;
        }
        std::ranges::move(*sources, std::back_inserter(sources_));
    }
    return true;
}

double LineInputs::fraction_done() const noexcept {
    const auto count = static_cast<double>(sources_.size());
    return current_ < sources_.size()
               ? (static_cast<double>(current_) + sources_[current_]->fraction_done()) / count
               : 1.0;
}

LineInputs::Line LineInputs::view_of(const Kept& kept) {
    Line line = kept.line;
    line.line.text =
        std::string_view(kept.text).substr(0, kept.text.size() - etl::fromjson::line_padding);
    return line;
}

std::optional<LineInputs::Line> LineInputs::read() {
    for (; current_ < sources_.size(); ++current_) {
        if (const auto line = sources_[current_]->next()) {
            return Line{*line, current_};
        }
        if (const auto& error = sources_[current_]->error()) {
            say(name(current_), *error);
            failed_ = true;
        }
    }
    return std::nullopt;
}

} // namespace cli

#include "sink/table/field_cells.hpp"

#include "base/json_text.hpp"

#include <algorithm>

namespace etl::sink {

using decode::Step;

namespace {

/// A JSON value without the quotes of a text; null is nothing.
void append_plain(std::string& cell, std::string_view json) {
    if (json.size() >= 2 && json.front() == '"') {
        append_json_unescaped(cell, json.substr(1, json.size() - 2));
    } else if (json != "null") {
        cell.append(json);
    }
}

} // namespace

FieldSlots::FieldSlots(const schema::EventSchema& schema,
                       const std::vector<std::string_view>& paths) {
    if (paths.empty()) {
        return;
    }
    for (const std::string& path : schema::field_paths(schema)) {
        const auto found = std::ranges::find(paths, path);
        slots_.push_back(found == paths.end() ? none
                                              : static_cast<std::uint32_t>(found - paths.begin()));
    }
    if (std::ranges::all_of(slots_, [](std::uint32_t slot) { return slot == none; })) {
        slots_.clear();
    }
}

void FieldCells::clear(std::size_t cells) {
    cells_.resize(cells);
    for (std::string& cell : cells_) {
        cell.clear();
    }
}

bool FieldCells::is_captured(std::uint32_t field) const noexcept {
    return std::ranges::find(captures_, field, &Capture::field) != captures_.end();
}

void FieldCells::read(const decode::DecodedEvent& event, const KindTexts& texts,
                      const FieldSlots& slots, std::size_t cells) {
    clear(cells);
    captures_.clear();
    lists_.clear();
    arrays_ = 0;
    walker_.start(event.kind->plan, event.body);
    for (Step step = walker_.next(); step != Step::end; step = walker_.next()) {
        if (slots.empty()) {
            continue; // what contradicts the schema is found all the same
        }
        go_on(step, texts);
        const std::uint32_t slot = slots.of(walker_.field());
        if (begins(step) && slot != FieldSlots::none && !is_captured(walker_.field())) {
            begin(step, slot);
        }
        arrays_ += step == Step::array_begin ? 1U : 0U;
        arrays_ -= step == Step::array_end ? 1U : 0U;
    }
    for (const std::uint32_t list : lists_) {
        cells_[list].push_back(']');
    }
}

void FieldCells::begin(Step step, std::uint32_t number) {
    std::string& cell = cells_[number];
    if (arrays_ > 0) {
        if (cell.empty()) {
            lists_.push_back(number);
        }
        cell.push_back(cell.empty() ? '[' : ',');
    }
    if (step != Step::value) {
        cell.push_back(step == Step::array_begin ? '[' : '{');
        captures_.push_back({number, walker_.field(), {}});
        captures_.back().open.begin(step == Step::array_begin);
        return;
    }
    value_.clear();
    {
        TextAppender tail(value_);
        decode::append_json_value(tail, walker_.value(), values_);
    }
    if (arrays_ > 0) {
        cell.append(value_);
    } else {
        append_plain(cell, value_);
    }
}

void FieldCells::go_on(Step step, const KindTexts& texts) {
    for (Capture& capture : captures_) {
        TextAppender tail(cells_[capture.cell]);
        append_step(tail, step, walker_, capture.open, texts, values_);
    }
    std::erase_if(captures_, [](const Capture& capture) { return capture.open.depth == 0; });
}

} // namespace etl::sink

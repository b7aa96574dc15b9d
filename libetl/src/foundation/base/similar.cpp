#include "base/similar.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace etl {

namespace {

constexpr std::size_t max_compared_size = 64; // of words
constexpr std::size_t max_compared = 4096;

} // namespace

std::size_t edit_distance(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    std::vector<std::size_t> last = row;         // the row before
    std::vector<std::size_t> before(row.size()); // and the one before that
    for (std::size_t i = 0; i < from.size(); ++i) {
        before.swap(last);
        last.swap(row);
        row[0] = i + 1;
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t replaced = last[j] + (from[i] == to[j] ? 0U : 1U);
            row[j + 1] = std::min({replaced, last[j + 1] + 1, row[j] + 1});
            if (i > 0 && j > 0 && from[i] == to[j - 1] && from[i - 1] == to[j]) {
                row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
            }
        }
    }
    return row.back();
}

std::vector<std::string> similar_words(std::string_view word, std::span<const std::string> list,
                                       std::size_t max) {
    const std::string wanted = to_lower_ascii(word.substr(0, max_compared_size));
    std::vector<std::pair<std::size_t, const std::string*>> found;
    for (const std::string& one : list.first(std::min(list.size(), max_compared))) {
        const std::string other =
            to_lower_ascii(std::string_view(one).substr(0, max_compared_size));
        const std::string_view stem = std::string_view(other).substr(0, other.rfind('.'));
        const std::size_t distance =
            std::min(edit_distance(wanted, other), edit_distance(wanted, stem)); // kettle.exe
        const bool is_part =
            wanted.size() >= 3 && other.size() >= 3 &&
            (other.find(wanted) != other.npos || wanted.find(other) != wanted.npos);
        if (distance <= wanted.size() / 3 || is_part) {
            found.emplace_back(distance, &one);
        }
    }
    std::ranges::stable_sort(found, {}, &std::pair<std::size_t, const std::string*>::first);
    std::vector<std::string> similar;
    for (const auto& [distance, one] : found) {
        if (similar.size() < max && std::ranges::find(similar, *one) == similar.end()) {
            similar.push_back(*one);
        }
    }
    return similar;
}

} // namespace etl

#include "columnfiles/arrow_labels.hpp"

#include "columnfiles/array_values.hpp"

#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace etl::columnfiles {

using columns::Array;

Result<void> ArrowLabels::translate(Array& array) {
    const std::unique_ptr<Array> texts = std::move(array.dictionary);
    if (texts == nullptr || texts->size == 0) {
        return {};
    }
    constexpr auto most = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
    if (taken_ + texts_.size + texts->size > most) {
        return std::unexpected(Error{.code = ErrorCode::limit,
                                     .what = "more labels than an Arrow file can hold",
                                     .need = most});
    }
    std::vector<std::int32_t> translated;
    for (std::size_t i = 0; i < texts->size; ++i) {
        const std::string_view text = text_at(*texts, i);
        const auto next = static_cast<std::int32_t>(taken_ + texts_.size);
        const auto [known, is_new] = numbers_.try_emplace(std::string(text), next);
        if (is_new) {
            if (texts_.size == 0) {
                texts_.offsets.push_back(0);
            }
            texts_.bytes.append(text);
            texts_.offsets.push_back(static_cast<std::int32_t>(texts_.bytes.size()));
            ++texts_.size;
        }
        translated.push_back(known->second);
    }
    for (std::size_t i = 0; i < array.size; ++i) {
        const std::int32_t label = translated[static_cast<std::size_t>(
            number_at<std::int32_t>(array, i))]; // of a null: the first one
        std::memcpy(array.bytes.data() + i * sizeof label, &label, sizeof label);
    }
    return {};
}

Array ArrowLabels::take() {
    taken_ += texts_.size;
    numbers_.clear();
    return std::exchange(texts_, {});
}

std::size_t ArrowLabels::memory() const noexcept {
    constexpr std::size_t entry = 64; // of the table, with its text in another place
    return 2 * texts_.bytes.size() + numbers_.size() * entry;
}

} // namespace etl::columnfiles

#include "columnfiles/dictionary.hpp"

#include "columnfiles/array_values.hpp"
#include "columnfiles/limits.hpp"

#include <bit>
#include <functional>

namespace etl::columnfiles {

using columns::Array;
using columns::Type;

namespace {

constexpr std::uint32_t unused = 0xFFFFFFFF;

/// Numbers distinct values: an open hash table, at most half full.
class DistinctValues {
public:
    explicit DistinctValues(std::vector<std::string_view>& values)
        : values_(&values), places_(64, unused) {}

    std::uint32_t number_of(std::string_view value) {
        const std::size_t hash = std::hash<std::string_view>()(value);
        std::uint32_t& place = places_[find(value, hash)];
        if (place != unused) {
            return place;
        }
        const auto number = static_cast<std::uint32_t>(values_->size());
        place = number;
        values_->push_back(value);
        hashes_.push_back(hash);
        if (values_->size() * 2 > places_.size()) {
            grow();
        }
        return number;
    }

private:
    std::size_t find(std::string_view value, std::size_t hash) const {
        std::size_t at = hash & (places_.size() - 1);
        while (places_[at] != unused &&
               (hashes_[places_[at]] != hash || (*values_)[places_[at]] != value)) {
            at = (at + 1) & (places_.size() - 1);
        }
        return at;
    }

    void grow() {
        places_.assign(places_.size() * 4, unused);
        for (std::uint32_t i = 0; i < hashes_.size(); ++i) {
            std::size_t at = hashes_[i] & (places_.size() - 1);
            while (places_[at] != unused) {
                at = (at + 1) & (places_.size() - 1);
            }
            places_[at] = i;
        }
    }

    std::vector<std::string_view>* values_;
    std::vector<std::size_t> hashes_; // of the values
    std::vector<std::uint32_t> places_;
};

} // namespace

Dictionary dictionary_of_labels(const Array& labels) {
    Dictionary dictionary;
    dictionary.indices.reserve(labels.size - labels.nulls);
    std::vector<std::uint32_t> numbers(labels.dictionary->size, unused);
    for_each_valid(labels, [&](std::size_t i) {
        const auto label = number_at<std::uint32_t>(labels, i);
        if (numbers[label] == unused) {
            numbers[label] = static_cast<std::uint32_t>(dictionary.values.size());
            dictionary.values.push_back(text_at(*labels.dictionary, label));
        }
        dictionary.indices.push_back(numbers[label]);
    });
    return dictionary;
}

std::optional<Dictionary> find_dictionary(Type type, const Array& array) {
    constexpr std::size_t sample = 1024; // values before the first decision
    Dictionary dictionary;
    dictionary.indices.reserve(array.size - array.nulls);
    DistinctValues distinct(dictionary.values);
    bool is_worth = true;
    for (std::size_t i = 0; i < array.size && is_worth; ++i) {
        if (is_valid(array, i)) {
            dictionary.indices.push_back(
                distinct.number_of(type == Type::guid ? guid_at(array, i) : text_at(array, i)));
            is_worth = dictionary.values.size() <= limits::dictionary_values &&
                       (dictionary.indices.size() % sample != 0 ||
                        dictionary.values.size() * 2 <= dictionary.indices.size());
        }
    }
    if (!is_worth || dictionary.values.empty() ||
        dictionary.values.size() * 2 > dictionary.indices.size()) {
        return std::nullopt;
    }
    return dictionary;
}

} // namespace etl::columnfiles

#include "sql/prepared_text.hpp"

#include "sql/insertions.hpp"
#include "sql/limits.hpp"
#include "sql/words.hpp"

#include <algorithm>
#include <utility>

namespace etl::sql {

std::vector<std::string> names_in(std::string_view query) {
    std::vector<std::string> names;
    for (const Token& token : tokens_of(query)) {
        if (is_name(token)) {
            names.push_back(name_of(token));
        }
    }
    return names;
}

PreparedText::PreparedText(std::string_view query, const FindColumn& find_column) {
    Insertions found = insertions_into(query, find_column);
    refusal_ = std::move(found.refusal);
    insertions_ = std::move(found.list);
    std::size_t size = found.end;
    for (const Insertion& insertion : insertions_) {
        size += insertion.text.size();
    }
    if (size > static_cast<std::size_t>(limits::prepared_query_bytes)) {
        refusal_ = {"the query is too long: with the functions that are put around its operands, "
                    "it has more than 16 MB",
                    0};
    }
    if (refusal_) {
        return;
    }
    std::size_t from = 0;
    for (Insertion& insertion : insertions_) {
        text_.append(query, from, insertion.at - from);
        from = std::exchange(insertion.at, text_.size());
        text_ += insertion.text;
    }
    text_.append(query, from, found.end - from);
}

std::size_t PreparedText::place_of(std::size_t place) const noexcept {
    std::size_t before = 0; // what was put in
    for (const Insertion& insertion : insertions_) {
        if (insertion.at >= place) {
            break;
        }
        before += std::min(insertion.text.size(), place - insertion.at);
    }
    return place - before;
}

} // namespace etl::sql

#include <etl/base/similar.hpp>
#include <etl/match/limits.hpp>
#include <etl/sink/tally.hpp>

#include "sink/selection.hpp"

#include <algorithm>
#include <iterator>

namespace etl::sink {

namespace {

constexpr std::string_view in_data = "data.";

bool is_key(std::string_view word) {
    return std::ranges::find(all_keys(), word, [](Key key) { return name(key); }) !=
           all_keys().end();
}

} // namespace

UsedSchema used_schema(const schema::EventSchema& schema) noexcept {
    return {.provider = schema.provider ? schema.provider->guid : Guid{},
            .origin = schema.origin,
            .id = schema.id,
            .version = schema.version};
}

Tally::Tally(std::vector<std::string> fields) : fields_(std::move(fields)) {
    std::erase_if(fields_, is_key);
    for (std::string& field : fields_) {
        field.erase(0, field.starts_with(in_data) ? in_data.size() : 0);
    }
}

Tally::Part::~Part() {
    if (whole_) {
        const std::scoped_lock lock(whole_->mutex_);
        whole_->undecoded_.combine(undecoded_);
        whole_->refused_.combine(refused_);
    }
}

void Tally::Part::see(const decode::EventKind& kind, std::uint32_t generation) {
    if (generation != generation_) {
        seen_.clear();
        generation_ = generation;
    }
    if (kind.number >= seen_.size()) {
        seen_.resize(kind.number + 1UL);
    }
    seen_[kind.number] = true;
    if (kind.schema != nullptr) {
        whole_->add(*kind.schema);
    }
}

void Tally::add(const schema::EventSchema& schema) {
    const std::scoped_lock lock(mutex_);
    if (schema.origin != schema::Origin::tracelogging) {
        used_.insert(used_schema(schema));
    }
    if (fields_.empty()) {
        return;
    }
    for (std::string& field : schema::unique_names(schema)) {
        std::erase(fields_, field);
        if (field_names_.size() < limits::suggested_names) {
            field_names_.insert(std::move(field));
        }
    }
}

std::vector<match::Unmatched> Tally::unmatched_fields() const {
    std::vector<std::string> names;
    std::ranges::transform(all_keys(), std::back_inserter(names),
                           [](Key key) { return std::string(name(key)); });
    names.insert(names.end(), field_names_.begin(), field_names_.end());
    std::vector<match::Unmatched> unmatched;
    for (const std::string& field : fields_) {
        unmatched.push_back({.name = field,
                             .is_field = true,
                             .values = {},
                             .similar = similar_words(field, names)});
    }
    return unmatched;
}

} // namespace etl::sink

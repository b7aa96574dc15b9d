#include "sink/tally.hpp"

#include "base/similar.hpp"
#include "decode/event_keys.hpp"
#include "match/limits.hpp"

#include <algorithm>
#include <iterator>

namespace etl::sink {

namespace {

bool is_key(std::string_view word) noexcept {
    return decode::find_key(word).has_value();
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
        field.erase(0, field.starts_with(decode::field_prefix) ? decode::field_prefix.size() : 0);
    }
}

Tally::Part::~Part() {
    if (whole_) {
        const std::scoped_lock lock(whole_->mutex_);
        whole_->undecoded_.combine(undecoded_);
        whole_->rejected_.combine(rejected_);
        whole_->misfits_.combine(misfits_);
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
    } else if (schema.id != 0) { // of an event log: described by the schema with this number
        using enum schema::Origin;
        for (const schema::Origin origin : {eventsource, manifest, wevt}) {
            UsedSchema used = used_schema(schema);
            used.origin = origin;
            used_.insert(used);
        }
    }
    if (fields_.empty()) {
        return;
    }
    for (std::string& field : schema::field_paths(schema)) {
        std::erase(fields_, field);
        if (field_names_.size() < match::limits::suggested_names) {
            field_names_.insert(std::move(field));
        }
    }
}

std::vector<match::UnmatchedName> Tally::unmatched_fields() const {
    std::vector<std::string> names;
    std::ranges::transform(decode::all_keys, std::back_inserter(names),
                           [](decode::Key key) { return std::string(name(key)); });
    names.insert(names.end(), field_names_.begin(), field_names_.end());
    std::vector<match::UnmatchedName> unmatched;
    for (const std::string& field : fields_) {
        unmatched.push_back({.name = field,
                             .is_field = true,
                             .values = {},
                             .similar = similar_words(field, names)});
    }
    return unmatched;
}

} // namespace etl::sink

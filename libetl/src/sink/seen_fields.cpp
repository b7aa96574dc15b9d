#include <etl/base/similar.hpp>
#include <etl/match/limits.hpp>
#include <etl/sink/seen_fields.hpp>

#include "sink/selection.hpp"

namespace etl::sink {

SeenFields::SeenFields(std::span<const std::string> names) {
    for (const std::string& name : names) {
        if (const Wanted wanted = Wanted::of(name); !wanted.field.empty()) {
            missing_.emplace(wanted.field);
        }
    }
}

void SeenFields::add(std::span<const std::string> paths) {
    const std::scoped_lock lock(mutex_);
    for (const std::string& path : paths) {
        missing_.erase(path);
        if (known_.size() < limits::suggested_names) {
            known_.insert(path);
        }
    }
}

std::vector<SeenFields::Unseen> SeenFields::unseen() const {
    const std::scoped_lock lock(mutex_);
    const std::vector<std::string> known(known_.begin(), known_.end());
    std::vector<Unseen> list;
    for (const std::string& name : missing_) {
        list.push_back({name, similar_words(name, known)});
    }
    return list;
}

} // namespace etl::sink

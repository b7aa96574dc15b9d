#include "sink/selection.hpp"

#include <algorithm>

namespace etl::sink {

namespace {

/// Whether `path` is `outer` or a member of it.
bool lies_in(std::string_view path, std::string_view outer) noexcept {
    return path.starts_with(outer) && (path.size() == outer.size() || path[outer.size()] == '.');
}

} // namespace

Wanted Wanted::of(std::string_view name) noexcept {
    if (name.starts_with(decode::field_prefix)) {
        return {Key::data, name.substr(decode::field_prefix.size())};
    }
    const auto key = decode::find_key(name);
    return key ? Wanted{*key, {}} : Wanted{Key::data, name};
}

Options completed(Options options) {
    for (const std::string& field : options.fields) {
        const Wanted wanted = Wanted::of(field);
        options.raw |= is_raw_key(wanted.key);
        options.message |= wanted.key == Key::message;
    }
    return options;
}

Selection::Selection(const Options& options) {
    bool all_fields = options.fields.empty();
    for (const Key key : decode::all_keys) {
        keys_.set(static_cast<std::size_t>(key),
                  options.fields.empty() && (options.show_origins || !decode::is_origin_key(key)));
    }
    for (const std::string& name : options.fields) {
        const Wanted wanted = Wanted::of(name);
        keys_.set(static_cast<std::size_t>(wanted.key));
        if (!wanted.field.empty()) {
            fields_.emplace_back(wanted.field);
        } else {
            all_fields |= wanted.key == Key::data;
        }
    }
    if (all_fields) {
        fields_.clear();
    }
    has_whole_head_ = std::ranges::all_of(decode::all_keys, [&](Key key) {
        return key > Key::keywords || decode::is_origin_key(key) || has(key);
    });
}

bool Selection::has_field(std::string_view path) const noexcept {
    return fields_.empty() || std::ranges::any_of(fields_, [&](std::string_view wanted) {
               return lies_in(path, wanted) || lies_in(wanted, path);
           });
}

} // namespace etl::sink

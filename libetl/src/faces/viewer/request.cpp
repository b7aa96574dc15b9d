#include "viewer/request.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

namespace etl::viewer {

namespace {

using simdjson::dom::element;
using simdjson::dom::object;

/// The members of an object. Keeps the first problem.
class Members {
public:
    Members(const object& members, std::optional<Problem>& problem)
        : members_(members), problem_(&problem) {}

    void take(std::string_view key, std::string& to) {
        if (const auto value = find(key)) {
            if (auto text = text_of(*value, key)) {
                to = *std::move(text);
            }
        }
    }

    void take(std::string_view key, std::vector<std::string>& to) {
        each(key, [&](const element& one) {
            if (auto text = text_of(one, key)) {
                to.push_back(*std::move(text));
            }
        });
    }

    template <std::unsigned_integral T>
    void take(std::string_view key, T& to) {
        if (const auto value = find(key)) {
            if (const auto number = number_of<T>(*value, key)) {
                to = *number;
            }
        }
    }

    void take(std::string_view key, bool& to) {
        if (const auto value = find(key); value && value->get(to) != simdjson::SUCCESS) {
            fail(key, "expected true or false");
        }
    }

    void take(std::string_view key, double& to) {
        if (const auto value = find(key); value && value->get(to) != simdjson::SUCCESS) {
            fail(key, "expected a number");
        }
    }

    template <std::unsigned_integral T>
    void take(std::string_view key, std::optional<T>& to) {
        if (const auto value = find(key)) {
            to = number_of<T>(*value, key);
        }
    }

    /// The members of a member; nothing: there is none.
    std::optional<Members> inside(std::string_view key) {
        const auto value = find(key);
        object members;
        if (value && value->get(members) != simdjson::SUCCESS) {
            fail(key, "expected an object");
            return std::nullopt;
        }
        return value ? std::optional(Members(members, *problem_)) : std::nullopt;
    }

    bool has(std::string_view key) const { return find(key).has_value(); }

    /// Calls `visit` with each value of a list.
    template <typename Visit>
    void each(std::string_view key, Visit&& visit) {
        const auto value = find(key);
        simdjson::dom::array list;
        if (!value) {
            return;
        }
        if (value->get(list) != simdjson::SUCCESS || list.size() > max_list) {
            fail(key, fmt::format("expected a list of at most {} values", max_list));
            return;
        }
        for (const element one : list) {
            visit(one);
        }
    }

    void fail(std::string_view key, std::string what) {
        if (!*problem_) {
            *problem_ = Problem{std::move(what), std::string(key)};
        }
    }

private:
    /// Null is as good as missing.
    std::optional<element> find(std::string_view key) const {
        element found;
        return members_.at_key(key).get(found) == simdjson::SUCCESS && !found.is_null()
                   ? std::optional(found)
                   : std::nullopt;
    }

    std::optional<std::string> text_of(const element& value, std::string_view key) {
        std::string_view text;
        if (value.get(text) != simdjson::SUCCESS || text.size() > max_text || text.contains('\0')) {
            fail(key, fmt::format("expected text of at most {} bytes without NUL", max_text));
            return std::nullopt;
        }
        return std::string(text);
    }

    template <std::unsigned_integral T>
    std::optional<T> number_of(const element& value, std::string_view key) {
        std::uint64_t number = 0;
        if (value.get(number) != simdjson::SUCCESS || number > std::numeric_limits<T>::max()) {
            fail(key, fmt::format("expected a whole number from 0 to {}",
                                  std::numeric_limits<T>::max()));
            return std::nullopt;
        }
        return static_cast<T>(number);
    }

    object members_;
    std::optional<Problem>* problem_;
};

void take_selection(Members& members, explore::Selection& to) {
    if (auto selection = members.inside("selection")) {
        selection->take("from", to.from);
        selection->take("to", to.to);
        selection->take("where", to.where);
        selection->take("processes", to.processes);
    }
}

void take_format(Members& members, rows::Format& to) {
    std::string name;
    members.take("format", name);
    if (name.empty()) {
        return;
    }
    const auto known = std::ranges::find(rows::formats(), name, &rows::FormatTraits::name);
    if (known == rows::formats().end()) {
        members.fail("format", "no such format");
    } else {
        to = known->format;
    }
}

void take_tracks(Members& members, Request& to, std::optional<Problem>& problem) {
    if (!members.has("tracks")) {
        return;
    }
    to.tracks.emplace();
    members.each("tracks", [&](const element& one) {
        object track;
        if (one.get(track) != simdjson::SUCCESS) {
            members.fail("tracks", "expected objects");
            return;
        }
        Members named(track, problem);
        TrackName& name = to.tracks->emplace_back();
        named.take("kind", name.kind);
        named.take("pid", name.pid);
        named.take("process", name.process);
        named.take("id", name.id);
        named.take("name", name.name);
    });
}

void take_table(Members& members, Request& to) {
    members.take("name", to.name);
    members.take("by", to.by);
    members.take("source", to.source);
    members.take("sort", to.sort);
    members.take("slices", to.slices);
    members.take("per_kind", to.per_kind);
    members.take("excludes_interrupts", to.excludes_interrupts);
    members.take("is_reversed", to.is_reversed);
    members.take("is_compared", to.is_compared);
    members.take("before_from", to.before_from);
    members.take("before_to", to.before_to);
    take_format(members, to.format);
}

void take_picture(Members& members, Request& to) {
    members.take("columns", to.columns);
    members.take("kinds", to.kinds);
}

void take_flame(Members& members, Request& to) {
    members.take("kind", to.kind);
    members.take("smallest_share", to.smallest_share);
    members.take("largest_depth", to.largest_depth);
    members.take("nodes", to.nodes);
    members.take("grouping", to.grouping);
    members.take("folding", to.folding);
    members.take("include", to.include);
    members.take("exclude", to.exclude);
    members.take("fold_percent", to.fold_percent);
    members.take("is_inverted", to.is_inverted);
    members.take("focus", to.focus);
}

void take_events(Members& members, Request& to) {
    members.take("fields", to.fields);
    members.take("text", to.text);
    members.take("from_row", to.from_row);
    members.take("input", to.place.input);
    members.take("buffer", to.place.buffer);
    members.take("offset", to.place.offset);
    members.take("tid", to.tid);
    members.take("at", to.at);
}

} // namespace

std::expected<Request, Problem> parse_request(std::string_view json) {
    if (json.size() > max_request) {
        return std::unexpected(Problem{"the request is too long", {}});
    }
    simdjson::dom::parser parser;
    element document;
    object top;
    if (parser.parse(json.data(), json.size()).get(document) != simdjson::SUCCESS ||
        document.get(top) != simdjson::SUCCESS) {
        return std::unexpected(Problem{"expected a JSON object", {}});
    }
    Request request;
    std::optional<Problem> problem;
    Members members(top, problem);
    members.take("question", request.question);
    members.take("token", request.token);
    members.take("revision", request.revision);
    members.take("first", request.rows.first);
    members.take("count", request.rows.count);
    members.take("is_about_before", request.is_about_before);
    take_selection(members, request.selection);
    take_table(members, request);
    take_picture(members, request);
    take_flame(members, request);
    take_tracks(members, request, problem);
    take_events(members, request);
    if (problem) {
        return std::unexpected(*std::move(problem));
    }
    return request;
}

std::optional<Filetime> filetime_of(std::string_view time) noexcept {
    constexpr std::size_t filetime_digits = 13;
    Filetime read;
    const char* const last = time.data() + time.size();
    const auto [end, error] = std::from_chars(time.data(), last, read.ticks);
    const bool is_whole = error == std::errc() && end == last;
    return is_whole && time.size() >= filetime_digits ? std::optional(read) : std::nullopt;
}

} // namespace etl::viewer

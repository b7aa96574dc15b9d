// Loading: parsing the files that are wanted.
#include <etl/base/limits.hpp>
#include <etl/catalog/catalog.hpp>
#include <etl/io/input_file.hpp>
#include <etl/io/unpack.hpp>

#include "catalog/schema_file.hpp"

#include <algorithm>

namespace etl::catalog {

void Catalog::load(const std::unordered_set<Guid>& providers, schema::SchemaStore& store) {
    const auto defines_one = [&](const Entry& entry) {
        return std::ranges::any_of(entry.providers,
                                   [&](const Guid& guid) { return providers.contains(guid); });
    };
    load_if(defines_one, store);
}

void Catalog::load_all(schema::SchemaStore& store) {
    load_if([](const Entry&) { return true; }, store);
}

void Catalog::load_if(Wanted wanted, schema::SchemaStore& store) {
    for (std::size_t begin = 0, end = 0; begin < entries_.size(); begin = end) {
        end = begin + 1;
        if (!entries_[begin].ordinal) {
            if (!entries_[begin].loaded && wanted(entries_[begin])) {
                load_file(entries_[begin], store);
            }
            continue;
        }
        while (end < entries_.size() && entries_[end].path == entries_[begin].path) {
            ++end;
        }
        load_members(std::span(entries_).subspan(begin, end - begin), wanted, store);
    }
}

void Catalog::load_file(Entry& entry, schema::SchemaStore& store) {
    entry.loaded = true;
    if (!entry.built_in.empty()) {
        parse(entry, entry.built_in, store);
        return;
    }
    const auto file = io::InputFile::map(entry.path);
    if (!file) {
        refuse(entry.path, describe(file.error()));
        return;
    }
    parse(entry, (*file)->bytes(), store);
}

void Catalog::load_members(std::span<Entry> members, Wanted wanted, schema::SchemaStore& store) {
    std::vector<Entry*> missing; // in the archive's order
    for (Entry& member : members) {
        if (!member.loaded && wanted(member)) {
            member.loaded = true;
            missing.push_back(&member);
        }
    }
    if (missing.empty()) {
        return;
    }
    const std::string& path = members.front().path;
    const auto archive = io::InputFile::map(path);
    if (!archive) {
        refuse(path, describe(archive.error()));
        return;
    }
    std::size_t ordinal = 0;
    auto next = missing.begin();
    const auto shown = io::for_each_member(**archive, limits::manifest_file_bytes,
                                           [&](std::string_view, Bytes content) {
                                               if ((*next)->ordinal == ordinal++) {
                                                   parse(**next, content, store);
                                                   ++next;
                                               }
                                               return next != missing.end();
                                           });
    if (next != missing.end()) {
        refuse(path, shown ? std::string("changed while it was in use") : describe(shown.error()));
    }
}

void Catalog::parse(const Entry& entry, Bytes content, schema::SchemaStore& store) {
    const std::string name = !entry.ordinal ? entry.path : entry.path + ":" + entry.member;
    auto set = parse_schema_file(entry.kind, content, culture_);
    if (!set) {
        refuse(name, set.error().reason, set.error().line);
        return;
    }
    for (schema::FileNote& note : set->notes) {
        remarks_.push_back({name, note.line, std::move(note.text), false});
    }
    for (auto& provider : set->providers) {
        store.add_provider(std::move(provider));
    }
    for (auto& event : set->events) {
        store.add(std::move(event));
    }
}

void Catalog::refuse(std::string file, std::string why, std::size_t line) {
    remarks_.push_back({std::move(file), line, std::move(why), true});
}

} // namespace etl::catalog

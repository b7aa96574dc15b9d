// Loading: parsing the files that are wanted.
#include "base/file_name.hpp"
#include "base/text.hpp"
#include "catalog/built_in.hpp"
#include "catalog/catalog.hpp"
#include "catalog/image_messages.hpp"
#include "catalog/schema_file.hpp"
#include "io/input_file.hpp"
#include "io/unpack.hpp"
#include "schema/compact.hpp"
#include "schema/image.hpp"
#include "schema/limits.hpp"
#include "schema/mof.hpp"

#include <algorithm>

namespace etl::catalog {

namespace {

auto into(schema::SchemaStore& store) {
    return [&store](const LoadedFile& loaded, schema::SchemaSet&& set) {
        for (auto& provider : set.providers) {
            store.add_provider(std::move(provider));
        }
        for (auto& event : set.events) {
            store.add(std::move(event), loaded.file);
        }
    };
}

} // namespace

void Catalog::load(const std::unordered_set<Guid>& providers, schema::SchemaStore& store) {
    const auto defines_one = [&](const Entry& entry) {
        return std::ranges::any_of(entry.providers,
                                   [&](const Guid& guid) { return providers.contains(guid); });
    };
    load_if(defines_one, into(store));
    if (built_in_) {
        built_in_->take(providers, [&](std::string_view name, std::string_view text) {
            load_built_in(name, text, into(store));
        });
    }
}

void Catalog::load_related(const Guid& provider, schema::SchemaStore& store) {
    std::unordered_set<Guid> wanted{provider};
    for (std::size_t before = 0; before != wanted.size();) {
        before = wanted.size();
        for (const Entry& entry : entries_) {
            if (std::ranges::any_of(entry.providers,
                                    [&](const Guid& guid) { return wanted.contains(guid); })) {
                wanted.insert(entry.providers.begin(), entry.providers.end());
            }
        }
    }
    load(wanted, store);
}

void Catalog::load_all(schema::SchemaStore& store) {
    load_all(into(store));
}

void Catalog::load_all(Receiver receiver) {
    load_if([](const Entry&) { return true; }, receiver);
    if (built_in_) {
        built_in_->take_all([&](std::string_view name, std::string_view text) {
            load_built_in(name, text, receiver);
        });
    }
}

// They are correct: a test parses all of them.
void Catalog::load_built_in(std::string_view name, std::string_view text, Receiver receiver) {
    const Bytes content = std::as_bytes(std::span(text));
    auto set = name.ends_with(".mof") ? schema::parse_mof(content) : schema::parse_compact(content);
    if (set) {
        auto file = std::make_shared<schema::SchemaFile>(std::string(name), true);
        receiver({"built-in:" + file->name, content, std::move(file)}, std::move(*set));
    }
}

void Catalog::load_if(Wanted wanted, Receiver receiver) {
    for (std::size_t begin = 0, end = 0; begin < entries_.size(); begin = end) {
        end = begin + 1;
        if (!entries_[begin].ordinal) {
            if (!entries_[begin].loaded && wanted(entries_[begin])) {
                load_file(entries_[begin], receiver);
            }
            continue;
        }
        while (end < entries_.size() && entries_[end].path == entries_[begin].path) {
            ++end;
        }
        load_members(std::span(entries_).subspan(begin, end - begin), wanted, receiver);
    }
}

void Catalog::load_file(Entry& entry, Receiver receiver) {
    entry.loaded = true;
    const auto file = io::InputFile::map(entry.path);
    if (!file) {
        reject(entry.path, describe(file.error()));
        return;
    }
    const Bytes content = (*file)->bytes();
    schema::MessageTable messages;
    if (entry.kind == FileKind::image) {
        (*file)->advise(io::InputFile::Access::random);
        messages = image_messages_->of_file(
            entry.path, content,
            [&](const std::string& name, const Error& error) { note(name, error); });
    }
    parse(entry, content, messages, receiver);
}

const Catalog::MuiMember* Catalog::best_mui(const Entry& member) const {
    const auto best = best_mui_.find(mui_key(member.path, member.member));
    return best == best_mui_.end() ? nullptr : &best->second;
}

// They may stand behind their executables: a pass of its own.
Catalog::MuiTables Catalog::read_mui_members(const io::InputFile& archive,
                                             std::span<Entry* const> members) {
    std::unordered_set<std::size_t> wanted;
    for (const Entry* member : members) {
        const MuiMember* mui = member->kind == FileKind::image ? best_mui(*member) : nullptr;
        if (mui != nullptr) {
            wanted.insert(mui->ordinal);
        }
    }
    MuiTables tables;
    if (wanted.empty()) {
        return tables;
    }
    std::size_t ordinal = 0;
    std::size_t members_seen = 0;
    const auto is_wanted = [&](std::string_view) {
        ordinal = members_seen++;
        return wanted.contains(ordinal);
    };
    const auto read = [&](std::string_view name, Bytes content) {
        wanted.erase(ordinal);
        auto texts = schema::read_messages(content, image_messages_->cultures());
        if (!texts || texts->damage) {
            note(archive.name() + ":" + std::string(name), texts ? *texts->damage : texts.error());
        }
        if (texts) {
            tables.emplace(ordinal, std::move(texts->table));
        }
        return !wanted.empty();
    };
    const auto shown = io::for_each_member(archive, limits::manifest_file_bytes, is_wanted, read);
    if (!shown && !wanted.empty()) {
        note(archive.name(), shown.error());
    }
    return tables;
}

void Catalog::load_member(const Entry& member, Bytes content, const MuiTables& texts,
                          Receiver receiver) {
    schema::MessageTable messages;
    if (member.kind == FileKind::image) {
        std::optional<MuiTexts> mui;
        const MuiMember* file = best_mui(member);
        if (const auto table = file == nullptr ? texts.end() : texts.find(file->ordinal);
            table != texts.end()) {
            mui = MuiTexts{table->second, file->rank};
        }
        messages = image_messages_->of_member(
            member.path + ":" + member.member, content, mui ? &*mui : nullptr,
            [&](const std::string& name, const Error& error) { note(name, error); });
    }
    parse(member, content, messages, receiver);
}

void Catalog::load_members(std::span<Entry> members, Wanted wanted, Receiver receiver) {
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
        reject(path, describe(archive.error()));
        return;
    }
    const MuiTables texts = read_mui_members(**archive, missing);
    std::size_t ordinal = 0;
    std::size_t loaded = 0;
    auto next = missing.begin();
    const auto is_missing = [&](std::string_view) {
        while (next != missing.end() && (*next)->ordinal < ordinal) {
            ++next; // that one could not be unpacked
        }
        return next != missing.end() && (*next)->ordinal == ordinal++;
    };
    const auto shown = io::for_each_member(**archive, limits::manifest_file_bytes, is_missing,
                                           [&](std::string_view, Bytes content) {
                                               load_member(**next, content, texts, receiver);
                                               ++loaded;
                                               return ++next != missing.end();
                                           });
    if (loaded != missing.size()) {
        reject(path, shown ? std::string("changed while in use") : describe(shown.error()));
    }
}

void Catalog::parse(const Entry& entry, Bytes content, const schema::MessageTable& messages,
                    Receiver receiver) {
    const std::string name = !entry.ordinal ? entry.path : entry.path + ":" + entry.member;
    const auto find = [&](std::uint32_t id) { return messages.find(id); };
    const auto parameters = [&](std::string_view file) {
        return image_messages_->of_parameter_file(
            file, [&](const std::string& image, const Error& error) { note(image, error); });
    };
    auto set = parse_schema_file(entry.kind, content, {culture_, find, parameters, code_names_});
    if (!set) {
        reject(name, set.error().reason, set.error().line, set.error().column);
        return;
    }
    for (schema::FileNote& note : set->notes) {
        remarks_.push_back({name, note.line, std::move(note.text), false, note.column});
    }
    if (entry.from) {
        auto& schemas = named_[*entry.from].schemas;
        schemas.insert(schemas.end(), set->events.begin(), set->events.end());
    }
    receiver({name, content,
              std::make_shared<schema::SchemaFile>(
                  std::string(file_name_of(entry.ordinal ? entry.member : entry.path)))},
             std::move(*set));
}

void Catalog::note(const std::string& file, const Error& error) {
    remarks_.push_back({file, 0, describe(error), false});
}

void Catalog::reject(std::string file, std::string why, std::size_t line, std::size_t column) {
    remarks_.push_back({std::move(file), line, std::move(why), true, column});
}

} // namespace etl::catalog

#include "facts/batch.hpp"
#include "facts/limits.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace etl::facts {

namespace {

/// Adds observations up to a limit, each after `rename` of its value.
template <typename Seen, typename To, typename Rename>
void move_seen(std::vector<Seen>& from, To& to, std::size_t most, Counts& counts, Rename rename) {
    for (Seen& seen : from) {
        rename(seen.value);
        counts.dropped_lifetimes += to.add(seen, most) ? 0U : 1U;
    }
}

// Both lists double as they grow, and stacks are copied once more when they are joined; those of
// the kernel can get a user-mode part.
constexpr std::size_t cost_of_stack = sizeof(SeenStack) + 2 * sizeof(StackPart);

} // namespace

NameId BatchTexts::keep(std::string_view text) {
    if (text.empty()) {
        return 0;
    }
    chars_.append(text);
    list_.push_back({chars_.size(), std::hash<std::string_view>{}(text)});
    return static_cast<NameId>(list_.size());
}

std::vector<NameId> BatchTexts::move_to(Interner<char>& names, std::size_t& dropped) const {
    std::vector<NameId> numbers{0};
    std::size_t begin = 0;
    for (const auto& [end, hash] : list_) {
        const std::string_view text = std::string_view(chars_).substr(begin, end - begin);
        const auto id = names.add({text.data(), text.size()}, hash);
        dropped += id ? 0U : 1U;
        numbers.push_back(id.value_or(0));
        begin = end;
    }
    return numbers;
}

std::size_t Batch::bytes() const noexcept {
    const auto size_of = [](const auto&... lists) {
        return (... + (lists.size() * sizeof(lists[0])));
    };
    return texts_.bytes() + method_texts_.bytes() +
           size_of(frames_, processes_, threads_, thread_spans_.spans(), images_, image_ids_,
                   methods_, modules_, scripts_, volumes_, files_, partitions_, stacks_, keys_,
                   exits_, runtime_events_, runtime_stacks_) +
           last_of_runtime_.size() * sizeof(*last_of_runtime_.begin());
}

void Batch::move_to(Tables& tables) {
    const std::vector<NameId> names = texts_.move_to(tables.names, tables.counts.dropped_names);
    move_lives(tables, names);
    move_modules(tables, names);
    move_methods(tables);
    move_machine(tables, names);
    move_stacks(tables);
}

void Batch::move_lives(Tables& tables, const std::vector<NameId>& names) {
    Counts& counts = tables.counts;
    move_seen(processes_, tables.processes, limits::fact_lifetimes, counts,
              [&](ProcessValue& value) {
                  value.name = names[value.name];
                  value.command_line = names[value.command_line];
                  value.path = names[value.path];
              });
    for (const ExitSeen& seen : exits_) {
        if (tables.seen_exits.size() < limits::fact_lifetimes) {
            tables.seen_exits.push_back(seen);
        }
    }
    tables.sources.add(sources_);
    move_seen(threads_, tables.threads, limits::fact_lifetimes, counts, [](std::uint32_t&) {});
    for (const ThreadSpan& span : thread_spans_.spans()) {
        counts.dropped_lifetimes += tables.threads.add(span, limits::fact_lifetimes) ? 0U : 1U;
    }
    move_seen(images_, tables.images, limits::fact_images, counts,
              [&](ImageValue& value) { value.path = names[value.path]; });
    move_seen(files_, tables.files, limits::fact_files, counts,
              [&](NameId& name) { name = names[name]; });
    for (ImageIdSeen& seen : image_ids_) {
        seen.text = names[seen.text];
        if (tables.seen_image_ids.size() >= limits::fact_image_ids) {
            ++counts.dropped_lifetimes;
        } else if (seen.text != 0) {
            tables.seen_image_ids.push_back(seen);
        }
    }
}

void Batch::move_modules(Tables& tables, const std::vector<NameId>& names) {
    const auto rename = [&](ModuleValue& value) {
        for (NameId ModuleValue::* const name : {&ModuleValue::path, &ModuleValue::native_path,
                                                 &ModuleValue::pdb, &ModuleValue::native_pdb}) {
            value.*name = names[value.*name];
        }
    };
    move_seen(modules_, tables.modules, limits::fact_lifetimes, tables.counts, rename);
    move_seen(scripts_, tables.scripts, limits::fact_lifetimes, tables.counts, rename);
}

void Batch::move_methods(Tables& tables) {
    const std::vector<NameId> names =
        method_texts_.move_to(tables.method_names, tables.counts.dropped_names);
    move_seen(methods_, tables.methods, limits::fact_methods, tables.counts,
              [&](MethodValue& value) {
                  value.type = names[value.type];
                  value.name = names[value.name];
                  value.signature = names[value.signature];
              });
}

void Batch::move_machine(Tables& tables, const std::vector<NameId>& names) {
    for (Partition& partition : partitions_) {
        partition.letters = names[partition.letters];
        if (tables.partitions.size() < limits::fact_partitions) {
            tables.partitions.push_back(partition);
        }
    }
    for (const auto& [number, seen] : sample_sources_) {
        const auto known = tables.sample_sources.find(number);
        if (known == tables.sample_sources.end() &&
            tables.sample_sources.size() >= limits::fact_sample_sources) {
            continue;
        }
        SampleSource& of = tables.sample_sources[number];
        if (seen.first && (!of.first || seen.first->time < of.first->time)) {
            of.first = seen.first;
        }
        of.name = of.name != 0 ? of.name : names[seen.name];
    }
    for (Volume& volume : volumes_) {
        volume = {names[volume.nt_path], names[volume.dos_path]};
        if (volume.nt_path != 0 && tables.volumes.size() < limits::fact_partitions) {
            tables.volumes.push_back(volume);
        }
    }
}

std::optional<std::uint32_t> Batch::move_frames(Tables& tables, const Frames& frames) {
    return tables.frames.add(std::span(frames_).subspan(frames.begin, frames.count), frames.hash);
}

void Batch::move_stacks(Tables& tables) {
    constexpr std::size_t cost_of_key = sizeof(KeyMeaning);
    for (BatchStack& stack : stacks_) {
        const auto frames = move_frames(tables, stack.frames);
        if (!frames || !tables.frames.charge(cost_of_stack)) {
            ++tables.counts.dropped_stacks;
            continue;
        }
        stack.seen.part.frames = *frames;
        tables.seen_stacks.push_back(stack.seen);
    }
    move_runtime(tables);
    for (BatchKey& key : keys_) {
        const auto frames = move_frames(tables, key.frames);
        if (!frames || !tables.frames.charge(cost_of_key)) {
            ++tables.counts.dropped_stacks;
            continue;
        }
        key.meaning.frames = *frames;
        (key.is_created ? tables.keys_created : tables.keys_ended).push_back(key.meaning);
    }
}

// The last event of a thread may have its stack in another buffer. Those before it tell which event
// a stack is of, and are needed only where there are stacks.
void Batch::move_runtime(Tables& tables) {
    std::set<flow::RuntimeThread> with_stacks;
    for (BatchRuntimeStack& stack : runtime_stacks_) {
        with_stacks.insert(stack.stack.of);
        const auto frames = move_frames(tables, stack.frames);
        if (!frames || !tables.frames.charge(cost_of_stack)) {
            ++tables.counts.dropped_stacks;
            continue;
        }
        stack.stack.frames = *frames;
        tables.runtime_stacks.push_back(stack.stack);
    }
    for (std::uint32_t i = 0; i < runtime_events_.size(); ++i) {
        const RuntimeEvent& event = runtime_events_[i];
        if (last_of_runtime_.at(event.of).event != i && !with_stacks.contains(event.of)) {
            continue;
        }
        if (tables.frames.charge(sizeof(RuntimeEvent))) {
            tables.runtime_events.push_back(event);
        } else {
            ++tables.counts.dropped_stacks;
        }
    }
}

} // namespace etl::facts

// make_corpus FOLDER: writes the samples and the .toml beside each.
// make_corpus --check FOLDER: writes nothing; says which files differ from what it would write.
#include "base/text.hpp"
#include "tests/support/corpus/corpus.hpp"
#include "tests/support/sha256.hpp"
#include "tests/support/traces/canal_story.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace etl;
using namespace etl::test;

namespace {

std::string description(const Sample& sample) {
    std::string text = "about = \"" + sample.about + "\"\n";
    text += "origin = \"invented; made by tests/support/corpus/make_corpus.cpp\"\n";
    text += "licence = \"MIT\"\n";
    text += "record_kinds = \"" + sample.kinds + "\"\n";
    text += "events = " + std::to_string(sample.events) + "\n";
    text += "buffers = " + std::to_string(sample.buffers) + "\n";
    text += "warnings = " + std::to_string(sample.warnings) + "\n";
    if (!sample.damage.empty()) {
        text += "damage = \"" + sample.damage + "\"\n";
    }
    if (sample.container == io::Container::none) {
        text += "sha256 = \"" + sha256(sample.bytes) + "\"\n";
    } else { // how it is packed depends on the version of a library
        text += "sha256_unpacked = \"" + sha256(unpacked(sample.container, sample.bytes)) + "\"\n";
    }
    return text;
}

std::string read_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

struct Target {
    std::filesystem::path folder;
    bool only_check = false;
    int different = 0;

    /// In a container the plain trace is what counts.
    void put(const Sample& sample) {
        const std::string name = sample.name + sample.ending;
        if (only_check && sample.container != io::Container::none) {
            const std::string there = read_file(folder / name);
            const Bytes packed = std::as_bytes(std::span(there));
            if (unpacked(sample.container, {packed.begin(), packed.end()}) !=
                unpacked(sample.container, sample.bytes)) {
                std::fprintf(stderr, "%s differs\n", name.c_str());
                ++different;
            }
            return;
        }
        put(name, std::string(as_text(sample.bytes)));
    }

    void put(const std::string& name, const std::string& content) {
        const auto path = folder / name;
        if (!only_check) {
            std::filesystem::create_directories(path.parent_path());
            std::ofstream(path, std::ios::binary) << content;
        } else if (read_file(path) != content) {
            std::fprintf(stderr, "%s differs\n", path.string().c_str());
            ++different;
        }
    }
};

} // namespace

int main(int count, char** arguments) {
    Target target;
    target.only_check = count == 3 && std::string_view(arguments[1]) == "--check";
    if (count != (target.only_check ? 3 : 2)) {
        std::fputs("usage: make_corpus [--check] FOLDER\n", stderr);
        return 64;
    }
    target.folder = arguments[count - 1];
    std::vector<Sample> samples = shapes();
    samples.push_back(first_steps());
    samples.push_back(tracelogging_types());
    samples.push_back(manifest_types());
    samples.push_back(merged_event_info());
    std::ranges::move(kernel_events(), std::back_inserter(samples));
    samples.push_back(machine_facts());
    samples.push_back(managed_code());
    samples.push_back(process_activity());
    samples.push_back(compiled_manifest());
    samples.push_back(wpp_messages());
    std::ranges::move(written(), std::back_inserter(samples));
    std::ranges::move(kernel_events(), std::back_inserter(samples));
    for (const Attachment& file : signal_box_dll()) {
        target.put(file.name, std::string(as_text(file.bytes)));
    }
    for (const Attachment& file : managed_code_symbols()) {
        target.put(file.name, std::string(as_text(file.bytes)));
    }
    const Attachment pdb = wpp_pdb();
    target.put(pdb.name, std::string(as_text(pdb.bytes)));
    for (const Sample& sample : samples) {
        target.put(sample);
        const std::string packed_as = sample.container == io::Container::none ? "" : ".etl";
        target.put(sample.name + packed_as + ".toml", description(sample));
    }
    return target.different == 0 ? 0 : 1;
}

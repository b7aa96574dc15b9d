// make_corpus FOLDER: writes the samples and the .toml beside each.
// make_corpus --check FOLDER: writes nothing; says which files differ from what it would write.
#include <etl/base/text.hpp>

#include "tests/support/corpus.hpp"

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
    text += "origin = \"invented; made by tests/support/make_corpus.cpp\"\n";
    text += "licence = \"MIT\"\n";
    text += "record_kinds = \"" + sample.kinds + "\"\n";
    text += "events = " + std::to_string(sample.events) + "\n";
    text += "buffers = " + std::to_string(sample.buffers) + "\n";
    text += "warnings = " + std::to_string(sample.warnings) + "\n";
    if (!sample.damage.empty()) {
        text += "damage = \"" + sample.damage + "\"\n";
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
    samples.push_back(compiled_manifest());
    samples.push_back(wpp_messages());
    std::ranges::move(kernel_events(), std::back_inserter(samples));
    for (const Attachment& file : signal_box_dll()) {
        target.put(file.name, std::string(as_text(file.bytes)));
    }
    const Attachment pdb = wpp_pdb();
    target.put(pdb.name, std::string(as_text(pdb.bytes)));
    for (const Sample& sample : samples) {
        target.put(sample.name + ".etl", std::string(as_text(sample.bytes)));
        target.put(sample.name + ".toml", description(sample));
    }
    return target.different == 0 ? 0 : 1;
}

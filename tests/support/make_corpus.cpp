// make_corpus FOLDER: writes the samples and the .toml beside each.
// make_corpus --check FOLDER: writes nothing; says which files differ from what it would write.
#include "tests/support/corpus.hpp"

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
    samples.push_back(merged_event_info());
    for (const Sample& sample : samples) {
        std::string bytes;
        for (const std::byte byte : sample.bytes) {
            bytes.push_back(static_cast<char>(byte));
        }
        target.put(sample.name + ".etl", bytes);
        target.put(sample.name + ".toml", description(sample));
    }
    return target.different == 0 ? 0 : 1;
}

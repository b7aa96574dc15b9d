// Writes schemas/providers from manifests. schemas/README.md
#include "authoring/compact_writer.hpp"
#include "authoring/merge.hpp"
#include "authoring/provider_events.hpp"
#include "base/text.hpp"
#include "catalog/cache.hpp"
#include "catalog/catalog.hpp"
#include "schema/compact.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

using etl::schema::SchemaSet;

int complain(const std::string& text) {
    std::fprintf(stderr, "generate_schemas: %s\n", text.c_str());
    return 1;
}

/// The globs of the file LIST: one per line, `#` comments. Empty if it cannot be read.
std::vector<std::string> read_list(const std::string& path) {
    std::vector<std::string> globs;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        line.erase(std::min(line.find('#'), line.size()));
        line.erase(line.find_last_not_of(" \t\r") + 1);
        if (!line.empty()) {
            globs.push_back(line);
        }
    }
    return globs;
}

/// Reads the facts of all sources, in order; false if one cannot be read.
bool read_sources(std::span<char* const> paths, std::vector<SchemaSet>& sources) {
    for (const char* path : paths) {
        auto catalog =
            etl::catalog::Catalog::open({.paths = {path}, .environment = false, .built_in = false});
        if (!catalog) {
            complain(catalog.error().path + ": " + describe(catalog.error().error));
            return false;
        }
        catalog->load_all([&](const etl::catalog::LoadedFile&, SchemaSet&& set) {
            sources.push_back(etl::authoring::facts_of(set));
        });
        for (const etl::catalog::Remark& remark : catalog->remarks()) {
            if (remark.rejected) {
                complain(remark.file + ": " + remark.text);
            }
        }
    }
    return true;
}

/// By the last glob that matches; `!` excludes.
bool is_listed(const std::string& name, const std::vector<std::string>& globs) {
    bool listed = false;
    for (const std::string_view glob : globs) {
        const bool excludes = glob.starts_with('!');
        if (etl::matches_glob(glob.substr(excludes ? 1 : 0), name)) {
            listed = !excludes;
        }
    }
    return listed;
}

/// File name -> content.
std::map<std::string, std::string> files_of(const SchemaSet& facts,
                                            const std::vector<std::string>& globs) {
    std::map<std::string, std::string> files;
    for (const etl::authoring::ProviderEvents& provider :
         etl::authoring::group_by_provider(facts)) {
        const std::string& name = provider.names.name;
        if (!is_listed(name, globs) || provider.events.empty()) {
            continue;
        }
        SchemaSet one;
        one.events = provider.events;
        const auto written = etl::authoring::write_compact(one);
        if (!written) {
            complain(name + ": " + describe(written.error()));
            continue;
        }
        for (const std::string& note : written->notes) {
            complain(name + ": " + note);
        }
        const std::string base = etl::catalog::portable_file_name(name);
        std::string file = base + ".txt";
        if (files.contains(file)) {
            file = base + "-" + to_string(provider.names.guid) + ".txt";
        }
        files[file] = written->text;
    }
    return files;
}

/// Removes descriptions of providers that are not among `files`, and nothing else.
void remove_others(const fs::path& folder, const std::map<std::string, std::string>& files) {
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (entry.path().extension() != ".txt" || files.contains(name)) {
            continue;
        }
        std::ifstream in(entry.path(), std::ios::binary);
        const std::string text(std::istreambuf_iterator<char>(in), {});
        if (!etl::schema::scan_compact_providers(std::as_bytes(std::span(text))).empty()) {
            fs::remove(entry.path());
        }
    }
}

} // namespace

int main(int count, char** arguments) {
    if (count < 4) {
        return complain("usage: generate_schemas LIST OUTPUT SOURCE...");
    }
    std::vector<SchemaSet> sources;
    const std::vector<std::string> globs = read_list(arguments[1]);
    if (!read_sources(std::span(arguments + 3, arguments + count), sources)) {
        return 1;
    }
    if (globs.empty()) {
        return complain(std::string(arguments[1]) + ": missing or empty");
    }
    // Once more: an event that got the name of its task from another source needs no symbol.
    const auto files = files_of(etl::authoring::facts_of(etl::authoring::merge(sources)), globs);
    const fs::path output = arguments[2];
    fs::create_directories(output);
    remove_others(output, files);
    for (const auto& [name, content] : files) {
        std::ofstream out(output / name, std::ios::binary);
        out << content;
        if (!out.flush()) {
            return complain(name + ": cannot write");
        }
    }
    std::printf("wrote %zu providers\n", files.size());
    return 0;
}

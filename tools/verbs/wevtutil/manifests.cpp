// wevtutil im and um: manifests that later runs find by themselves.
#include "base/file_name.hpp"
#include "base/text.hpp"
#include "catalog/catalog.hpp"
#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "inputs/schema_sources.hpp"
#include "io/find_files.hpp"
#include "io/input_file.hpp"
#include "verbs/wevtutil/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

namespace cli {

namespace {

/// The directory of the user's schemas, which every run reads; empty: unknown.
std::string own_schemas() {
    const std::string config = etl::io::user_config_directory();
    return config.empty() ? config : config + "/etl/schemas";
}

std::string installed_path(const std::string& manifest) {
    const std::string directory = own_schemas();
    return directory.empty() ? directory
                             : directory + "/" + std::string(etl::file_name_of(manifest));
}

ExitCode refuse_without_directory() {
    say("the user's configuration directory is unknown; set XDG_CONFIG_HOME or HOME");
    return ExitCode::failed;
}

std::string text_of(const etl::io::InputFile& file) {
    return std::string(etl::as_text(file.bytes()));
}

/// Whether an installed file may take this content: there is none, or it is the same.
bool is_free_for(const std::string& path, const std::string& content) {
    if (!etl::io::is_regular_file(path)) {
        return true;
    }
    const auto installed = etl::io::InputFile::map(path);
    if (installed && text_of(**installed) == content) {
        return true;
    }
    say(fmt::format("{}: another manifest of this name is installed; uninstall it first with "
                    "`etl wevtutil um`",
                    printable(path)));
    return false;
}

ExitCode install_manifest(const std::string& manifest) {
    const std::string path = installed_path(manifest);
    if (path.empty()) {
        return refuse_without_directory();
    }
    Sources sources = read_sources({.paths = {manifest}});
    if (sources.exit == ExitCode::failed) {
        return ExitCode::failed;
    }
    const etl::schema::SchemaSet set = join(std::move(sources.list));
    if (set.events.empty()) {
        say(fmt::format("{}: describes no events; `etl schema validate` says why",
                        printable(manifest)));
        return ExitCode::failed;
    }
    const auto file = etl::io::InputFile::map(manifest);
    if (!file) {
        say(printable(manifest), file.error());
        return ExitCode::failed;
    }
    const std::string content = text_of(**file);
    if (!is_free_for(path, content)) {
        return ExitCode::failed;
    }
    std::error_code error;
    std::filesystem::create_directories(own_schemas(), error);
    if (error) {
        say(fmt::format("{}: {}", printable(own_schemas()), error.message()));
        return ExitCode::failed;
    }
    return worst(sources.exit, write_file(path, content));
}

ExitCode uninstall_manifest(const std::string& manifest) {
    const std::string path = installed_path(manifest);
    if (path.empty()) {
        return refuse_without_directory();
    }
    if (!etl::io::is_regular_file(path)) {
        say(fmt::format("{}: not installed; {} has the manifests that are", printable(manifest),
                        printable(own_schemas())));
        return ExitCode::failed;
    }
    std::error_code error;
    std::filesystem::remove(path, error);
    if (error) {
        say(fmt::format("{}: {}", printable(path), error.message()));
        return ExitCode::failed;
    }
    return ExitCode::well;
}

} // namespace

void add_wevtutil_manifests(Verb& wevtutil, ExitCode& exit) {
    Verb& install = *wevtutil.add_subcommand(
        "im", "install-manifest: copy a manifest to the user's schemas, which every run reads");
    install.alias("install-manifest");
    auto path = std::make_shared<std::string>();
    install.add_option("MANIFEST", *path, "manifest, executable, or any other schema file")
        ->required();
    for (const char* option :
         {"--rf,--resourcefilepath", "--mf,--messagefilepath", "--pf,--parameterfilepath"}) {
        install.add_option(option, "no effect: texts come from the manifest and from schema files")
            ->type_name("FILE");
    }
    install.callback([path, &exit] { exit = install_manifest(*path); });

    Verb& uninstall =
        *wevtutil.add_subcommand("um", "uninstall-manifest: remove it from the user's schemas");
    uninstall.alias("uninstall-manifest");
    auto installed = std::make_shared<std::string>();
    uninstall.add_option("MANIFEST", *installed, "manifest as named when it was installed")
        ->required();
    uninstall.callback([installed, &exit] { exit = uninstall_manifest(*installed); });
}

} // namespace cli

#include "inputs/schemas.hpp"

#include "cli/console.hpp"

namespace cli {

void SchemaOptions::add_to(Verb& verb) {
    verb.add_option(
            "--schema", paths,
            "manifest (XML or compact), MOF, executable, .mui, TMF, or PDB file, a "
            "directory or archive of them, or "
            "a trace that carries schemas; repeatable. Also searched: ETL_SCHEMA_PATH, "
            "TRACE_FORMAT_SEARCH_PATH, etl/schemas in the user configuration, the built-in schemas")
        ->allow_extra_args(false)
        ->type_name("PATH");
    verb.add_option("--culture", culture, "message language, with fallback (default: en-US)")
        ->type_name("NAME");
    verb.add_flag_callback(
        "--no-harvest", [this] { harvest = false; }, "ignore schemas embedded in the traces");
}

etl::gather::SchemaScope SchemaOptions::scope() const noexcept {
    using enum etl::gather::SchemaScope;
    return for_facts ? facts : harvest ? everything : files;
}

etl::gather::SchemaOptions SchemaOptions::for_threads(unsigned threads) const {
    return {.paths = paths, .culture = culture, .scope = scope(), .threads = threads};
}

etl::dataset::Needs needs_of(const FilterOptions& filters) {
    return {.facts =
                filters.needs_facts() ? std::optional(etl::facts::Scope::processes) : std::nullopt,
            .origins = filters.needs_origins()};
}

void prepare(const Traces& traces, const SchemaOptions& options) {
    traces.dataset().options().schemas = options.paths;
    traces.dataset().options().culture = options.culture;
}

std::optional<etl::dataset::Context> context_of(const Traces& traces, const SchemaOptions& options,
                                                etl::dataset::Needs needs) {
    prepare(traces, options);
    needs.schemas = options.scope();
    auto context = traces.dataset().context(needs);
    if (!context) {
        say(context.error().about, context.error());
        return std::nullopt;
    }
    return *std::move(context);
}

} // namespace cli

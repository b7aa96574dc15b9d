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

etl::gather::SchemaOptions SchemaOptions::for_threads(unsigned threads) const {
    using enum etl::gather::SchemaScope;
    return {.paths = paths,
            .culture = culture,
            .scope = for_facts ? facts
                     : harvest ? everything
                               : files,
            .threads = threads};
}

std::optional<etl::gather::Schemas> gather_schemas(const SchemaOptions& options,
                                                   const Traces& traces, unsigned threads,
                                                   etl::facts::OriginCollector* origins) {
    auto schemas = etl::gather::schemas_of(traces.readers(), options.for_threads(threads),
                                           say_remark, origins);
    if (!schemas) {
        say(schemas.error().path, schemas.error().error);
        return std::nullopt;
    }
    return *std::move(schemas);
}

} // namespace cli

#include "verbs/analyze/table_inputs.hpp"

#include "gather/scopes.hpp"

#include <algorithm>

namespace cli {

namespace {

using etl::analysis::TableForm;
using etl::analysis::TableNeeds;

/// Events are selected by process in tables without processes.
FilterOptions filters_of(const AnalyzeOptions& options, const TableForm& form) {
    FilterOptions filters = options.filters;
    filters.notes = std::make_shared<etl::match::Notes>(); // each table asks about the same events
    if (form.has_processes) {
        filters.processes.clear();
    }
    return filters;
}

/// What one or more tables need.
struct Needs {
    bool all_facts = false, processes = false, schemas = false;
    bool origins = false;
    std::optional<etl::flow::TimeFilter::Window> stacks{}; // that of all tables; none: no table yet

    void add(const AnalyzeOptions& options, const TableForm& form) {
        const FilterOptions filters = filters_of(options, form);
        all_facts = all_facts || form.needs_all_facts();
        processes = processes || form.needs_processes() || filters.needs_facts() ||
                    !options.filters.processes.empty();
        schemas = schemas || filters.needs_schemas() || form.needs_schemas();
        origins = origins || filters.needs_origins();
    }

    /// Tables of one command have the same window.
    void add_stacks(const TableForm& form, const etl::flow::TimeFilter::Window& window) {
        const bool is_same = !stacks || (stacks->from == window.from && stacks->to == window.to);
        stacks = is_same && !form.has_earlier_stacks ? window : etl::flow::TimeFilter::Window{};
    }

    bool facts() const noexcept { return all_facts || processes; }

    etl::dataset::Needs of_dataset() const {
        using etl::facts::Scope;
        return {.facts = all_facts   ? std::optional(Scope::everything)
                         : processes ? std::optional(Scope::processes)
                                     : std::nullopt,
                .origins = origins,
                .stacks = stacks.value_or(etl::flow::TimeFilter::Window{})};
    }
};

/// Finds the forms, and compiles the filters.
std::expected<Needs, ExitCode> compile_tables(std::span<const AnalyzeOptions> options,
                                              const Traces& traces, TableInputs& inputs) {
    Needs needs;
    for (const AnalyzeOptions& one : options) {
        const TableForm* const form = etl::analysis::find_table(one.verb, one.by);
        if (form == nullptr) {
            return std::unexpected(ExitCode::usage);
        }
        auto filters = compile(filters_of(one, *form), traces.dataset().bounds());
        if (!filters) {
            return std::unexpected(ExitCode::usage);
        }
        needs.add(one, *form);
        needs.add_stacks(*form, filters->window);
        inputs.tables.push_back(
            {.options = &one, .form = form, .filters = *std::move(filters), .processes = {}});
    }
    return needs;
}

/// Prints each name of a process once that the traces do not contain.
void report_unknown_processes(const TableInputs& inputs) {
    std::vector<std::string> words;
    for (const WantedTable& table : inputs.tables) {
        for (const std::string& word : table.options->filters.processes) {
            if (std::ranges::find(words, word) == words.end()) {
                words.push_back(word);
            }
        }
    }
    if (!words.empty()) {
        report_unknown_names(words, *inputs.facts);
    }
}

/// Completes a table by what all share.
void complete(WantedTable& table, const TableInputs& inputs,
              const std::shared_ptr<const etl::facts::Origins>& origins) {
    const AnalyzeOptions& options = *table.options;
    if (!options.filters.processes.empty() && table.form->has_processes) {
        table.processes = etl::facts::parse_process_selection(options.filters.processes);
    }
    table.filters.inputs = {.schemas = inputs.schemas,
                            .decoder = {.pointer_size = options.pointer_size},
                            .facts = inputs.facts,
                            .origins = origins};
}

} // namespace

bool needs_facts(std::span<const AnalyzeOptions> options) {
    Needs needs;
    for (const AnalyzeOptions& one : options) {
        if (const TableForm* const form = etl::analysis::find_table(one.verb, one.by)) {
            needs.add(one, *form);
        }
    }
    return needs.facts();
}

std::expected<TableInputs, ExitCode> inputs_of(std::span<const AnalyzeOptions> all,
                                               const Traces& traces) {
    TableInputs inputs;
    auto needs = compile_tables(all, traces, inputs);
    if (!needs) {
        return std::unexpected(needs.error());
    }
    const AnalyzeOptions& options = all.front();
    const etl::gather::Scopes scopes(traces.readers());
    const bool has_machines = scopes.all().size() > 1 && !options.adds_machines;
    needs->origins = needs->origins || has_machines;
    SchemaOptions schemas = options.schemas;
    schemas.for_facts = !needs->schemas;
    traces.dataset().options().pointer_size = options.pointer_size;
    const auto context = context_of(traces, schemas, needs->of_dataset());
    if (!context) {
        return std::unexpected(ExitCode::failed);
    }
    inputs.schemas = context->schemas;
    inputs.facts = needs->facts() ? context->facts : etl::gather::no_facts(traces.readers());
    if (has_machines) {
        inputs.origins = scopes.origins(traces.readers(), *context->origins);
    }
    if (needs->all_facts) {
        inputs.symbols = options.symbols.open();
    }
    report_unknown_processes(inputs);
    for (WantedTable& table : inputs.tables) {
        complete(table, inputs, context->origins);
    }
    return inputs;
}

} // namespace cli

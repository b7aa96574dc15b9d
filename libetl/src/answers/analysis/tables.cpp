#include "analysis/pass.hpp"
#include "analysis/table_list.hpp"
#include "flow/mux.hpp"

namespace etl::analysis {

namespace {

#define ETL_TABLE_ADDRESS(name) &name##_table,
constexpr const TableKind* all_tables[] = {ETL_TABLES(ETL_TABLE_ADDRESS)};
#undef ETL_TABLE_ADDRESS

std::vector<const TableForm*> all_forms() {
    std::vector<const TableForm*> forms;
    for (const TableKind* const kind : all_tables) {
        for (const TableForm& form : kind->forms) {
            forms.push_back(&form);
        }
    }
    return forms;
}

} // namespace

std::span<const TableKind* const> tables() noexcept {
    return all_tables;
}

std::span<const TableForm* const> table_forms() {
    static const std::vector<const TableForm*> forms = all_forms();
    return forms;
}

std::vector<const TableForm*> forms_in(std::uint8_t TablePlaces::* verb) {
    std::vector<const TableForm*> forms;
    std::ranges::copy_if(table_forms(), std::back_inserter(forms),
                         [&](const TableForm* form) { return form->places.*verb != 0; });
    std::ranges::stable_sort(forms, {}, [&](const TableForm* form) { return form->places.*verb; });
    return forms;
}

const TableKind* find_kind(std::string_view name) noexcept {
    const auto found = std::ranges::find(all_tables, name, &TableKind::name);
    return found == std::end(all_tables) ? nullptr : *found;
}

const TableForm* find_table(std::string_view name, std::string_view by) noexcept {
    const TableKind* const kind = find_kind(name);
    if (kind == nullptr) {
        return nullptr;
    }
    const auto form =
        by.empty() ? kind->forms.begin() : std::ranges::find(kind->forms, by, &TableForm::by);
    return form == kind->forms.end() ? nullptr : &*form;
}

Table empty_table(const TableForm& form) {
    flow::Concatenation no_events({});
    const auto analyzer = form.make({});
    PassOptions pass;
    pass.facts = std::make_shared<const facts::FactsByTrace>(1);
    pass.range = {0, 0};
    auto table = run(no_events, flow::TraceInfo(), *analyzer, pass);
    return table ? std::move(*table) : Table();
}

} // namespace etl::analysis

// What the events before a window leave behind for a table. Properties: what is found in a section
// is what was written, whatever it is; a table that begins with it fails, or its rows have a cell
// for each column. The first byte chooses a form, of which the rest is the state; 0: a section.
#include "analysis/states.hpp"
#include "base/layout.hpp"
#include "fuzz/require.hpp"

#include <memory>
#include <vector>

using namespace etl;

namespace {

constexpr std::int64_t cut_time = 100;

/// A trace without events.
class NoEvents final : public flow::Source {
public:
    flow::Run next_run() override { return {}; }

    flow::Pin pin() const override { return {}; }

    const Error* error() const noexcept override { return nullptr; }
};

void check_section(Bytes section) {
    constexpr std::size_t time_size = 8;
    if (section.size() >= time_size) {
        static_cast<void>(analysis::find_state(section.subspan(time_size),
                                               load_le<std::int64_t>(section.data())));
    }
}

void check_state(const analysis::TableForm& form, Bytes carried) {
    const analysis::TableState state{.table = std::string(form.kind->name),
                                     .by = std::string(form.by),
                                     .missing = {},
                                     .remainders = {},
                                     .other_versions = {},
                                     .carried = {carried.begin(), carried.end()}};
    analysis::StateWriter writer;
    for (int i = 0; i < 3; ++i) { // the first of a group, and others
        writer.add({{cut_time}, cut_time}, state);
    }
    const std::vector<std::byte> section = writer.take();
    const auto found = analysis::find_state(section, cut_time);
    fuzz::require(found && found->state.carried == state.carried);
    fuzz::require(!analysis::find_state(section, cut_time - 1));
    NoEvents events;
    flow::TraceInfo trace;
    analysis::PassOptions pass;
    pass.facts = std::make_shared<facts::FactsByTrace>(1);
    pass.range = {cut_time, 2 * cut_time};
    const auto analyzer = form.make({});
    const auto table =
        analysis::run_window(events, trace, *analyzer, pass, {.begin = cut_time}, &found->state);
    for (const analysis::Row& row : table ? table->rows : std::vector<analysis::Row>{}) {
        fuzz::require(row.cells.size() == table->columns.size());
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const Bytes rest = std::as_bytes(std::span(data, size)).subspan(1);
    std::vector<const analysis::TableForm*> forms;
    for (const analysis::TableForm* const form : analysis::table_forms()) {
        if (!form->state.empty()) {
            forms.push_back(form);
        }
    }
    if (data[0] == 0) {
        check_section(rest);
    } else {
        check_state(*forms[(data[0] - 1U) % forms.size()], rest);
    }
    return 0;
}

#include "symbols/pdb/module.hpp"

#include <algorithm>

namespace etl::symbols {

const LineRow* Module::line_at(std::uint32_t rva) const noexcept {
    const LineRow* const found = line_index_.find(lines, rva);
    return found != nullptr && found->line != 0 ? found : nullptr;
}

const Linkage& Module::linkage_of(const Procedure& procedure, const Publics& publics) const {
    std::call_once(linkage_once_, [&] {
        NameScratch scratch;
        linkage_.resize(procedures.size());
        for (std::size_t i = 0; i < procedures.size(); ++i) {
            const auto symbols = publics.at(procedures[i].begin);
            linkage_[i].name = publics.best(symbols, text(procedures[i].name), scratch);
            linkage_[i].others = std::max(
                others[i], static_cast<std::uint32_t>(symbols.empty() ? 0 : symbols.size() - 1));
        }
    });
    return linkage_[static_cast<std::size_t>(&procedure - procedures.data())];
}

void Module::finish() {
    procedure_index_ = decltype(procedure_index_)(procedures);
    line_index_ = decltype(line_index_)(lines);
}

std::uint32_t Module::site_at(const Procedure& procedure, std::uint32_t rva) const noexcept {
    const auto all = std::span(spans).subspan(procedure.first_span, procedure.spans);
    const InlineSpan* const found = last_at_or_below(all, rva, &InlineSpan::begin);
    return found == nullptr ? 0 : found->site;
}

const InlineRow* Module::row_of(const InlineSite& site, std::uint32_t rva) const noexcept {
    return last_at_or_below(std::span(rows).subspan(site.first_row, site.rows), rva,
                            &InlineRow::begin);
}

std::size_t Module::memory() const noexcept {
    return sizeof(Module) + texts.capacity() + procedures.capacity() * sizeof(Procedure) +
           lines.capacity() * sizeof(LineRow) + sites.capacity() * sizeof(InlineSite) +
           rows.capacity() * sizeof(InlineRow) + spans.capacity() * sizeof(InlineSpan) +
           methods.capacity() * sizeof(ManagedMethod) + others.capacity() * sizeof(std::uint32_t) +
           procedures.size() * sizeof(Linkage) + procedure_index_.memory() + line_index_.memory();
}

} // namespace etl::symbols

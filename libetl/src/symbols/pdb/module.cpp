#include "symbols/pdb/module.hpp"

namespace etl::symbols {

const Procedure* Module::procedure_at(std::uint32_t rva) const noexcept {
    const Procedure* const found = last_at_or_below(std::span(procedures), rva, &Procedure::begin);
    return found != nullptr && rva < found->end ? found : nullptr;
}

const LineRow* Module::line_at(std::uint32_t rva) const noexcept {
    const LineRow* const found = last_at_or_below(std::span(lines), rva, &LineRow::begin);
    return found != nullptr && found->line != 0 ? found : nullptr;
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
           methods.capacity() * sizeof(ManagedMethod);
}

} // namespace etl::symbols

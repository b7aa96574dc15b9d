#include "base/cursor.hpp"
#include "base/text.hpp"
#include "symbols/limits.hpp"
#include "symbols/pdb/inline_sites.hpp"
#include "symbols/pdb/line_table.hpp"
#include "symbols/pdb/module.hpp"
#include "symbols/pdb/records.hpp"

#include <algorithm>
#include <unordered_map>

namespace etl::symbols {

namespace {

/// Walks over the symbols of one module.
class ModuleParser {
public:
    ModuleParser(Bytes symbols, LineTables lines, const AddressSpace& addresses,
                 const TypeNames& types)
        : symbols_(symbols), lines_(std::move(lines)), addresses_(addresses), types_(types) {}

    std::unique_ptr<Module> run() {
        constexpr std::size_t signature = 4;
        for (std::size_t at = signature;;) {
            const auto record = record_at<SymbolKind>(symbols_, at);
            if (record.size == 0) {
                break;
            }
            leave_scopes(at);
            symbol(record.kind, record.content);
            at += record.size;
        }
        end_procedure();
        name_separated_code();
        order_procedures();
        module_.lines = std::move(lines_.rows);
        module_.finish();
        return std::move(owner_);
    }

private:
    struct Scope {
        std::size_t end = 0;    // offset of the record that ends it
        std::uint32_t site = 0; // its index + 1
    };

    /// Cold code, away from its procedure.
    struct SeparatedCode {
        std::size_t procedure = 0;
        std::uint32_t parent = 0; // address
    };

    void leave_scopes(std::size_t at) {
        while (!scopes_.empty() && at >= scopes_.back().end) {
            scopes_.pop_back();
        }
        if (at >= procedure_end_) {
            end_procedure();
        }
    }

    void symbol(SymbolKind kind, Bytes content) {
        switch (kind) {
        case SymbolKind::local_procedure:
        case SymbolKind::global_procedure:
        case SymbolKind::local_procedure_id:
        case SymbolKind::global_procedure_id:
        case SymbolKind::local_dpc_procedure:
        case SymbolKind::local_dpc_procedure_id:
            return procedure(content, false);
        case SymbolKind::global_managed_procedure:
        case SymbolKind::local_managed_procedure:
            return procedure(content, true);
        case SymbolKind::thunk:
            return thunk(content);
        case SymbolKind::trampoline:
            return trampoline(content);
        case SymbolKind::separated_code:
            return separated_code(content);
        case SymbolKind::inline_site:
            return inline_site(content, 12);
        case SymbolKind::inline_site_2:
            return inline_site(content, 16);
        case SymbolKind::public_symbol:
        default:
            return;
        }
    }

    void procedure(Bytes content, bool is_managed) {
        Cursor in(content);
        in.u32("parent");
        const std::size_t end = in.u32("end");
        in.u32("next");
        const std::uint32_t size = in.u32("size");
        in.bytes("debug start, debug end", 8);
        const std::uint32_t token = in.u32("type or token");
        const std::uint32_t offset = in.u32("offset");
        const std::uint16_t section = in.u16("section");
        in.u8("flags");
        if (is_managed) {
            in.u16("register");
        }
        const Bytes name = in.zero_terminated8("name");
        end_procedure();
        if (in && add(section, offset, size, as_text(name))) {
            procedure_end_ = end;
            if (is_managed) {
                module_.methods.push_back({token, module_.procedures.back().begin, size});
            }
        }
    }

    void thunk(Bytes content) {
        Cursor in(content);
        in.bytes("parent, end, next", 12);
        const std::uint32_t offset = in.u32("offset");
        const std::uint16_t section = in.u16("section");
        const std::uint16_t size = in.u16("size");
        in.u8("kind");
        const Bytes name = in.zero_terminated8("name");
        if (in) {
            add(section, offset, size, as_text(name));
        }
    }

    void trampoline(Bytes content) {
        Cursor in(content);
        in.u16("kind");
        const std::uint16_t size = in.u16("size");
        const std::uint32_t offset = in.u32("offset");
        const std::uint32_t target_offset = in.u32("offset of the target");
        const std::uint16_t section = in.u16("section");
        const auto target = addresses_.rva_of(in.u16("section of the target"), target_offset);
        if (in && target && add(section, offset, size, {})) {
            module_.procedures.back().target = *target;
        }
    }

    void separated_code(Bytes content) {
        Cursor in(content);
        in.bytes("parent, end", 8);
        const std::uint32_t size = in.u32("size");
        in.u32("flags");
        const std::uint32_t offset = in.u32("offset");
        const std::uint32_t parent_offset = in.u32("offset of the procedure");
        const std::uint16_t section = in.u16("section");
        const auto parent = addresses_.rva_of(in.u16("section of the procedure"), parent_offset);
        if (in && parent && add(section, offset, size, {})) {
            separated_.push_back({module_.procedures.size() - 1, *parent});
        }
    }

    bool add(std::uint16_t section, std::uint32_t offset, std::uint32_t size,
             std::string_view name) {
        const auto begin = addresses_.rva_of(section, offset);
        if (!begin || size == 0 || size > 0xFFFFFFFF - *begin) {
            return false;
        }
        Procedure added;
        added.begin = *begin;
        added.end = *begin + size;
        added.name = text_part(name);
        module_.procedures.push_back(added);
        return true;
    }

    TextPart text_part(std::string_view text) {
        const TextPart part{static_cast<std::uint32_t>(module_.texts.size()),
                            static_cast<std::uint32_t>(text.size())};
        module_.texts.append(text);
        return part;
    }

    void inline_site(Bytes content, std::size_t annotations) {
        Cursor in(content);
        in.u32("parent");
        const std::size_t end = in.u32("end");
        const std::uint32_t item = in.u32("inlinee");
        if (!in || procedure_end_ == 0 || scopes_.size() >= limits::inline_depth) {
            return;
        }
        const Inlinee* const known =
            last_at_or_below(std::span<const Inlinee>(lines_.inlinees), item, &Inlinee::item);
        const Inlinee inlinee =
            known != nullptr && known->item == item ? *known : Inlinee{item, 0, 0};
        InlineSite site;
        site.parent = scopes_.empty() ? 0 : scopes_.back().site;
        site.name = name_of(item);
        site.first_row = static_cast<std::uint32_t>(module_.rows.size());
        append_inline_rows(clamped(content, annotations), module_.procedures.back(), inlinee,
                           lines_.files, module_.rows);
        site.rows = static_cast<std::uint32_t>(module_.rows.size()) - site.first_row;
        module_.sites.push_back(site);
        scopes_.push_back({end, static_cast<std::uint32_t>(module_.sites.size())});
    }

    TextPart name_of(std::uint32_t item) {
        const auto [found, is_new] = names_.try_emplace(item);
        if (is_new && inlined_name_bytes_ < limits::inlined_name_bytes) {
            const std::size_t before = module_.texts.size();
            types_.append_function(item, module_.texts);
            found->second = {static_cast<std::uint32_t>(before),
                             static_cast<std::uint32_t>(module_.texts.size() - before)};
            inlined_name_bytes_ += found->second.size;
        }
        return found->second;
    }

    void end_procedure() {
        if (procedure_end_ != 0 && module_.sites.size() > first_site_) {
            Procedure& procedure = module_.procedures.back();
            procedure.first_span = static_cast<std::uint32_t>(module_.spans.size());
            append_inline_spans(first_site_, module_);
            procedure.spans =
                static_cast<std::uint32_t>(module_.spans.size()) - procedure.first_span;
        }
        procedure_end_ = 0;
        scopes_.clear();
        first_site_ = module_.sites.size();
    }

    void name_separated_code() {
        std::unordered_map<std::uint32_t, TextPart> names;
        for (const Procedure& procedure : module_.procedures) {
            names.try_emplace(procedure.begin, procedure.name);
        }
        for (const SeparatedCode& code : separated_) {
            if (const auto found = names.find(code.parent); found != names.end()) {
                module_.procedures[code.procedure].name = found->second;
            }
        }
    }

    // Of several procedures at one address, the one with the shortest name is kept.
    void order_procedures() {
        auto& all = module_.procedures;
        std::ranges::stable_sort(all, [&](const Procedure& a, const Procedure& b) {
            return a.begin != b.begin ? a.begin < b.begin : is_better(a, b);
        });
        std::size_t kept = 0;
        for (const Procedure& one : all) {
            if (kept != 0 && all[kept - 1].begin == one.begin) {
                module_.others.back() += module_.text(one.name) != module_.text(all[kept - 1].name);
            } else {
                all[kept++] = one;
                module_.others.push_back(0);
            }
        }
        all.resize(kept);
    }

    bool is_better(const Procedure& a, const Procedure& b) const noexcept {
        const auto rank = [&](const Procedure& one) {
            return std::tuple(one.name.size == 0, one.name.size, module_.text(one.name));
        };
        return rank(a) < rank(b);
    }

    Bytes symbols_;
    LineTables lines_;
    const AddressSpace& addresses_;
    const TypeNames& types_;
    std::unique_ptr<Module> owner_ = std::make_unique<Module>();
    Module& module_ = *owner_;
    std::vector<Scope> scopes_;     // inlined sites around the current record
    std::size_t procedure_end_ = 0; // 0: outside of procedures
    std::size_t first_site_ = 0;    // of the current procedure
    std::vector<SeparatedCode> separated_;
    std::unordered_map<std::uint32_t, TextPart> names_; // by item
    std::size_t inlined_name_bytes_ = 0;
};

} // namespace

std::unique_ptr<Module> parse_module(const StreamFile& file, const ModuleStream& stream,
                                     const AddressSpace& addresses, const TypeNames& types) {
    std::vector<std::byte> scratch;
    const auto size = static_cast<std::size_t>(file.size_of(stream.stream));
    const Bytes content = file.part(stream.stream, 0, size, scratch);
    const Bytes c13 = clamped(clamped(clamped(content, stream.symbol_bytes), stream.old_line_bytes),
                              0, stream.line_bytes);
    return ModuleParser(clamped(content, 0, stream.symbol_bytes), read_line_tables(c13, addresses),
                        addresses, types)
        .run();
}

} // namespace etl::symbols

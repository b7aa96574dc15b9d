#include "symbols/pdb/module.hpp"

#include "base/cursor.hpp"
#include "base/function_ref.hpp"
#include "base/text.hpp"
#include "symbols/limits.hpp"
#include "symbols/pdb/records.hpp"

#include <algorithm>
#include <cstdint>
#include <queue>
#include <unordered_map>
#include <vector>

namespace etl::symbols {

namespace {

// C13 line information of one module. docs/format/pdb.md#lines

/// Where an inlined function begins in its source.
struct Inlinee {
    std::uint32_t item = 0;
    std::uint32_t file = 0; // offset in the stream of names
    std::uint32_t line = 0;
};

/// Names of source files by the offset of their checksums.
class FileTable {
public:
    FileTable() = default;

    explicit FileTable(Bytes checksums) : checksums_(checksums) {}

    /// Returns the offset in the stream of names; 0 if the file is unknown.
    std::uint32_t name_of(std::uint32_t checksum) const noexcept {
        return has_range(checksums_, checksum, 4)
                   ? load_le<std::uint32_t>(checksums_.data() + checksum)
                   : 0;
    }

private:
    Bytes checksums_;
};

struct LineTables {
    FileTable files;
    std::vector<LineRow> rows;     // sorted
    std::vector<Inlinee> inlinees; // sorted by item
};

/// Reads the line information. The result views it.
LineTables read_line_tables(Bytes c13, const AddressSpace& addresses);

enum class C13Kind : std::uint32_t { lines = 0xF2, checksums = 0xF4, inlinees = 0xF6 };

// Numbers that the compiler uses for code without a line.
constexpr bool is_real_line(std::uint32_t line) noexcept {
    return line != 0xFEEFEE && line != 0xF00F00;
}

// Those to be ignored have a high bit, which makes them of another kind.
void for_each_subsection(Bytes c13, FunctionRef<void(C13Kind, Bytes)> each) {
    Cursor in(c13);
    while (in.left() >= 8) {
        const auto kind = static_cast<C13Kind>(in.u32("kind"));
        const std::size_t size = in.u32("size");
        const Bytes content = in.bytes("subsection", size);
        in.bytes("padding", std::min((0 - size) & 3U, in.left()));
        if (in) {
            each(kind, content);
        }
    }
}

// Rows of the files of one contribution, which can interleave.
void read_lines(Bytes content, const AddressSpace& addresses, const FileTable& files,
                std::vector<LineRow>& rows) {
    constexpr std::size_t block_header = 12;
    constexpr std::size_t row_size = 8;
    Cursor in(content);
    const std::uint32_t offset = in.u32("offset");
    const std::uint16_t section = in.u16("section");
    in.u16("flags");
    const std::uint32_t size = in.u32("size");
    const auto begin = addresses.rva_of(section, offset);
    if (!in || !begin || size > 0xFFFFFFFF - *begin) {
        return;
    }
    const std::size_t first = rows.size();
    while (in.left() >= block_header) {
        const std::uint32_t file = files.name_of(in.u32("checksum"));
        const std::size_t count = in.u32("rows");
        const std::size_t bytes = in.u32("bytes");
        const Bytes block = in.bytes("block", bytes < block_header ? 0 : bytes - block_header);
        for (std::size_t i = 0; i < count && has_range(block, i * row_size, row_size); ++i) {
            const auto at = load_le<std::uint32_t>(block.data() + i * row_size);
            const auto line = load_le<std::uint32_t>(block.data() + i * row_size + 4) & 0xFFFFFFU;
            if (at < size) {
                rows.push_back({*begin + at, is_real_line(line) ? line : 0, file});
            }
        }
    }
    if (rows.size() > first) {
        const auto added = rows.begin() + static_cast<std::ptrdiff_t>(first);
        std::stable_sort(added, rows.end(),
                         [](const LineRow& a, const LineRow& b) { return a.begin < b.begin; });
        // Code before the first row, such as that of an inlined function, belongs to it.
        added->begin = *begin;
        rows.push_back({*begin + size, 0, 0});
    }
}

void read_inlinees(Bytes content, const FileTable& files, std::vector<Inlinee>& to) {
    Cursor in(content);
    const bool has_more_files = in.u32("signature") == 1;
    while (in.left() >= 12) {
        const std::uint32_t item = in.u32("inlinee");
        const std::uint32_t checksum = in.u32("file");
        to.push_back({item, files.name_of(checksum), in.u32("line")});
        if (has_more_files) {
            const std::size_t count = in.u32("further files");
            in.bytes("further files", 4 * count);
        }
    }
}

LineTables read_line_tables(Bytes c13, const AddressSpace& addresses) {
    LineTables result;
    for_each_subsection(c13, [&](C13Kind kind, Bytes content) {
        if (kind == C13Kind::checksums) {
            result.files = FileTable(content);
        }
    });
    for_each_subsection(c13, [&](C13Kind kind, Bytes content) {
        if (kind == C13Kind::lines) {
            read_lines(content, addresses, result.files, result.rows);
        } else if (kind == C13Kind::inlinees) {
            read_inlinees(content, result.files, result.inlinees);
        }
    });
    // Of several rows at one address the last applies; the end of a contribution comes first.
    std::ranges::stable_sort(result.rows, [](const LineRow& a, const LineRow& b) {
        return a.begin != b.begin ? a.begin<b.begin : (a.file == 0)>(b.file == 0);
    });
    std::ranges::stable_sort(result.inlinees, {}, &Inlinee::item);
    return result;
}

// Inlined calls of one procedure. docs/format/pdb.md#inlined-functions

/// Appends the rows of a site: what its annotations say about code from `procedure` on.
void append_inline_rows(Bytes annotations, const Procedure& procedure, const Inlinee& inlinee,
                        const FileTable& files, std::vector<InlineRow>& to);

/// Appends the spans of the sites `first_site` to the last: which of them is the innermost one.
void append_inline_spans(std::size_t first_site, Module& module);

// BinaryAnnotationOpcode of Microsoft's cvinfo.h.
enum class Annotation : std::uint32_t {
    end = 0,
    code_offset = 1,
    code_offset_base = 2,
    change_code_offset = 3,
    change_code_length = 4,
    change_file = 5,
    change_line_offset = 6,
    change_code_offset_and_line_offset = 11,
    change_code_length_and_code_offset = 12,
};

// One to four bytes; the high bits of the first specify the number.
std::uint32_t take_compressed(Cursor& in) noexcept {
    const std::uint32_t first = in.u8("number");
    if ((first & 0x80U) == 0) {
        return first;
    }
    if ((first & 0xC0U) == 0x80U) {
        return (first & 0x3FU) << 8U | in.u8("number");
    }
    std::uint32_t result = first & 0x1FU;
    for (int i = 0; i < 3; ++i) {
        result = result << 8U | in.u8("number");
    }
    return result;
}

// The lowest bit is the sign.
std::uint32_t signed_of(std::uint32_t number) noexcept {
    return (number & 1U) != 0 ? 0U - (number >> 1U) : number >> 1U;
}

/// The state that annotations change.
class InlineRows {
public:
    InlineRows(const Procedure& procedure, const Inlinee& inlinee, const FileTable& files,
               std::vector<InlineRow>& to)
        : procedure_(procedure), files_(files), to_(to), first_(to.size()), line_(inlinee.line),
          file_(inlinee.file) {}

    void run(Bytes annotations) {
        Cursor in(annotations);
        while (!in.is_at_end()) {
            const auto kind = static_cast<Annotation>(take_compressed(in));
            if (kind == Annotation::end) {
                break;
            }
            const std::uint32_t operand = take_compressed(in);
            const bool has_two = kind == Annotation::change_code_length_and_code_offset;
            const std::uint32_t second = has_two ? take_compressed(in) : 0;
            if (!in) {
                break;
            }
            apply(kind, operand, second);
        }
        finish();
    }

private:
    void apply(Annotation kind, std::uint32_t operand, std::uint32_t second) {
        switch (kind) {
        case Annotation::code_offset:
            offset_ = operand;
            return;
        case Annotation::change_code_offset:
            emit(operand, 0);
            return;
        case Annotation::change_code_length:
            set_length(operand);
            offset_ += operand;
            return;
        case Annotation::change_file:
            file_ = files_.name_of(operand);
            return;
        case Annotation::change_line_offset:
            line_ += signed_of(operand);
            return;
        case Annotation::change_code_offset_and_line_offset:
            line_ += signed_of(operand >> 4U);
            emit(operand & 0xFU, 0);
            return;
        case Annotation::change_code_length_and_code_offset:
            emit(second, operand);
            return;
        case Annotation::end:
        case Annotation::code_offset_base:
        default: // columns, ends of statements
            return;
        }
    }

    // A row reaches to the next one unless its length is known.
    void emit(std::uint32_t distance, std::uint32_t length) {
        offset_ += distance;
        const std::uint32_t begin = procedure_.begin + offset_;
        if (is_open_) {
            to_.back().end = begin;
        }
        to_.push_back({begin, begin + length, line_, file_});
        is_open_ = length == 0;
    }

    void set_length(std::uint32_t length) {
        if (is_open_) {
            to_.back().end = to_.back().begin + length;
            is_open_ = false;
        }
    }

    // Rows outside of the procedure are wrong.
    void finish() {
        const auto is_wrong = [&](const InlineRow& row) {
            return row.begin < procedure_.begin || row.end > procedure_.end || row.begin >= row.end;
        };
        const auto added = to_.begin() + static_cast<std::ptrdiff_t>(first_);
        to_.erase(std::remove_if(added, to_.end(), is_wrong), to_.end());
        std::stable_sort(to_.begin() + static_cast<std::ptrdiff_t>(first_), to_.end(),
                         [](const InlineRow& a, const InlineRow& b) { return a.begin < b.begin; });
    }

    const Procedure& procedure_;
    const FileTable& files_;
    std::vector<InlineRow>& to_;
    std::size_t first_;
    std::uint32_t offset_ = 0;
    std::uint32_t line_;
    std::uint32_t file_;
    bool is_open_ = false; // the last row has no end yet
};

/// A row of a site. Inner sites come after those around them.
struct Covered {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t site = 0; // its index + 1
    std::uint32_t depth = 0;
};

std::vector<Covered> covered_by(std::size_t first_site, const Module& module) {
    std::vector<Covered> result;
    std::vector<std::uint32_t> depths(module.sites.size() - first_site);
    for (std::size_t i = first_site; i < module.sites.size(); ++i) {
        const InlineSite& site = module.sites[i];
        std::uint32_t& depth = depths[i - first_site];
        depth = site.parent == 0 ? 1 : depths[site.parent - 1U - first_site] + 1;
        for (const InlineRow& row : std::span(module.rows).subspan(site.first_row, site.rows)) {
            result.push_back({row.begin, row.end, static_cast<std::uint32_t>(i + 1), depth});
        }
    }
    std::ranges::stable_sort(result, {}, &Covered::begin);
    return result;
}

void append_inline_rows(Bytes annotations, const Procedure& procedure, const Inlinee& inlinee,
                        const FileTable& files, std::vector<InlineRow>& to) {
    InlineRows(procedure, inlinee, files, to).run(annotations);
}

// Sweeps over all beginnings and ends, with the rows that cover the position by depth.
void append_inline_spans(std::size_t first_site, Module& module) {
    const std::vector<Covered> all = covered_by(first_site, module);
    const auto is_outer = [](const Covered& a, const Covered& b) {
        return std::pair(a.depth, a.site) < std::pair(b.depth, b.site);
    };
    std::priority_queue<Covered, std::vector<Covered>, decltype(is_outer)> open(is_outer);
    const std::size_t first_span = module.spans.size();
    const auto begin_span = [&](std::uint32_t at, std::uint32_t site) {
        if (module.spans.size() > first_span && module.spans.back().begin == at) {
            module.spans.back().site = site;
        } else if (module.spans.size() == first_span || module.spans.back().site != site) {
            module.spans.push_back({at, site});
        }
    };
    // Ends the innermost rows up to `limit`, so that those around them continue.
    const auto advance = [&](std::uint32_t limit) {
        while (!open.empty() && open.top().end <= limit) {
            const std::uint32_t at = open.top().end;
            while (!open.empty() && open.top().end <= at) {
                open.pop();
            }
            begin_span(at, open.empty() ? 0 : open.top().site);
        }
    };
    for (const Covered& row : all) {
        advance(row.begin);
        open.push(row);
        begin_span(row.begin, open.top().site);
    }
    advance(0xFFFFFFFF);
}

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

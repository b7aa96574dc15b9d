#include <etl/error.hpp>
#include <etl/guid.hpp>

#include "base/cursor.hpp"
#include "base/text.hpp"
#include "symbols/limits.hpp"
#include "symbols/pdb/debug_info.hpp"
#include "symbols/pdb/module.hpp"
#include "symbols/pdb/publics.hpp"
#include "symbols/source.hpp"
#include "symbols/stream_file.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>

namespace etl::symbols {

namespace {

/// The first stream of a program database: identity and named streams. docs/format/pdb.md#streams
struct DatabaseInfo {
    Guid guid;
    std::uint32_t age = 0;   // at least that of the debug information
    std::uint32_t names = 0; // number of the stream `/names`; 0: there is none
};

/// Errors: truncated.
Result<DatabaseInfo> read_info(const StreamFile& file);

constexpr std::size_t info_stream = 1;

// A serialized hash table: names, then pairs of the offset of a name and the stream.
std::uint32_t stream_named(std::string_view name, Cursor in) {
    const Bytes names = in.bytes("names", in.u32("bytes of names"));
    const std::size_t count = in.u32("entries");
    in.u32("capacity");
    in.bytes("bits of the entries present", 4UL * in.u32("words"));
    in.bytes("bits of the entries deleted", 4UL * in.u32("words"));
    for (std::size_t i = 0; in && i < count; ++i) {
        const std::uint32_t key = in.u32("offset of the name");
        const std::uint32_t stream = in.u32("stream");
        const std::string_view text = as_text(clamped(names, key, name.size() + 1));
        if (in && text.substr(0, text.find('\0')) == name) {
            return stream;
        }
    }
    return 0;
}

Result<DatabaseInfo> read_info(const StreamFile& file) {
    std::vector<std::byte> content;
    file.read(info_stream, content);
    Cursor in(content);
    DatabaseInfo result;
    in.u32("version");
    in.u32("time");
    result.age = in.u32("age");
    result.guid = in.guid("GUID");
    if (!in) {
        return std::unexpected(in.error());
    }
    result.names = stream_named("/names", in);
    return result;
}

/// The texts of the stream `/names`.
class SourceNames {
public:
    void read(const StreamFile& file, std::uint32_t stream) {
        constexpr std::size_t header = 12;
        if (stream != 0 && file.read(stream, content_)) {
            texts_ = as_text(clamped(content_, header));
        }
    }

    std::string_view at(std::uint32_t offset) const noexcept {
        const std::string_view rest = offset < texts_.size()
                                          ? texts_.substr(offset, limits::source_name_bytes)
                                          : std::string_view{};
        const std::size_t end = rest.find('\0');
        return end == rest.npos ? std::string_view{} : rest.substr(0, end);
    }

private:
    std::vector<std::byte> content_;
    std::string_view texts_;
};

/// A parsed module with what lookups read of it: modules are spread over memory, these are not.
struct alignas(64) HeldModule {
    std::shared_ptr<const Module> module;
    ProcedureTable procedures;
};

/// By number, held while `generation` is current.
struct HeldModules final : SourceState {
    std::vector<HeldModule> modules;
    std::uint64_t generation = 0;
};

class Database final : public Source {
public:
    Database(StreamFile file, const DatabaseInfo& info, DebugInfo debug)
        : file_(std::move(file)), info_(info), debug_(std::move(debug)),
          modules_(debug_.modules.size()) {}

    Identity identity() const noexcept override {
        return {info_.guid, debug_.age != 0 ? debug_.age : info_.age};
    }

    void resolve(std::uint32_t rva, Detail detail, Scratch& scratch) const override;

    std::optional<SourceLine> managed_line(std::uint32_t method_token,
                                           std::uint32_t il_offset) const override;

    bool names_functions() const override;

private:
    const Contribution* contribution_at(std::uint32_t rva) const noexcept;
    HeldModules& held_modules(Scratch& scratch) const;
    const HeldModule* module_at(std::uint32_t rva, HeldModules& held) const;
    std::shared_ptr<const Module> module(std::size_t number) const;
    std::string_view name_of(const HeldModule& module, const Procedure& procedure,
                             HeldModules& held) const;
    void add_inlined(const Module& module, const Procedure& procedure, std::uint32_t rva,
                     Scratch& scratch) const;
    void add_procedure(const Module& module, const Procedure& procedure, std::uint32_t rva,
                       Detail detail, std::string_view name, Scratch& scratch) const;
    void add_public(std::uint32_t rva, Detail detail, Scratch& scratch) const;
    const Publics& publics() const;
    const SourceNames& names() const;
    const TypeNames& types() const;

    StreamFile file_;
    DatabaseInfo info_;
    DebugInfo debug_;
    mutable std::mutex mutex_;
    mutable std::vector<std::shared_ptr<const Module>> modules_;
    mutable std::size_t kept_bytes_ = 0;
    mutable std::atomic<std::uint64_t> generation_{1};
    mutable std::once_flag publics_once_;
    mutable std::once_flag names_once_;
    mutable std::once_flag types_once_;
    mutable Publics publics_;
    mutable SourceNames names_;
    mutable TypeNames types_;
    mutable std::once_flag methods_once_;
    mutable std::vector<std::pair<ManagedMethod, std::uint32_t>> methods_; // with their module
};

const Publics& Database::publics() const {
    std::call_once(publics_once_, [&] { publics_ = Publics(file_, debug_); });
    return publics_;
}

const SourceNames& Database::names() const {
    std::call_once(names_once_, [&] { names_.read(file_, info_.names); });
    return names_;
}

const TypeNames& Database::types() const {
    std::call_once(types_once_, [&] { types_ = TypeNames(file_); });
    return types_;
}

std::shared_ptr<const Module> Database::module(std::size_t number) const {
    {
        const std::lock_guard lock(mutex_);
        if (modules_[number]) {
            return modules_[number];
        }
    }
    const std::shared_ptr<const Module> parsed =
        parse_module(file_, debug_.modules[number], debug_.addresses, types());
    const std::lock_guard lock(mutex_);
    if (kept_bytes_ > limits::kept_module_bytes) {
        std::ranges::fill(modules_, nullptr);
        kept_bytes_ = 0;
        ++generation_;
    }
    kept_bytes_ += modules_[number] ? 0 : parsed->memory();
    modules_[number] = parsed;
    return parsed;
}

const Contribution* Database::contribution_at(std::uint32_t rva) const noexcept {
    const Contribution* const found = debug_.contribution_index.find(debug_.contributions, rva);
    return found != nullptr && rva < found->end ? found : nullptr;
}

// Modules are released before a lookup only, because the result views them.
HeldModules& Database::held_modules(Scratch& scratch) const {
    if (!scratch.state) {
        scratch.state = std::make_unique<HeldModules>();
    }
    auto& held = static_cast<HeldModules&>(*scratch.state);
    const std::uint64_t generation = generation_.load(std::memory_order_relaxed);
    if (held.generation != generation) {
        held.modules.assign(modules_.size(), {});
        held.generation = generation;
    }
    return held;
}

const HeldModule* Database::module_at(std::uint32_t rva, HeldModules& held) const {
    const Contribution* const found = contribution_at(rva);
    if (found == nullptr || found->module >= held.modules.size()) {
        return nullptr;
    }
    HeldModule& result = held.modules[found->module];
    if (!result.module) {
        result.module = module(found->module);
        result.procedures = result.module->procedure_table();
    }
    return &result;
}

// A jump has the name of its target, which can be in another module.
std::string_view Database::name_of(const HeldModule& module, const Procedure& procedure,
                                   HeldModules& held) const {
    if (procedure.name.size != 0 || procedure.target == 0) {
        return module.procedures.text(procedure.name);
    }
    const HeldModule* const other = module_at(procedure.target, held);
    const Procedure* const target =
        other == nullptr ? nullptr : other->procedures.at(procedure.target);
    return target == nullptr ? std::string_view{} : other->procedures.text(target->name);
}

void Database::resolve(std::uint32_t rva, Detail detail, Scratch& scratch) const {
    if (!debug_.addresses.is_of_image()) {
        return;
    }
    const auto original = debug_.addresses.original(rva);
    if (!original) {
        return;
    }
    HeldModules& held = held_modules(scratch);
    const HeldModule* const module = module_at(*original, held);
    const Procedure* const procedure =
        module == nullptr ? nullptr : module->procedures.at(*original);
    if (procedure == nullptr) {
        add_public(*original, detail, scratch);
        if (detail == Detail::lines && module != nullptr) {
            if (const LineRow* const row = module->module->line_at(*original)) {
                if (scratch.frames.empty()) {
                    scratch.frames.emplace_back();
                }
                scratch.frames.back().file = names().at(row->file);
                scratch.frames.back().line = row->line;
            }
        }
        return;
    }
    if (detail == Detail::lines && procedure->spans != 0) {
        add_inlined(*module->module, *procedure, *original, scratch);
    }
    add_procedure(*module->module, *procedure, *original, detail,
                  name_of(*module, *procedure, held), scratch);
}

void Database::add_inlined(const Module& module, const Procedure& procedure, std::uint32_t rva,
                           Scratch& scratch) const {
    for (std::uint32_t number = module.site_at(procedure, rva); number != 0;) {
        const InlineSite& site = module.sites[number - 1];
        Frame& frame = scratch.frames.emplace_back();
        frame.function = module.text(site.name);
        frame.is_inlined = true;
        if (const InlineRow* const row = module.row_of(site, rva)) {
            frame.file = names().at(row->file);
            frame.line = row->line;
        }
        number = site.parent;
    }
}

void Database::add_procedure(const Module& module, const Procedure& procedure, std::uint32_t rva,
                             Detail detail, std::string_view name, Scratch& scratch) const {
    Frame& frame = scratch.frames.emplace_back();
    frame.function = name;
    frame.offset = rva - procedure.begin;
    if (detail == Detail::function) {
        return;
    }
    const Linkage& linkage = module.linkage_of(procedure, publics());
    frame.linkage_name = publics().text(linkage.name, scratch.names.best);
    frame.others = linkage.others;
    if (detail == Detail::lines) {
        if (const LineRow* const row = module.line_at(rva)) {
            frame.file = names().at(row->file);
            frame.line = row->line;
        }
    }
}

// Never across the border of a contribution or of a section.
void Database::add_public(std::uint32_t rva, Detail detail, Scratch& scratch) const {
    const PublicSymbol* const nearest = publics().nearest(rva);
    if (nearest == nullptr || contribution_at(nearest->rva) != contribution_at(rva) ||
        debug_.addresses.section_of(nearest->rva) != debug_.addresses.section_of(rva)) {
        return;
    }
    const auto symbols = publics().at(nearest->rva);
    Frame& frame = scratch.frames.emplace_back();
    const PublicName name = publics().best(symbols, {}, scratch.names);
    frame.function = publics().text(name, scratch.names.best);
    frame.is_approximate = true;
    frame.offset = rva - nearest->rva;
    if (detail != Detail::function) {
        frame.linkage_name = frame.function;
        frame.others = static_cast<std::uint32_t>(symbols.size() - 1);
    }
}

std::optional<SourceLine> Database::managed_line(std::uint32_t method_token,
                                                 std::uint32_t il_offset) const {
    std::call_once(methods_once_, [&] {
        for (std::size_t i = 0; i < modules_.size(); ++i) {
            const auto owner = module(i); // held: another thread can release all modules
            for (const ManagedMethod& method : owner->methods) {
                methods_.emplace_back(method, static_cast<std::uint32_t>(i));
            }
        }
        std::ranges::stable_sort(methods_, {}, [](const auto& one) { return one.first.token; });
    });
    const auto found = std::ranges::lower_bound(methods_, method_token, {},
                                                [](const auto& one) { return one.first.token; });
    if (found == methods_.end() || found->first.token != method_token ||
        il_offset >= found->first.size) {
        return std::nullopt;
    }
    const auto owner = module(found->second);
    const LineRow* const row = owner->line_at(found->first.begin + il_offset);
    return row == nullptr ? std::nullopt
                          : std::optional(SourceLine{names().at(row->file), row->line});
}

// Modules are parsed only until one has a procedure: mostly the first.
bool Database::names_functions() const {
    if (!debug_.addresses.is_of_image()) {
        return false;
    }
    std::vector<bool> is_known(modules_.size());
    for (const Contribution& one : debug_.contributions) {
        if (one.module < is_known.size() && !is_known[one.module]) {
            is_known[one.module] = true;
            if (!module(one.module)->procedures.empty()) {
                return true;
            }
        }
    }
    return !publics().is_empty();
}

} // namespace

Result<std::unique_ptr<const Source>> open_database(Bytes file) {
    auto streams = StreamFile::open(file);
    if (!streams) {
        return std::unexpected(streams.error());
    }
    const auto info = read_info(*streams);
    if (!info) {
        return std::unexpected(info.error());
    }
    auto debug = DebugInfo::read(*streams);
    if (!debug) {
        return std::unexpected(debug.error());
    }
    return std::make_unique<Database>(std::move(*streams), *info, std::move(*debug));
}

} // namespace etl::symbols

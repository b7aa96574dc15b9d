#include "io/unpack.hpp"

#include "base/file_name.hpp"
#include "base/function_ref.hpp"
#include "io/input_file.hpp"
#include "io/limits.hpp"
#include "io/packed/member_data.hpp"
#include "io/packed/spool.hpp"

#include <string>
#include <system_error>

namespace etl::io {

namespace {

// The members of a packed input one after the other: archives, compressed streams, and streams in
// archives.

/// A member as it is shown.
struct PackedMember {
    std::string name;      // in the archive, or of the file; without the ending of a compression
    std::string full_name; // for messages
    MemberData* data;      // null: nothing can be read of it
    Error why_no_data{};
    bool is_whole_file = false; // there is no directory, this is all
};

/// Looks at a member; false ends the walk, as an error does.
using MemberVisit = FunctionRef<Result<bool>(const PackedMember& member)>;

/// Damage is part of the result; anything else must end the call.
bool is_damage(const Error& error) noexcept;

/// Wants every member.
constexpr auto all_names = [](std::string_view) { return true; };

/// Steps through one packed input. What run() returns as an error ended it early.
class PackedWalk {
public:
    /// `wanted` is asked for the name of each member as the archive has it.
    PackedWalk(const InputFile& packed, std::uint64_t max, MemberVisit visit,
               MemberNamePredicate wanted = all_names)
        : packed_(&packed), budget_(max), visit_(visit), wanted_(wanted) {}

    Result<void> run();

private:
    PackedKind kind_inside(PackedKind kind);
    Result<void> stream(PackedKind kind);
    Result<void> whole_file(MemberData& data);
    Result<void> archive(ArchiveReader::Layers layers);
    Result<bool> member(ArchiveReader& reader, ArchiveReader::Layers layers);
    Result<bool> get_over(const ArchiveReader& reader, ArchiveReader::Layers layers,
                          std::uint64_t taken);
    Result<bool> nested(const std::string& name, const std::string& full_name, MemberData& outer,
                        PackedKind kind);

    const InputFile* packed_;
    UnpackBudget budget_;
    MemberVisit visit_;
    MemberNamePredicate wanted_;
};

bool is_damage(const Error& error) noexcept {
    return error.code == ErrorCode::malformed || error.code == ErrorCode::truncated ||
           error.code == ErrorCode::unsupported;
}

Result<void> PackedWalk::run() {
    const PackedKind kind = packed_kind(packed_->bytes());
    if (kind == PackedKind::none) {
        return fail(ErrorCode::unsupported, "compression format");
    }
    return is_stream(kind) ? stream(kind) : archive({.archive = kind});
}

// What a stream holds, by its first block.
PackedKind PackedWalk::kind_inside(PackedKind kind) {
    const auto reader = ArchiveReader::open(packed_->bytes(), {.stream = kind});
    if (!reader || !(*reader)->next()) {
        return PackedKind::none;
    }
    UnpackBudget one_block(limits::unpacked_bytes);
    return packed_kind(MemberData(**reader, one_block).head());
}

Result<void> PackedWalk::stream(PackedKind kind) {
    if (kind_inside(kind) == PackedKind::tar) {
        return archive({.stream = kind, .archive = PackedKind::tar});
    }
    const WholeStream stream{kind, packed_->bytes()};
    const auto reader = ArchiveReader::open(packed_->bytes(), {.stream = kind});
    const auto found = reader ? (*reader)->next() : std::unexpected(reader.error());
    if (!found) {
        MemberData data(found.error(), budget_, stream);
        return data.taken() > 0 ? whole_file(data) : std::unexpected(found.error());
    }
    MemberData data(**reader, budget_, stream); // without a byte where there is no member
    return whole_file(data);
}

Result<void> PackedWalk::whole_file(MemberData& data) {
    const std::string& path = packed_->name();
    const std::string_view file_name = file_name_of(path);
    if (!wanted_(file_name)) {
        return {};
    }
    const auto visited = visit_({std::string(name_inside(file_name)), path, &data, {}, true});
    return visited ? Result<void>{} : std::unexpected(visited.error());
}

Result<void> PackedWalk::archive(ArchiveReader::Layers layers) {
    const auto opened = ArchiveReader::open(packed_->bytes(), layers);
    if (!opened) {
        return std::unexpected(opened.error());
    }
    ArchiveReader& reader = **opened;
    while (true) {
        const auto found = reader.next();
        if (!found || !*found) {
            return found ? Result<void>{} : std::unexpected(found.error());
        }
        const auto go_on = member(reader, layers);
        if (!go_on || !*go_on) {
            return go_on ? Result<void>{} : std::unexpected(go_on.error());
        }
    }
}

Result<bool> PackedWalk::member(ArchiveReader& reader, ArchiveReader::Layers layers) {
    if (!wanted_(reader.name())) {
        return get_over(reader, layers, 0);
    }
    const std::string full_name = packed_->name() + ":" + reader.name();
    if (reader.is_encrypted()) {
        return visit_(
            {reader.name(), full_name, nullptr, Error{ErrorCode::unsupported, "encrypted member"}});
    }
    MemberData data(reader, budget_);
    const PackedKind inside = packed_kind(data.head());
    const auto go_on = is_stream(inside) ? nested(reader.name(), full_name, data, inside)
                                         : visit_({reader.name(), full_name, &data});
    return go_on && *go_on ? get_over(reader, layers, data.taken()) : go_on;
}

// What is left of a member must be unpacked to get over it, except in a zip.
Result<bool> PackedWalk::get_over(const ArchiveReader& reader, ArchiveReader::Layers layers,
                                  std::uint64_t taken) {
    if (layers.archive != PackedKind::zip && reader.declared_size() > taken) {
        if (const auto granted = budget_.take(reader.declared_size() - taken); !granted) {
            return std::unexpected(granted.error());
        }
    }
    return true;
}

// A member that is a compressed stream.
Result<bool> PackedWalk::nested(const std::string& name, const std::string& full_name,
                                MemberData& outer, PackedKind kind) {
    const auto reader = ArchiveReader::open(outer, {.stream = kind});
    const auto found = reader ? (*reader)->next() : std::unexpected(reader.error());
    if (!found) {
        return is_damage(found.error())
                   ? visit_({std::string(name_inside(name)), full_name, nullptr, found.error()})
                   : found;
    }
    MemberData data(**reader, budget_);
    return visit_({std::string(name_inside(name)), full_name, &data});
}

// Takes what a member holds into `spool`; returns how many bytes came.
Result<std::uint64_t> take_all(MemberData& data, Spool& spool) {
    std::uint64_t total = 0;
    while (true) {
        const auto block = data.next_block();
        if (!block && is_damage(block.error())) {
            return total;
        }
        if (!block) {
            return std::unexpected(block.error());
        }
        if (block->empty()) {
            return total;
        }
        if (const auto written = spool.write(*block); !written) {
            return std::unexpected(written.error());
        }
        total += block->size();
    }
}

std::unexpected<Error> too_many(std::size_t members) {
    return fail(ErrorCode::limit, "archive members at once (extract them to read more)", {},
                members);
}

// Keeps one wanted member, or what there is of it.
Result<void> keep(const PackedMember& member, std::size_t max_members, Unpacked& unpacked) {
    if (unpacked.members.size() >= max_members) {
        return too_many(max_members);
    }
    auto spool = Spool::create();
    if (!spool) {
        return std::unexpected(spool.error());
    }
    const auto total = take_all(*member.data, *spool);
    if (!total) {
        return std::unexpected(total.error());
    }
    const std::optional<Error> damage = member.data->damage();
    if (damage && *total == 0) {
        unpacked.lost.push_back({member.full_name, *damage});
        return {};
    }
    auto file = spool->finish(member.full_name, damage);
    if (!file) {
        const bool has_no_mapping = std::error_code(file.error().os_code, std::system_category()) ==
                                    std::errc::not_enough_memory;
        return has_no_mapping ? too_many(unpacked.members.size()) : std::unexpected(file.error());
    }
    unpacked.members.push_back(std::move(*file));
    return {};
}

} // namespace

Result<Unpacked> unpack(const InputFile& packed, MemberPredicate wanted,
                        const UnpackOptions& options) {
    Unpacked unpacked;
    const auto visit = [&](const PackedMember& member) -> Result<bool> {
        const bool is_wanted =
            wanted(member.name, member.data != nullptr ? member.data->head() : Bytes{});
        if (member.data == nullptr) {
            if (is_wanted) {
                unpacked.lost.push_back({member.full_name, member.why_no_data});
            }
            return true;
        }
        const std::optional<Error> damage = member.data->damage();
        if (damage && !is_damage(*damage)) {
            return std::unexpected(*damage);
        }
        if (!is_wanted) {
            if (member.is_whole_file && damage) {
                unpacked.lost.push_back({member.full_name, *damage});
            }
            return true;
        }
        const auto kept = keep(member, options.max_members, unpacked);
        return kept ? Result<bool>(true) : std::unexpected(kept.error());
    };
    const auto walked = PackedWalk(packed, options.max_unpacked, visit).run();
    if (!walked && !is_damage(walked.error())) {
        return std::unexpected(walked.error());
    }
    if (!walked) {
        unpacked.lost.push_back({packed.name(), walked.error()});
    }
    if (unpacked.members.empty() && !unpacked.lost.empty()) {
        return std::unexpected(unpacked.lost.front().why);
    }
    return unpacked;
}

Result<void> for_each_member(const InputFile& packed, std::size_t max_member,
                             FunctionRef<bool(std::string_view name, Bytes content)> visit,
                             const UnpackOptions& options) {
    return for_each_member(packed, max_member, all_names, visit, options);
}

Result<void> for_each_member(const InputFile& packed, std::size_t max_member,
                             MemberNamePredicate wanted,
                             FunctionRef<bool(std::string_view name, Bytes content)> visit,
                             const UnpackOptions& options) {
    std::optional<Error> damage;
    std::vector<std::byte> content;
    const auto take = [&](const PackedMember& member) -> Result<bool> {
        content.clear();
        while (member.data != nullptr) {
            const auto block = member.data->next_block();
            if (!block && !is_damage(block.error())) {
                return std::unexpected(block.error());
            }
            if (!block || block->empty()) {
                break;
            }
            if (block->size() > max_member - content.size()) {
                return true;
            }
            content.insert(content.end(), block->begin(), block->end());
        }
        const std::optional<Error> lost =
            member.data != nullptr ? member.data->damage() : member.why_no_data;
        if (lost) {
            damage = damage ? damage : lost;
            return true;
        }
        return visit(member.name, content);
    };
    const auto walked = PackedWalk(packed, options.max_unpacked, take, wanted).run();
    if (walked && damage) {
        return std::unexpected(*damage);
    }
    return walked;
}

} // namespace etl::io

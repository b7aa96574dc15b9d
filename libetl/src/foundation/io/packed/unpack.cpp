#include "io/unpack.hpp"

#include "io/packed/packed_walk.hpp"
#include "io/packed/spool.hpp"

#include <system_error>

namespace etl::io {

namespace {

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

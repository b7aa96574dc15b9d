#include "io/packed/packed_walk.hpp"

#include "base/file_name.hpp"
#include "io/limits.hpp"

namespace etl::io {

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

} // namespace etl::io

// The members of a packed input one after the other: archives, compressed streams, and streams in
// archives.
#pragma once

#include "base/function_ref.hpp"
#include "io/input_file.hpp"
#include "io/packed/member_data.hpp"
#include "io/unpack.hpp"

#include <string>

namespace etl::io {

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
inline constexpr auto all_names = [](std::string_view) { return true; };

/// Steps through one packed input. What run() returns as an error ended it early.
class PackedWalk {
public:
    /// `wanted` is asked for the name of each member as the archive has it.
    PackedWalk(const InputFile& packed, std::uint64_t most, MemberVisit visit,
               MemberNamePredicate wanted = all_names)
        : packed_(&packed), budget_(most), visit_(visit), wanted_(wanted) {}

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

} // namespace etl::io

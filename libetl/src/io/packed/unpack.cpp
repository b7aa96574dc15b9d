#include <etl/io/limits.hpp>
#include <etl/io/unpack.hpp>

#include "io/packed/archive_reader.hpp"
#include "io/packed/packed_kind.hpp"
#include "io/packed/spool.hpp"
#include "io/packed/stream_tail.hpp"

#include <algorithm>

namespace etl::io {

namespace {

constexpr std::size_t head_size = 4096;

// How much may still be unpacked.
class Budget {
public:
    explicit Budget(std::uint64_t most) : most_(most), left_(most) {}

    Result<void> take(std::uint64_t bytes) {
        if (bytes > left_) {
            return fail(ErrorCode::limit, "unpacked bytes", {}, most_);
        }
        left_ -= bytes;
        return {};
    }

private:
    std::uint64_t most_;
    std::uint64_t left_;
};

// A stream that is all of a file: it can be unpacked once more.
struct WholeStream {
    PackedKind kind = PackedKind::none;
    Bytes packed{};
};

// The bytes of one member. Its head can be looked at before they are taken.
class MemberData final : public BlockSource {
public:
    MemberData(ArchiveReader& reader, Budget& budget, WholeStream stream = {})
        : reader_(&reader), budget_(&budget), stream_(stream) {
        fill_head();
    }

    // Where the reader failed before it came to the member.
    MemberData(Error failure, Budget& budget, WholeStream stream)
        : budget_(&budget), stream_(stream) {
        fail_with(failure);
        fill_head();
    }

    MemberData(const MemberData&) = delete;
    MemberData& operator=(const MemberData&) = delete;
    ~MemberData() override = default;

    Bytes head() const noexcept { return clamped(head_, 0, head_size); }

    Result<Bytes> next_block() override {
        if (!head_given_) {
            head_given_ = true;
            if (!head_.empty()) {
                return Bytes(head_);
            }
        }
        return from_reader();
    }

    /// What ended the member early, or is wrong with its checksum.
    std::optional<Error> damage() const {
        return failure_ || reader_ == nullptr ? failure_ : reader_->remark();
    }

    std::uint64_t taken() const noexcept { return taken_; }

private:
    void fill_head() {
        while (head_.size() < head_size) {
            const auto block = from_reader();
            if (!block || block->empty()) {
                return;
            }
            head_.insert(head_.end(), block->begin(), block->end());
        }
    }

    // Stays at the end or at the failure once it is there.
    Result<Bytes> from_reader() {
        while (true) {
            if (failure_ && tail_ == nullptr) {
                return std::unexpected(*failure_);
            }
            if (at_end_) {
                return Bytes{};
            }
            auto block = tail_ != nullptr ? tail_->next_block() : reader_->read();
            if (!block) {
                fail_with(block.error());
            } else if (block->empty() && tail_ != nullptr) {
                tail_.reset();
            } else if (const auto granted = budget_->take(block->size()); !granted) {
                failure_ = granted.error();
                tail_.reset();
            } else {
                taken_ += block->size();
                at_end_ = block->empty();
                return block;
            }
        }
    }

    void fail_with(const Error& error) {
        failure_ = error;
        if (error.code == ErrorCode::truncated || error.code == ErrorCode::malformed) {
            tail_ = std::make_unique<StreamTail>(stream_.kind, stream_.packed, taken_);
        }
    }

    ArchiveReader* reader_ = nullptr;
    Budget* budget_;
    WholeStream stream_;
    std::vector<std::byte> head_;
    std::uint64_t taken_ = 0;
    std::optional<Error> failure_;
    std::unique_ptr<StreamTail> tail_; // after a failure, what the reader held back
    bool head_given_ = false;
    bool at_end_ = false;
};

// A member as the callers below see it.
struct Member {
    std::string name;      // in the archive, or of the file; without the ending of a compression
    std::string full_name; // for messages
    MemberData* data;      // null: nothing can be read of it
    Error why_no_data{};
    bool is_whole_file = false; // there is no directory, this is all
};

// Looks at a member; false ends the walk, as an error does.
using Visit = FunctionRef<Result<bool>(const Member& member)>;

// Damage is part of the result; anything else must end the call.
bool is_damage(const Error& error) noexcept {
    return error.code == ErrorCode::malformed || error.code == ErrorCode::truncated ||
           error.code == ErrorCode::unsupported;
}

// Wants every member.
constexpr auto all = [](std::string_view) { return true; };

// Steps through one packed input. What walk() returns as an error ended it early.
class Walk {
public:
    /// `wanted` is asked for the name of each member as the archive has it.
    Walk(const InputFile& packed, std::uint64_t most, Visit visit, WantedName wanted = all)
        : packed_(&packed), budget_(most), visit_(visit), wanted_(wanted) {}

    Result<void> run() {
        const PackedKind kind = packed_kind(packed_->bytes());
        if (kind == PackedKind::none) {
            return fail(ErrorCode::unsupported, "packed format");
        }
        return is_stream(kind) ? stream(kind) : archive({.archive = kind});
    }

private:
    // What a stream holds, by its first block.
    PackedKind kind_inside(PackedKind kind) {
        const auto reader = ArchiveReader::open(packed_->bytes(), {.stream = kind});
        if (!reader || !(*reader)->next()) {
            return PackedKind::none;
        }
        Budget one_block(limits::unpacked_bytes);
        return packed_kind(MemberData(**reader, one_block).head());
    }

    Result<void> stream(PackedKind kind) {
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

    Result<void> whole_file(MemberData& data) {
        const std::string& path = packed_->name();
        const std::string_view file_name =
            std::string_view(path).substr(path.find_last_of("/\\") + 1);
        if (!wanted_(file_name)) {
            return {};
        }
        const auto visited = visit_({std::string(name_inside(file_name)), path, &data, {}, true});
        return visited ? Result<void>{} : std::unexpected(visited.error());
    }

    Result<void> archive(ArchiveReader::Layers layers) {
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

    Result<bool> member(ArchiveReader& reader, ArchiveReader::Layers layers) {
        if (!wanted_(reader.name())) {
            return get_over(reader, layers, 0);
        }
        const std::string full_name = packed_->name() + ":" + reader.name();
        if (reader.is_encrypted()) {
            return visit_({reader.name(), full_name, nullptr,
                           Error{ErrorCode::unsupported, "encrypted member"}});
        }
        MemberData data(reader, budget_);
        const PackedKind inside = packed_kind(data.head());
        const auto go_on = is_stream(inside) ? nested(reader.name(), full_name, data, inside)
                                             : visit_({reader.name(), full_name, &data});
        return go_on && *go_on ? get_over(reader, layers, data.taken()) : go_on;
    }

    // What is left of a member must be unpacked to get over it, except in a zip.
    Result<bool> get_over(const ArchiveReader& reader, ArchiveReader::Layers layers,
                          std::uint64_t taken) {
        if (layers.archive != PackedKind::zip && reader.declared_size() > taken) {
            if (const auto granted = budget_.take(reader.declared_size() - taken); !granted) {
                return std::unexpected(granted.error());
            }
        }
        return true;
    }

    // A member that is a compressed stream.
    Result<bool> nested(const std::string& name, const std::string& full_name, MemberData& outer,
                        PackedKind kind) {
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

    const InputFile* packed_;
    Budget budget_;
    Visit visit_;
    WantedName wanted_;
};

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

// Keeps one wanted member, or what there is of it.
Result<void> keep(const Member& member, Unpacked& unpacked) {
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
        return std::unexpected(file.error());
    }
    unpacked.members.push_back(std::move(*file));
    return {};
}

} // namespace

Result<Unpacked> unpack(const InputFile& packed, Wanted wanted, const UnpackOptions& options) {
    Unpacked unpacked;
    const auto visit = [&](const Member& member) -> Result<bool> {
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
        const auto kept = keep(member, unpacked);
        return kept ? Result<bool>(true) : std::unexpected(kept.error());
    };
    const auto walked = Walk(packed, options.max_unpacked, visit).run();
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
    return for_each_member(packed, max_member, all, visit, options);
}

Result<void> for_each_member(const InputFile& packed, std::size_t max_member, WantedName wanted,
                             FunctionRef<bool(std::string_view name, Bytes content)> visit,
                             const UnpackOptions& options) {
    std::optional<Error> damage;
    std::vector<std::byte> content;
    const auto take = [&](const Member& member) -> Result<bool> {
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
    const auto walked = Walk(packed, options.max_unpacked, take, wanted).run();
    if (walked && damage) {
        return std::unexpected(*damage);
    }
    return walked;
}

} // namespace etl::io

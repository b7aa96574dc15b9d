// Parts of tables as files. docs/parts.md#tables
#include "analysis/parts.hpp"
#include "analysis/parts/archive.hpp"
#include "analysis/parts/part_rows.hpp"
#include "base/hashes.hpp"

namespace etl::analysis {

namespace {

constexpr std::string_view part_signature = "ETLPART\n";
constexpr std::uint32_t part_version = 4;

void visit(Archive& archive, Cell& cell) {
    enum Kind : std::uint8_t { null, number, text, list };

    auto kind = static_cast<std::uint8_t>(cell.index());
    archive.number(kind);
    if (archive.is_reading()) {
        cell = kind == number ? Cell{std::uint64_t{0}}
               : kind == text ? Cell{std::string()}
               : kind == list ? Cell{std::vector<std::uint64_t>()}
                              : Cell{};
    }
    switch (kind) {
    case null:
        break;
    case number:
        archive.number(std::get<std::uint64_t>(cell));
        break;
    case text:
        archive.text(std::get<std::string>(cell));
        break;
    case list:
        archive.list(std::get<std::vector<std::uint64_t>>(cell),
                     [&](std::uint64_t& value) { archive.number(value); });
        break;
    default:
        archive.fail();
    }
}

void visit(Archive& archive, TablePart::Whole& whole) {
    archive.number(whole.has_ticks);
    archive.number(whole.start);
    archive.number(whole.reference);
    archive.number(whole.frequency);
    archive.number(whole.has_events);
    archive.number(whole.begin);
    archive.number(whole.end);
    archive.number(whole.planned_end);
    archive.number(whole.processors);
    archive.optional(whole.lost_events);
    archive.optional(whole.lost_buffers);
    constexpr std::uint64_t max = std::uint64_t{1} << 62U; // ticks: times in it can be computed
    for (const std::int64_t end : {whole.end, whole.planned_end}) {
        if (end < whole.begin ||
            static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(whole.begin) > max) {
            archive.fail();
        }
    }
}

void visit(Archive& archive, TablePart& part) {
    const auto text = [&](std::string& one) { archive.text(one); };
    archive.list(part.columns, text);
    visit_rows(archive, part.rows);
    archive.list(part.missing, text);
    archive.list(part.remainders, [&](TablePart::Count& count) {
        archive.text(count.name);
        archive.number(count.value);
    });
    archive.list(part.other_versions, [&](OtherVersion& one) {
        archive.text(one.event_class);
        archive.number(one.version);
        archive.optional(one.layout);
        archive.number(one.is_short);
        archive.number(one.events);
    });
    archive.number(part.events);
    archive.number(part.used_events);
    archive.bytes(part.carried);
    visit(archive, part.whole);
}

void visit(Archive& archive, TableOptions& options) {
    archive.number(options.slices);
    archive.number(options.excludes_interrupts);
    archive.number(options.bucket_factor);
    archive.number(options.has_process_ids);
    archive.number(options.per_kind);
}

void visit(Archive& archive, PartFile& part) {
    archive.number(part.number);
    archive.number(part.count);
    archive.text(part.table);
    archive.text(part.by);
    visit(archive, part.options);
    archive.list(part.made_from, [&](std::pair<std::string, std::string>& one) {
        archive.raw_text(one.first);
        archive.raw_text(one.second);
    });
    archive.list(part.traces, [&](TablePart& one) { visit(archive, one); });
    archive.list(part.origins, [&](facts::Origin& one) {
        archive.number(one.trace);
        archive.text(one.machine);
        std::optional<std::int64_t> boot = one.boot ? std::optional(one.boot->ticks) : std::nullopt;
        archive.optional(boot);
        one.boot = boot ? std::optional(Filetime{*boot}) : std::nullopt;
    });
}

bool is_allowed(const PartFile& part) {
    return part.number >= 1 && part.number <= part.count && part.options.slices >= 1 &&
           part.options.slices <= limits::analysis_slices &&
           (part.origins.empty() || part.origins.size() == part.traces.size());
}

} // namespace

void visit_rows(Archive& archive, std::vector<Row>& rows) {
    archive.list(rows, [&](Row& row) {
        archive.list(row.cells, [&](Cell& cell) { visit(archive, cell); });
        archive.number(row.in_total);
    });
}

std::vector<std::byte> encode(const PartFile& part) {
    Archive archive;
    PartFile copy = part;
    visit(archive, copy);
    return with_checksum(archive.take());
}

std::vector<std::byte> with_checksum(Bytes content) {
    ByteWriter to;
    to.text8(part_signature).u32(part_version).u32(0).bytes(content).u64(checksum_of(content));
    return to.take();
}

Result<PartFile> parse_part_file(Bytes file) {
    Cursor from(file);
    if (as_text(from.bytes("signature", part_signature.size())) != part_signature) {
        return fail(ErrorCode::malformed, "not a part of a table");
    }
    const std::uint32_t found = from.u32("version");
    from.u32("reserved");
    if (!from) {
        return std::unexpected(from.error());
    }
    if (found != part_version) {
        return fail(ErrorCode::unsupported, "version of the part", {part_signature.size()},
                    part_version, found);
    }
    constexpr std::size_t checksum_size = 8;
    if (from.left() < checksum_size) {
        return fail(ErrorCode::truncated, "part of a table");
    }
    const Bytes content = from.bytes("content", from.left() - checksum_size);
    if (from.u64("checksum") != checksum_of(content)) {
        return fail(ErrorCode::malformed, "checksum mismatch in the part");
    }
    Archive archive(content);
    PartFile part;
    visit(archive, part);
    if (!archive.is_complete() || !is_allowed(part)) {
        return fail(ErrorCode::malformed, "content of the part");
    }
    return part;
}

} // namespace etl::analysis

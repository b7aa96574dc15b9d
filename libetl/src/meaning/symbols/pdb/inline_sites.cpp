#include "symbols/pdb/inline_sites.hpp"

#include "base/cursor.hpp"

#include <algorithm>
#include <queue>

namespace etl::symbols {

namespace {

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

} // namespace

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

} // namespace etl::symbols

#include "base/text.hpp"
#include "symbols/source.hpp"

#include <algorithm>
#include <charconv>

namespace etl::symbols {

namespace {

constexpr std::string_view signature_line = "FFFFFFFF ";

// Addresses of lines about the file.
constexpr std::uint32_t signature_address = 0xFFFFFFFF;
constexpr std::uint32_t version_address = 0xFFFFFFFE;
constexpr std::uint32_t last_property = 0xFFFFFF00;

struct MapEntry {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::string_view name;
};

std::optional<std::uint32_t> take_hex(std::string_view& line) noexcept {
    std::uint32_t value = 0;
    const char* const end = line.data() + line.size();
    const auto [rest, error] = std::from_chars(line.data(), end, value, 16);
    if (error != std::errc{} || rest == end || *rest != ' ') {
        return std::nullopt;
    }
    line.remove_prefix(static_cast<std::size_t>(rest - line.data()) + 1);
    return value;
}

// Sixteen bytes in the order of the text.
Guid signature_of(std::string_view text) noexcept {
    Guid result;
    for (std::size_t i = 0; i < result.bytes.size() && 2 * i + 2 <= text.size(); ++i) {
        unsigned value = 0;
        std::from_chars(text.data() + 2 * i, text.data() + 2 * i + 2, value, 16);
        result.bytes[i] = static_cast<std::byte>(value);
    }
    return result;
}

class NativeMap final : public Source {
public:
    void add(std::string_view line) {
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        const auto begin = take_hex(line);
        const auto size = begin ? take_hex(line) : std::nullopt;
        if (!size) {
            return;
        }
        if (*begin == signature_address) {
            identity_.guid = signature_of(line);
        } else if (*begin == version_address) {
            std::from_chars(line.data(), line.data() + line.size(), identity_.age);
        } else if (*begin < last_property && *size != 0 && *size <= last_property - *begin) {
            entries_.push_back({*begin, *begin + *size, line});
        }
    }

    void finish() { std::ranges::stable_sort(entries_, {}, &MapEntry::begin); }

    Identity identity() const noexcept override { return identity_; }

    void resolve(std::uint32_t rva, Detail, Scratch& scratch) const override {
        const MapEntry* const found = last_at_or_below(std::span(entries_), rva, &MapEntry::begin);
        if (found != nullptr && rva < found->end) {
            Frame& frame = scratch.frames.emplace_back();
            frame.function = found->name;
            frame.offset = rva - found->begin;
        }
    }

    std::optional<SourceLine> managed_line(std::uint32_t, std::uint32_t) const override {
        return std::nullopt;
    }

    bool names_functions() const override { return !entries_.empty(); }

private:
    Identity identity_;
    std::vector<MapEntry> entries_; // sorted
};

} // namespace

bool is_native_map(Bytes file) noexcept {
    return as_text(file).starts_with(signature_line);
}

Result<std::unique_ptr<const Source>> open_native_map(Bytes file) {
    if (!is_native_map(file)) {
        return fail(ErrorCode::malformed, "signature of a native map");
    }
    auto result = std::make_unique<NativeMap>();
    for (std::string_view rest = as_text(file); !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        result->add(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    result->finish();
    return result;
}

} // namespace etl::symbols

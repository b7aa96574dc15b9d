#include "trace/first_damage.hpp"

#include "trace/reader.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace etl::trace {

namespace {

/// Keeps the first of all places.
class FirstPlace final : public DiagnosticSink {
public:
    void report(const Diagnostic& finding) override {
        if (finding.severity == Severity::warning) {
            add({finding.where, finding.offset.value_or(0), finding});
        }
    }

    void add(DamageLocation place) { first_ = std::min(first_.value_or(place), place); }

    const std::optional<DamageLocation>& get() const noexcept { return first_; }

private:
    std::optional<DamageLocation> first_;
};

} // namespace

std::optional<DamageLocation> find_first_damage(std::shared_ptr<const io::InputFile> file,
                                                unsigned threads) {
    DiagnosticList opening;
    const auto reader =
        Reader::open(std::move(file), {.threads = threads, .diagnostics = &opening});
    if (!reader) {
        return DamageLocation{.buffer = {}, .offset = 0, .finding = {.what = "not a trace"}};
    }
    FirstPlace first;
    const auto entries = (*reader)->buffers();
    for (const Diagnostic& finding : opening.list()) {
        // What a file holds of its last buffer is intact up to the end of the file.
        const bool is_cut = finding.severity == Severity::warning && finding.buffer &&
                            *finding.buffer < entries.size() &&
                            entries[*finding.buffer].is_truncated &&
                            entries[*finding.buffer].where == finding.where;
        if (is_cut) {
            first.add({finding.where, std::numeric_limits<std::uint32_t>::max(), finding});
        } else {
            first.report(finding);
        }
    }
    std::vector<std::uint32_t> numbers(entries.size());
    std::iota(numbers.begin(), numbers.end(), 0U);
    (*reader)->show_buffers(std::move(numbers), [&](const BufferContent& buffer) {
        std::ranges::for_each(buffer.findings, [&](const Diagnostic& one) { first.report(one); });
    });
    return first.get();
}

} // namespace etl::trace

// The chains of a trace, which share the memory of their buffers and the threads that load ahead.
#pragma once

#include "trace/loading/buffer_chain.hpp"
#include "trace/reader.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace etl::trace {

// What was odd about a trace: to whom it is reported, and how much of it was damage.

/// One thread.
class TraceFindings {
public:
    explicit TraceFindings(const ReaderOptions& options) noexcept
        : file_(options.file), sink_(options.diagnostics) {}

    void report(Diagnostic finding) {
        finding.file = file_;
        damage_ += finding.severity == Severity::warning ? 1U : 0U;
        if (sink_ != nullptr) {
            sink_->report(finding);
        }
    }

    /// Takes them away.
    void report_all(std::vector<Diagnostic>& findings) {
        for (const Diagnostic& finding : findings) {
            report(finding);
        }
        findings.clear();
    }

    /// Findings of Severity::warning so far.
    std::uint64_t damage() const noexcept { return damage_; }

private:
    std::uint32_t file_;
    DiagnosticSink* sink_; // null: findings are only counted
    std::uint64_t damage_ = 0;
};

/// Of each of so many chains.
inline LoadAhead load_ahead(unsigned threads, std::size_t chains) {
    constexpr std::uint64_t group_bytes = 256U << 10U, all_bytes = 8U << 20U;
    chains = std::max<std::size_t>(chains, 1);
    return {.groups = std::clamp<std::size_t>(2 * threads / chains, 1, 8),
            .group_bytes = std::min(group_bytes, all_bytes / chains)};
}

/// One thread. Ends before the chains that it began: its threads work on them.
class ChainLoading {
public:
    /// `threads` load, the caller included, for as many chains as there are `streams`. `entries`
    /// outlive this object.
    ChainLoading(const LoadRequest& request, std::span<const BufferEntry> entries, unsigned threads,
                 std::size_t streams)
        : request_(request), entries_(entries), ahead_(load_ahead(threads, streams)) {
        if (threads > 1) {
            pool_.emplace(threads - 1);
        }
    }

    std::unique_ptr<BufferChain> begin(BufferStream stream) {
        return std::make_unique<BufferChain>(request_, entries_, std::move(stream),
                                             pool_ ? &*pool_ : nullptr, ahead_, shelf_);
    }

    /// The next buffer that holds events; null at the end, where the chain is given up.
    BufferPointer next(std::unique_ptr<BufferChain>& chain, TraceFindings& findings) {
        if (!chain) {
            return nullptr;
        }
        BufferPointer buffer = chain->next(found_);
        if (!buffer) {
            chain.reset();
        }
        findings.report_all(found_);
        return buffer;
    }

    /// Threads of the pool; 0: there is none, and nothing can be started.
    unsigned threads() const noexcept { return pool_ ? pool_->threads() : 0; }

    /// For the threads of the pool.
    template <typename Task>
    auto start(Task task) {
        return pool_->start(std::move(task));
    }

    /// Waits for the end of a task, and runs others meanwhile.
    void wait(const std::future<void>& done) { pool_->wait(done); }

private:
    LoadRequest request_;
    std::span<const BufferEntry> entries_;
    std::shared_ptr<BufferShelf> shelf_ = std::make_shared<BufferShelf>();
    LoadAhead ahead_; // of each chain
    std::vector<Diagnostic> found_;
    std::optional<TaskPool> pool_; // last: its threads end before what they work on
};

} // namespace etl::trace

// File operations that began, with what names them. Private to analysis. docs/analysis.md#slowest
#pragma once

#include "analysis/analyzer.hpp"
#include "analysis/group_key_archive.hpp"
#include "analysis/parts/event_place.hpp"
#include "analysis/parts/pairs.hpp"
#include "analysis/times/file_operations.hpp"
#include "analysis/utf16.hpp"

#include <string>

namespace etl::analysis {

class SlowFiles {
public:
    struct Operation {
        std::int64_t time = 0;
        OwnerRef owner = Owners::unknown;
        std::uint32_t thread = flow::no_id;
        std::uint64_t key = 0, object = 0;
        std::uint64_t path = 0; // of texts_
        std::uint32_t type = 0; // 0: of an earlier part; `path` is its name
    };

    /// Before the first event.
    void start(Context& context) {
        context_ = &context;
        operations_.start(context);
    }

    void begin(const Record& record) {
        if (is_path_of_operation(record)) {
            return;
        }
        Operation operation{.time = record.time,
                            .thread = record.number32(FileField::thread),
                            .key = record.number(FileField::file_key),
                            .object = record.number(FileField::file_object),
                            .type = record.tag};
        operation.owner = context_->owners->of_thread_id(operation.thread, record.time);
        const std::string opened = terminated_utf16(record.rest(FileField::open_path));
        operation.path = opened.empty() ? 0 : texts_.number_of(opened);
        operations_.begin(record.number(FileField::irp), operation);
    }

    /// Calls `ended(operation, end)` if the operation is known.
    template <typename Ended>
    void end(std::uint64_t irp, const IntervalEnd& end, Ended&& ended) {
        if (const auto operation = operations_.end(irp, [&] { return end; })) {
            ended(*operation, end);
        }
    }

    std::string name_of(const Operation& operation) const {
        if (operation.type == 0) {
            return std::string(texts_.text(operation.path));
        }
        std::string_view name = context_->facts->file(operation.key, operation.time);
        name = name.empty() ? context_->facts->file(operation.object, operation.time) : name;
        name = name.empty() ? texts_.text(operation.path) : name;
        return std::string(file_operation_name(operation.type)) + (name.empty() ? "" : " ") +
               std::string(name);
    }

    std::uint64_t dropped() const noexcept { return operations_.dropped(); }

    /// As those of Analyzer.
    void save(Archive& to) { operations_.save(to, visitors()); }

    template <typename Ended>
    void stitch(Archive& from, Ended&& ended) {
        operations_.stitch(from, visitors(), std::forward<Ended>(ended),
                           [](const Operation& /*replaced*/) {});
    }

private:
    using Operations = Pairs<std::uint64_t, Operation, IntervalEnd>; // by IRP

    Operations::Visitors visitors();
    void visit(Archive& archive, Operation& operation);

    Context* context_ = nullptr;
    Texts texts_;
    Operations operations_;
};

/// The file has the name that the facts of its part know.
inline void SlowFiles::visit(Archive& archive, Operation& operation) {
    std::uint64_t name = archive.is_reading() ? 0 : texts_.number_of(name_of(operation));
    archive.number(operation.time);
    visit_owner(archive, *context_->owners, operation.owner);
    archive.number(operation.thread);
    visit_text(archive, texts_, name);
    if (archive.is_reading()) {
        operation.path = name;
    }
}

inline SlowFiles::Operations::Visitors SlowFiles::visitors() {
    return {.key = [](Archive& archive, std::uint64_t& irp) { archive.number(irp); },
            .begin = [this](Archive& archive, Operation& operation) { visit(archive, operation); },
            .end = [](Archive& archive, IntervalEnd& end) { analysis::visit(archive, end); }};
}

} // namespace etl::analysis

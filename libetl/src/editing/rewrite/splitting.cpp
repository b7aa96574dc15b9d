#include "rewrite/splitting.hpp"

#include <etl/guid.hpp>

#include "decode/known_names.hpp"
#include "facts/attributor.hpp"
#include "flow/losses.hpp"
#include "flow/pipeline.hpp"
#include "format/kernel_group.hpp"
#include "rewrite/named_files.hpp"
#include "trace/recording.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>
#include <utility>

namespace etl::rewrite {

namespace {

/// The process of each event, and which of those with its ID.
class Lives {
public:
    explicit Lives(facts::Attributor attributor) : attributor_(std::move(attributor)) {}

    /// Numbers processes in the order of their first events: the same in all passes.
    relog::PartKey::Process operator()(const flow::Event& event) {
        const std::uint32_t id = attributor_.attribute(event).process;
        if (id == flow::no_id) {
            return {id};
        }
        const facts::Facts& facts = attributor_.facts_of(event);
        const auto process = facts.process(id, event.raw_time);
        const Key key{&facts, id, process ? process->begin : 0, process.has_value()};
        const auto [found, is_new] =
            numbers_.try_emplace(key, static_cast<std::uint32_t>(names_.size()));
        if (is_new) {
            names_.emplace_back(process ? process->name : std::string_view());
        }
        return {id, found->second};
    }

    const std::vector<std::string>& names() const noexcept { return names_; }

private:
    using Key = std::tuple<const facts::Facts*, std::uint32_t, std::int64_t, bool>;

    facts::Attributor attributor_;
    std::map<Key, std::uint32_t> numbers_;
    std::vector<std::string> names_{std::string()}; // 0: no process
};

/// Options with the header of the trace, for those of the parts.
relog::SplitOptions split_options(const dataset::Dataset& trace, const Splitting& what,
                                  io::FileFactory& files) {
    const flow::TraceInfo& info = trace.readers().front()->info();
    relog::SplitOptions options{.by = what.by,
                                .limit = what.limit,
                                .context = what.context,
                                .writer = {.recording = trace::recording_of(info),
                                           .files = &files,
                                           .keep_logger_ids = !info.merged_inputs.empty()},
                                .planned = what.planned};
    options.writer.file = what.output.log_file_options(trace.options().worker_threads());
    if (!flow::counts_losses(info)) {
        trace::record_unknown_losses(*options.writer.recording);
    }
    if (what.progress) {
        options.progress = [&what](unsigned pass, unsigned passes, const flow::Event& newest) {
            const double all = passes != 0 ? passes : 2; // at least one more
            const format::LogfileHeader& header = newest.trace().header;
            const double done =
                flow::fraction_by_time({header.start_time}, {header.end_time}, newest);
            what.progress((pass - 1 + done) / all);
            return true;
        };
    }
    return options;
}

/// Opens the trace once more for each pass.
class Passes {
public:
    Passes(const dataset::Dataset& trace, const Splitting& what) : trace_(&trace), what_(&what) {}

    Result<std::unique_ptr<flow::Source>> next() {
        auto pass = trace_->again({}, opened_.empty() ? what_->findings : dataset::FindingSink());
        if (!pass) {
            return std::unexpected(pass.error());
        }
        opened_.push_back(*std::move(pass));
        auto reader = opened_.back().release(0);
        if (what_->chosen) {
            return what_->chosen(std::move(reader));
        }
        return reader;
    }

private:
    const dataset::Dataset* trace_;
    const Splitting* what_;
    std::vector<dataset::Dataset> opened_; // whose readers were given away
};

std::string time_text(Filetime time) {
    std::string text;
    append_rfc3339(text, time);
    return text;
}

std::string guid_text(const Guid& guid) {
    std::string text;
    append_guid(text, guid);
    return text;
}

/// The built-in name of a provider; empty: unknown.
std::string provider_name(const Guid& guid) {
    const auto group = format::class_name(guid);
    const auto kernel = group.empty() ? decode::ungrouped_class_name(guid) : group;
    return kernel.empty() ? std::string(decode::known_provider_name(guid))
                          : fmt::format("{}/{}", format::system_trace_name, kernel);
}

std::string_view name_of(relog::PartKey::Process process,
                         const std::vector<std::string>& names) noexcept {
    return process.life < names.size() ? std::string_view(names[process.life]) : "";
}

struct KeyText {
    const std::vector<std::string>& names;

    std::string operator()(std::monostate) const { return "context"; }

    std::string operator()(const relog::PartKey::Window& window) const {
        return fmt::format("{} to {}", time_text(window.from), time_text(window.to));
    }

    std::string operator()(const relog::PartKey::Range& range) const {
        return fmt::format("events {} to {}", range.first, range.last);
    }

    std::string operator()(const Guid& guid) const {
        const std::string name = provider_name(guid);
        return name.empty() ? "provider " + guid_text(guid)
                            : fmt::format("provider {} ({})", name, guid_text(guid));
    }

    std::string operator()(relog::PartKey::Process process) const {
        if (process.id == flow::no_id) {
            return "no process";
        }
        const std::string_view name = name_of(process, names);
        return fmt::format("process {}{}{}", process.id, name.empty() ? "" : " ", name);
    }

    std::string operator()(relog::PartKey::Processor processor) const {
        return fmt::format("processor {}", processor.number);
    }
};

} // namespace

std::string text_of(const relog::PartKey& key, const std::vector<std::string>& processes) {
    return std::visit(KeyText{processes}, key.value);
}

std::expected<SplitParts, TraceError> split(dataset::Dataset& trace, const Splitting& what) {
    io::AtomicFiles disk;
    NamedFiles files(disk, what.permits);
    relog::SplitOptions options = split_options(trace, what, files);
    std::shared_ptr<Lives> lives;
    if (what.by == relog::SplitBy::process) {
        auto context = trace.context({.schemas = what.schemas, .facts = facts::Scope::processes});
        if (!context) {
            return std::unexpected(std::move(context.error()));
        }
        lives = std::make_shared<Lives>(facts::Attributor(context->facts, context->schemas));
        options.process_of = [lives](const flow::Event& event) { return (*lives)(event); };
    }
    Passes passes(trace, what);
    auto parts = relog::split([&] { return passes.next(); }, what.output.path, options);
    if (!parts) {
        const std::string& about = files.failed().empty() ? what.output.path : files.failed();
        return std::unexpected(files.refusal().value_or(TraceError{parts.error(), about}));
    }
    if (const auto committed = disk.commit(); !committed) {
        return std::unexpected(TraceError{committed.error(), what.output.path});
    }
    return SplitParts{*std::move(parts), lives ? lives->names() : std::vector<std::string>()};
}

} // namespace etl::rewrite

#include "gather/trace_index.hpp"

#include "base/readable_text.hpp"
#include "base/text.hpp"
#include "facts/relevance.hpp"
#include "flow/context.hpp"
#include "flow/merged_inputs.hpp"
#include "gather/index_cache.hpp"
#include "gather/kinds_of_buffers.hpp"
#include "gather/pass.hpp"
#include "io/find_files.hpp"
#include "io/private_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <random>
#include <span>
#include <vector>

namespace etl::gather {

namespace {

using trace::IndexedBuffer;

std::size_t number_of(const trace::Reader& reader, const trace::BufferEntry& entry) {
    return static_cast<std::size_t>(&entry - reader.buffers().data());
}

/// Keeps the buffers that contain something that no buffer before them does: a Harvest of these
/// alone finds the same. Threads, each of which saw some of the buffers, have marked more.
void thin_schemas(trace::Reader& reader, trace::TraceIndex& index) {
    HarvestByInput harvest;
    reader.show_buffers(
        index.numbers_of(&IndexedBuffer::has_schemas), [&](const trace::BufferContent& buffer) {
            const std::size_t before = harvest.found();
            harvest.add(buffer.events);
            index.buffers[number_of(reader, *buffer.entry)].has_schemas = harvest.found() > before;
        });
}

void mark_processes(IndexedBuffer& buffer) noexcept {
    buffer.has_processes = true;
    buffer.has_facts = true;
}

/// The machine and boot of each buffer, as gather::Scopes distinguishes them; 0: of an unknown
/// input, or of a trace of one machine and boot.
class BufferMachines {
public:
    explicit BufferMachines(const trace::Reader& reader)
        : machines_(flow::machines_of(reader.info().merged_inputs)) {
        if (std::ranges::all_of(machines_, [](std::uint32_t machine) { return machine == 0; })) {
            machines_.clear();
        }
    }

    std::uint32_t of(const trace::BufferEntry& entry) const noexcept {
        const std::size_t input = entry.merged_input;
        return input == 0 || input > machines_.size() ? 0 : machines_[input - 1] + 1;
    }

private:
    std::vector<std::uint32_t> machines_;
};

/// Marks the first buffer of each machine in which the kernel's own classes record something.
void mark_sources(const trace::Reader& reader, const BufferMachines& machines,
                  const std::vector<facts::ClassSources>& sources, trace::TraceIndex& index) {
    std::map<std::uint32_t, facts::ClassSources> known; // by machine
    for (std::size_t i = 0; i < sources.size(); ++i) {
        facts::ClassSources& recorded = known[machines.of(reader.buffers()[i])];
        const facts::ClassSources before = recorded;
        recorded.add(sources[i]);
        if (recorded != before) {
            mark_processes(index.buffers[i]);
        }
    }
}

/// Marks the buffers that state which processes threads are of. Those of threads of one process are
/// known; those of the others are read again.
void mark_threads(trace::Reader& reader, const BufferMachines& machines,
                  const facts::ThreadBuffers& threads, trace::TraceIndex& index) {
    threads.for_each_end([&](std::uint32_t buffer) { mark_processes(index.buffers[buffer]); });
    if (!threads.has_reused()) {
        return;
    }
    std::vector<std::uint32_t> others;
    for (std::uint32_t i = 0; i < index.buffers.size(); ++i) {
        if (!index.buffers[i].has_processes || !index.buffers[i].has_facts) {
            others.push_back(i);
        }
    }
    reader.show_buffers(std::move(others), [&](const trace::BufferContent& buffer) {
        if (threads.state_again(machines.of(*buffer.entry), buffer.events)) {
            mark_processes(index.buffers[number_of(reader, *buffer.entry)]);
        }
    });
}

/// Stacks of runtimes belong to events before them.
void mark_runtimes(const std::vector<RuntimeRecords>& records, trace::TraceIndex& index) {
    if (std::ranges::any_of(records, &RuntimeRecords::has_stacks)) {
        for (std::size_t i = 0; i < records.size(); ++i) {
            index.buffers[i].has_facts = index.buffers[i].has_facts || records[i].has_events;
        }
    }
}

void mark_stacks(facts::StackBuffers& stacks, trace::TraceIndex& index) {
    stacks.for_each_span([&](std::uint32_t number, const facts::StackBuffers::Span& span) {
        IndexedBuffer& buffer = index.buffers[number];
        buffer.first_stack = std::min(buffer.first_stack, span.first);
        buffer.last_stack = std::max(buffer.last_stack, span.last);
    });
}

} // namespace

MadeIndex index_of(trace::Reader& reader, unsigned threads) {
    MadeIndex made;
    trace::TraceIndex& index = made.index;
    index.buffers.resize(reader.buffers().size());
    std::vector<HarvestByInput> harvests(threads);
    std::vector<facts::ThreadBuffers> statements(threads);
    std::vector<facts::StackBuffers> stacks(threads);
    std::vector<SeenKinds> kinds(threads);
    std::vector<facts::ClassSources> sources(index.buffers.size());
    std::vector<RuntimeRecords> runtimes(index.buffers.size());
    const BufferMachines machines(reader);
    made.damage = reader.for_each_buffer(
        threads, [&](unsigned worker, const trace::BufferEntry& entry, flow::Run events) {
            HarvestByInput& harvest = harvests[worker];
            const std::size_t before = harvest.found();
            harvest.add(events);
            const auto number = static_cast<std::uint32_t>(number_of(reader, entry));
            statements[worker].add(number, machines.of(entry), events);
            stacks[worker].add(number, machines.of(entry), events);
            const BufferMarks marks = kinds[worker].add(number, events);
            index.buffers[number] = marks.buffer;
            index.buffers[number].has_schemas = harvest.found() > before;
            sources[number] = marks.sources;
            runtimes[number] = marks.runtimes;
        });
    mark_sources(reader, machines, sources, index);
    thin_schemas(reader, index);
    for (std::size_t i = 1; i < threads; ++i) {
        statements.front().combine(statements[i]);
        stacks.front().combine(std::move(stacks[i]));
        kinds.front().combine(std::move(kinds[i]));
    }
    mark_threads(reader, machines, statements.front(), index);
    mark_runtimes(runtimes, index);
    mark_stacks(stacks.front(), index);
    index.kinds = made.damage == 0 ? kinds.front().take() : nullptr;
    return made;
}

namespace {

/// What an index file has besides the buffers.
void add_sections(const trace::Reader& reader, const trace::TraceIndex& index,
                  std::vector<trace::IndexSection>& sections) {
    sections.push_back({std::string(trace::buffers_section), reader.known_buffers()});
    if (index.kinds != nullptr) {
        sections.push_back({std::string(trace::kinds_section), trace::encode(*index.kinds)});
    }
}

/// Calls `visit` with each kind and its first event, or null if it is not where it was; returns
/// false, before that, if too many buffers have one.
bool show_first_events(
    trace::Reader& reader, const std::vector<trace::BufferKind>& kinds,
    FunctionRef<void(const trace::BufferKind& kind, const flow::Event* event)> visit) {
    std::multimap<std::uint32_t, const trace::BufferKind*> by_buffer;
    std::vector<std::uint32_t> numbers;
    for (const trace::BufferKind& kind : kinds) {
        const std::uint32_t number = kind.buffers.front().first;
        if (!by_buffer.contains(number)) {
            numbers.push_back(number);
        }
        by_buffer.emplace(number, &kind);
    }
    constexpr std::size_t worthwhile = 4; // times as many buffers as are read here
    if (numbers.size() > reader.buffers().size() / worthwhile) {
        return false;
    }
    std::ranges::sort(numbers);
    reader.show_buffers(std::move(numbers), [&](const trace::BufferContent& buffer) {
        const auto number = static_cast<std::uint32_t>(number_of(reader, *buffer.entry));
        const auto [begin, end] = by_buffer.equal_range(number);
        for (auto kind = begin; kind != end; ++kind) {
            const auto event =
                std::ranges::find(buffer.events, kind->second->offset,
                                  [](const flow::Event& one) { return one.offset(); });
            visit(*kind->second, event != buffer.events.end() ? &*event : nullptr);
        }
    });
    return true;
}

} // namespace

std::optional<std::vector<bool>>
buffers_of_kinds(trace::Reader& reader, const trace::TraceIndex& index,
                 FunctionRef<bool(const flow::Event& event)> is_wanted) {
    const auto kinds = index.find_kinds();
    if (kinds == nullptr) {
        return std::nullopt;
    }
    std::vector<bool> contain(index.buffers.size());
    const bool are_known = show_first_events(
        reader, *kinds, [&](const trace::BufferKind& kind, const flow::Event* event) {
            if (event != nullptr && !is_wanted(*event)) {
                return;
            }
            for (const trace::BufferKind::Range& range : kind.buffers) {
                std::fill(contain.begin() + range.first, contain.begin() + range.last + 1, true);
            }
        });
    return are_known ? std::optional(std::move(contain)) : std::nullopt;
}

void skip_kinds(trace::Reader& reader, const trace::TraceIndex& index,
                FunctionRef<bool(const flow::Event& event)> may_match) {
    if (const auto kept = buffers_of_kinds(reader, index, may_match)) {
        reader.keep_only(index, [&](std::uint32_t number) { return (*kept)[number]; });
    }
}

std::string index_path(std::string_view trace) {
    return fmt::format("{}.index", trace);
}

std::vector<std::byte> encoded_index(const trace::Reader& reader, const io::InputFile& file,
                                     trace::TraceIndex index, const trace::IndexKey& key,
                                     std::vector<trace::IndexSection> sections) {
    index.changed = file.changed().value_or(0);
    add_sections(reader, index, sections);
    return encode(index, trace::identity_of(reader.info(), reader.buffers(), key), key, sections);
}

Result<void> write_index(const trace::Reader& reader, const io::InputFile& file,
                         trace::TraceIndex index, const trace::IndexKey& key,
                         std::vector<trace::IndexSection> sections, Output& to) {
    index.changed = file.changed().value_or(0);
    add_sections(reader, index, sections);
    const auto head =
        encode_head(index, trace::identity_of(reader.info(), reader.buffers(), key), key, sections);
    auto written = to.write(as_text(head));
    for (auto section = sections.begin(); written && section != sections.end(); ++section) {
        written = to.write(as_text(section->content));
    }
    return written;
}

namespace {

/// The index of a trace in a file.
Result<trace::TraceIndex> index_in(const std::string& path, const trace::Reader& reader,
                                   const trace::IndexKey& key) {
    const auto file = io::InputFile::map(path);
    return file ? trace::parse_index((*file)->bytes(),
                                     trace::identity_of(reader.info(), reader.buffers(), key), key,
                                     *file)
                : std::unexpected(file.error());
}

std::shared_ptr<const trace::TraceIndex> shared(Result<trace::TraceIndex> index, bool is_cached) {
    if (!index) {
        return nullptr;
    }
    index->is_cached = is_cached;
    return std::make_shared<const trace::TraceIndex>(*std::move(index));
}

/// Problems with it are not reported: nobody can mend them.
std::shared_ptr<const trace::TraceIndex> cached_index(const trace::Reader& reader,
                                                      const trace::IndexKey& key) {
    const std::string path = cached_index_path(reader.info().name, key);
    return io::is_regular_file(path) ? shared(index_in(path, reader, key), true) : nullptr;
}

} // namespace

std::shared_ptr<const trace::TraceIndex> read_index(const trace::Reader& reader,
                                                    RemarkSink remarks) {
    const std::string path = index_path(reader.info().name);
    const bool has_own = io::is_regular_file(path);
    const auto ignored = [&](const std::string& why) {
        remarks({.severity = Remark::Severity::warning,
                 .file = path,
                 .text = fmt::format("ignored: {}; `etl index --force` replaces it", why)});
    };
    const auto key = index_key();
    if (!key) {
        if (has_own) {
            ignored(describe_key_error(key.error()));
        }
        return nullptr;
    }
    if (!has_own) {
        return cached_index(reader, *key);
    }
    auto index = index_in(path, reader, *key);
    if (!index) {
        const Error& error = index.error();
        const bool is_sentence =
            error.code == ErrorCode::not_found || error.code == ErrorCode::invalid_option;
        ignored(is_sentence ? std::string(error.what) : describe(error));
        return cached_index(reader, *key);
    }
    return shared(std::move(index), false);
}

std::shared_ptr<const trace::TraceIndex> index_of_state(const io::InputFile& file) {
    const auto key = index_key();
    if (!file.changed() || !key) {
        return nullptr;
    }
    const std::string own = index_path(file.name());
    for (const std::string& path : {own, cached_index_path(file.name(), *key)}) {
        const auto side = io::is_regular_file(path)
                              ? io::InputFile::map(path)
                              : std::unexpected(Error{.code = ErrorCode::not_found});
        auto index = side ? trace::parse_index((*side)->bytes(), file.bytes().size(),
                                               file.changed(), *key, *side)
                          : std::unexpected(side.error());
        if (index) {
            return shared(std::move(index), path != own);
        }
    }
    return nullptr;
}

namespace {

constexpr std::size_t key_size = std::tuple_size_v<trace::IndexKey>;

std::string named_path() {
    return io::environment("ETL_INDEX_KEY");
}

Result<trace::IndexKey> random_key() {
    trace::IndexKey key{};
    try {
        std::random_device random;
        std::ranges::generate(key, [&] { return static_cast<std::uint8_t>(random()); });
    } catch (const std::exception&) {
        return fail(ErrorCode::io_failure, "the system provides no random numbers");
    }
    return key;
}

} // namespace

std::string index_key_path() {
    if (std::string named = named_path(); !named.empty()) {
        return named;
    }
    const std::string folder = io::user_state_directory();
    return folder.empty() ? folder : folder + "/etl/index.key";
}

Result<trace::IndexKey> index_key() {
    const std::string path = index_key_path();
    if (path.empty()) {
        return fail(ErrorCode::not_found, "HOME and ETL_INDEX_KEY are not set");
    }
    trace::IndexKey key{};
    const auto content = io::read_private_file(path, key_size);
    if (!content) {
        return std::unexpected(content.error());
    }
    if (content->size() != key_size) {
        return fail(ErrorCode::malformed, "size of the key", {}, key_size, content->size());
    }
    std::ranges::transform(*content, key.begin(),
                           [](std::byte byte) { return std::to_integer<std::uint8_t>(byte); });
    return key;
}

Result<trace::IndexKey> index_key_or_new() {
    auto key = index_key();
    if (key || key.error().code != ErrorCode::not_found || !named_path().empty() ||
        index_key_path().empty()) {
        return key;
    }
    const auto made = random_key();
    if (!made) {
        return made;
    }
    const auto created = io::create_private_file(index_key_path(), std::as_bytes(std::span(*made)));
    // Another program may just have made one.
    key = index_key();
    return key || created ? key : std::unexpected(created.error());
}

std::string describe_key_error(const Error& error) {
    const std::string path = index_key_path();
    if (path.empty()) {
        return error.what;
    }
    std::string text;
    append_readable(text, path);
    if (error.code == ErrorCode::not_found) {
        return text + ": missing key";
    }
    if (error.code == ErrorCode::invalid_option) {
        return text + ": " + error.what;
    }
    if (error.code == ErrorCode::malformed || error.code == ErrorCode::limit) {
        return text + fmt::format(": not a valid key; expected a file of {} bytes", key_size);
    }
    return text + ": " + describe(error);
}

} // namespace etl::gather

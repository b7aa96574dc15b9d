// Facts recorded in a trace about its machine: processes by ID and time, images and methods by
// address, files by object, and stacks by event. Immutable; thread-safe. Times are raw timestamps
// of the trace. docs/enrich.md
#pragma once

#include <etl/guid.hpp>

#include "base/number_grid.hpp"
#include "flow/event.hpp"

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::facts {

/// A process and its lifetime, as far as recorded. Texts are valid as long as the facts.
struct Process {
    std::uint32_t id = flow::no_id;
    std::uint32_t parent = flow::no_id;
    std::int64_t begin = 0; // least value: started before the trace
    std::int64_t end = 0;   // greatest value: did not end within the trace
    std::string_view name;  // without a path
    std::string_view command_line;
    std::string_view path;    // of the image, as recorded; empty: unknown
    bool is_defunct = false;  // a record says that only handles are left
    bool is_end_known = true; // false: it ended before `end`, when is not recorded
};

/// The process of a thread ID, and the time from `begin` to before `end` in which it is the same.
struct Thread {
    std::uint32_t process = flow::no_id; // flow::no_id: unknown
    std::int64_t begin = std::numeric_limits<std::int64_t>::min();
    std::int64_t end = std::numeric_limits<std::int64_t>::max();
};

/// Identity of a PDB file.
struct PdbIdentity {
    Guid guid;
    std::uint32_t age = 0;
    std::string_view name; // as recorded: with or without a path

    bool operator==(const PdbIdentity&) const = default;
};

/// A loaded program or library, and its interval as that of a process.
struct Image {
    std::uint32_t process = flow::no_id; // 0: kernel image
    std::uint64_t base = 0;
    std::uint64_t size = 0;
    std::string_view path;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::uint32_t time_date_stamp = 0; // of the PE header; 0: unknown
    std::string_view original_name;    // of the version resource; empty: unknown
    std::optional<PdbIdentity> pdb;    // of the image
    std::optional<PdbIdentity> il_pdb; // of a native .NET image: that of its IL image

    /// Returns the last component of the path.
    std::string_view name() const noexcept;
};

/// A method compiled by a runtime: .NET or a JavaScript engine. Texts are valid as long as the
/// facts.
struct Method {
    /// Values of MethodFlags of the .NET runtime.
    enum class Tier : std::uint8_t {
        unknown,
        minimal_optimization,
        optimized,
        quick,
        tier1,
        tier1_osr,
        instrumented,
        instrumented_optimized,
    };

    std::uint64_t start = 0; // address
    std::uint64_t size = 0;
    std::string_view module;    // path of the IL image, or URL of the script; empty: unknown
    std::string_view type;      // with its namespace
    std::string_view name;      // empty: the trace does not contain it
    std::string_view signature; // in IL syntax: `instance void  (int32)`
    std::uint32_t token = 0;
    std::uint32_t flags = 0; // as recorded
    std::uint32_t line = 0;  // of a script
    bool is_script = false;

    Tier tier() const noexcept;

    /// Returns whether the method was created at run time; its memory is soon reused.
    bool is_dynamic() const noexcept { return !is_script && (flags & 1U) != 0; }
};

/// A module of the .NET runtime and its interval.
struct ManagedModule {
    std::uint32_t process = flow::no_id;
    std::uint64_t id = 0;
    std::string_view il_path;
    std::string_view native_path; // empty: without a native image
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::optional<PdbIdentity> pdb;        // of the IL image
    std::optional<PdbIdentity> native_pdb; // of the native image
};

/// The kernel-mode or user-mode frames of one event's stack, or the stack that the .NET runtime
/// logged for one of its events. 24 bytes.
struct StackPart {
    enum class Where : std::uint8_t { kernel, user, runtime };

    std::int64_t time = 0; // time of the event
    std::uint32_t thread = flow::no_id;
    std::uint32_t process = flow::no_id;
    std::uint32_t frames = 0;    // handle for Facts::frames
    std::uint16_t processor = 0; // that wrote the stack record; Where::runtime: ID of the event
    Where where = Where::kernel;
};

static_assert(sizeof(StackPart) == 24);

/// What the kernel's own classes record. A provider such as Microsoft-Windows-Kernel-File records
/// the same operations once more.
struct ClassSources {
    bool disk_io = false; // completions of DiskIo
    bool file_io = false; // operations of FileIo

    /// Adds what other events record.
    void add(const ClassSources& more) noexcept {
        disk_io = disk_io || more.disk_io;
        file_io = file_io || more.file_io;
    }

    bool operator==(const ClassSources&) const = default;
};

/// Number of known facts, and of facts dropped because of limits (facts/limits.hpp).
struct Counts {
    std::size_t processes = 0, threads = 0, images = 0, files = 0; // lifetimes
    std::size_t disks = 0;                                         // partitions with a drive letter
    std::size_t methods = 0, modules = 0;
    std::size_t stacks = 0;        // stack parts, with the shared ones
    std::size_t shared_stacks = 0; // user-mode parts of later events, shared by kernel-mode parts
    std::size_t distinct_stacks = 0;
    std::size_t unknown_keys = 0; // stack parts with an undefined key
    std::size_t dropped_names = 0, dropped_lifetimes = 0, dropped_stacks = 0;
    std::size_t bytes = 0; // memory used by names and stacks
};

struct Tables; // private to the room

class Facts {
public:
    /// Empty facts.
    Facts();
    ~Facts();
    Facts(Facts&&) noexcept;
    Facts& operator=(Facts&&) noexcept;
    Facts(const Facts&) = delete;
    Facts& operator=(const Facts&) = delete;

    /// Returns the process with an ID at a time. After its end it is still returned for some time,
    /// until the ID is reused.
    std::optional<Process> process(std::uint32_t id, std::int64_t time) const noexcept;

    /// Returns the time, from first to before second, in which process() returns the same as at
    /// `time`.
    std::pair<std::int64_t, std::int64_t> life_around(std::uint32_t id,
                                                      std::int64_t time) const noexcept;

    /// Returns all processes, sorted by ID and time.
    std::vector<Process> processes() const;

    /// Returns the process of a thread at a time; flow::no_id if unknown. Events about the thread
    /// state it, and so do the headers and stack records of all events. After the end of the thread
    /// it is still returned, until the ID is reused. docs/processes.md#threads
    std::uint32_t process_of_thread(std::uint32_t thread, std::int64_t time) const noexcept;

    /// Returns the same, with the time in which it is the same.
    Thread thread(std::uint32_t id, std::int64_t time) const noexcept;

    /// Returns the image that contained an address: an image of the process, otherwise of the
    /// kernel.
    std::optional<Image> image(std::uint32_t process, std::uint64_t address,
                               std::int64_t time) const noexcept;

    /// Returns all images, sorted by process, base, and time.
    std::vector<Image> images() const;

    /// Returns the method of a runtime that contained an address of a process.
    std::optional<Method> method(std::uint32_t process, std::uint64_t address,
                                 std::int64_t time) const noexcept;

    /// Returns all .NET modules, sorted by process, ID, and time.
    std::vector<ManagedModule> managed_modules() const;

    /// Returns a path of the kernel as a path with a drive letter,
    /// `\Device\HarddiskVolume2\x` as `C:\x`; as it is if the trace does not map its volume.
    std::string dos_path(std::string_view nt_path) const;

    /// Returns the name of a file by the address of its object or key; empty if unknown.
    std::string_view file(std::uint64_t object, std::int64_t time) const noexcept;

    /// Appends the drive letters of a disk, `C:, D:`; if `offset` is given, only that of the
    /// partition containing it.
    void append_drives(std::string& to, std::uint32_t disk,
                       std::optional<std::uint64_t> offset) const;

    /// Returns the stacks of all events at `time`, by thread, kernel before user.
    std::span<const StackPart> stacks(std::int64_t time) const noexcept;

    /// Returns the addresses, innermost first. Valid as long as the facts.
    std::span<const std::uint64_t> frames(const StackPart& part) const noexcept;

    /// Returns the frames of a stack key; empty if unknown. If a user-mode and a kernel-mode stack
    /// have the same key, those of the user-mode stack.
    std::span<const std::uint64_t> frames_of_key(std::uint64_t key,
                                                 std::int64_t time) const noexcept;

    /// Returns the interval between two samples of a processor before the first event that sets or
    /// states it (PerfInfo SetInterval, CollectionStart, CollectionEnd), by that event: of source
    /// 0, the timer, in 100 ns; of another source, a hardware counter, in its events. Nothing: no
    /// event does. At most limits::fact_sample_sources are kept.
    std::optional<std::uint32_t> first_sampling_interval(std::uint32_t source = 0) const noexcept;

    /// Returns the name of a source of samples as CollectionStart or CollectionEnd record it, from
    /// version 3 on. UTF-8; empty: none does. Valid as long as the facts.
    std::string_view sample_source(std::uint32_t source) const noexcept;

    const Counts& counts() const noexcept;

    const ClassSources& class_sources() const noexcept;

private:
    friend class Collector;

    explicit Facts(std::unique_ptr<Tables> tables);

    std::unique_ptr<const Tables> tables_;
};

/// The facts of several machines and boots, and which of them apply to an event: by its trace
/// (flow::TraceInfo::file) and, in a merge, by its input (flow::BufferContext::merged_input).
/// Process IDs and addresses of different machines and boots are unrelated. Thread-safe if const.
class FactsByTrace {
public:
    /// Number of no facts.
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    FactsByTrace() = default;

    /// Empty facts for the traces 0 to `traces` - 1, each with its own number.
    explicit FactsByTrace(std::size_t traces);

    /// Adds facts, and returns their number.
    std::uint32_t add(Facts facts);

    /// Adds facts of the trace with their number.
    void push_back(Facts facts) {
        const std::uint32_t number = add(std::move(facts));
        set(number, 0, number);
    }

    /// Sets the facts of a trace, and of those of its inputs that have none of their own; or of one
    /// input of a merge. Several may share facts: files of one machine and boot.
    void set(std::uint32_t trace, std::uint16_t merged_input, std::uint32_t number) {
        numbers_.set(trace, merged_input, number + 1);
    }

    /// Returns the number of the facts of a trace or input; `none` if it has none.
    std::uint32_t number_of(std::uint32_t trace, std::uint16_t merged_input = 0) const noexcept {
        return numbers_.at(trace, merged_input) - 1;
    }

    std::uint32_t number_of(const flow::Event& event) const noexcept {
        return number_of(event.trace().file, event.buffer->merged_input);
    }

    /// Returns the facts that apply to an event, or null.
    const Facts* find(const flow::Event& event) const noexcept {
        const std::uint32_t number = number_of(event);
        return number < all_.size() ? &all_[number] : nullptr;
    }

    /// Returns the facts of a trace or input, or null.
    const Facts* find(std::uint32_t trace, std::uint16_t merged_input = 0) const noexcept {
        const std::uint32_t number = number_of(trace, merged_input);
        return number < all_.size() ? &all_[number] : nullptr;
    }

    /// All facts, by their numbers.
    const Facts& operator[](std::size_t number) const noexcept { return all_[number]; }

    std::size_t size() const noexcept { return all_.size(); }

    const Facts& front() const noexcept { return all_.front(); }

    std::vector<Facts>::const_iterator begin() const noexcept { return all_.begin(); }

    std::vector<Facts>::const_iterator end() const noexcept { return all_.end(); }

private:
    std::vector<Facts> all_;
    NumberGrid numbers_; // by trace and input: the number + 1
};

} // namespace etl::facts

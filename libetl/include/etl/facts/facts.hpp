// What a trace tells about the machine it was recorded on: which process a number meant and when,
// which image lay at an address, which file an object was, which stacks belong to an event.
// Immutable; shareable between threads. Times are raw time stamps of the trace. docs/enrich.md
#pragma once

#include <etl/flow/event.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::facts {

/// A process and the time through which it lived, as far as the trace tells. Texts live as long as
/// the facts.
struct Process {
    std::uint32_t id = flow::no_id;
    std::uint32_t parent = flow::no_id;
    std::int64_t begin = 0; // least value: before the trace
    std::int64_t end = 0;   // greatest value: not within the trace
    std::string_view name;  // without a path
    std::string_view command_line;
};

/// A program or library in memory.
struct Image {
    std::uint32_t process = flow::no_id; // 0: the kernel's
    std::uint64_t base = 0;
    std::uint64_t size = 0;
    std::string_view path;

    /// The last part of the path.
    std::string_view name() const noexcept;
};

/// Frames of one event, or of its part in the kernel or in the program. 24 bytes.
struct StackPart {
    enum class Where : std::uint8_t { kernel, user };

    std::int64_t time = 0; // of the event
    std::uint32_t thread = flow::no_id;
    std::uint32_t process = flow::no_id;
    std::uint32_t frames = 0;    // for Facts::frames
    std::uint16_t processor = 0; // that wrote the record of the stack
    Where where = Where::kernel;
};

static_assert(sizeof(StackPart) == 24);

/// How much is known, and how much was left out because of base/limits.hpp.
struct Counts {
    std::size_t processes = 0, threads = 0, images = 0, files = 0; // lives of them
    std::size_t disks = 0;                                         // partitions with a letter
    std::size_t stacks = 0;                                        // parts
    std::size_t distinct_stacks = 0;
    std::size_t unknown_keys = 0; // parts whose key nothing defines
    std::size_t dropped_names = 0, dropped_lifetimes = 0, dropped_stacks = 0;
    std::size_t bytes = 0; // that names and stacks take
};

struct Tables; // private to the room

class Facts {
public:
    /// Knows nothing.
    Facts();
    ~Facts();
    Facts(Facts&&) noexcept;
    Facts& operator=(Facts&&) noexcept;
    Facts(const Facts&) = delete;
    Facts& operator=(const Facts&) = delete;

    /// Whom a process id meant: also for some time after its end, until it is given again.
    std::optional<Process> process(std::uint32_t id, std::int64_t time) const noexcept;

    /// All processes, by ID and time.
    std::vector<Process> processes() const;

    /// The process of a thread, in the same sense; flow::no_id: not known.
    std::uint32_t process_of_thread(std::uint32_t thread, std::int64_t time) const noexcept;

    /// The image that an address lay in: one of the process, else one of the kernel.
    std::optional<Image> image(std::uint32_t process, std::uint64_t address,
                               std::int64_t time) const noexcept;

    /// The name of a file by the address of its object or key; empty: not known.
    std::string_view file(std::uint64_t object, std::int64_t time) const noexcept;

    /// Appends the drive letters of a disk, `C:, D:`; of the one partition that holds `offset`
    /// where that is given.
    void append_drives(std::string& to, std::uint32_t disk,
                       std::optional<std::uint64_t> offset) const;

    /// The stacks of all events of one time: by thread, kernel before user.
    std::span<const StackPart> stacks(std::int64_t time) const noexcept;

    /// Addresses, the innermost first; live as long as the facts.
    std::span<const std::uint64_t> frames(const StackPart& part) const noexcept;

    /// What a stack key stood for; empty: not known.
    std::span<const std::uint64_t> frames_of_key(std::uint64_t key,
                                                 std::int64_t time) const noexcept;

    const Counts& counts() const noexcept;

private:
    friend class Collector;

    explicit Facts(std::unique_ptr<Tables> tables);

    std::unique_ptr<const Tables> tables_;
};

/// The facts of several traces, by TraceInfo::file. Process ids and addresses of different machines
/// have nothing to do with each other.
using FactsByTrace = std::vector<Facts>;

} // namespace etl::facts

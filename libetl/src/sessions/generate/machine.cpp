#include "generate/machine.hpp"

#include "base/text.hpp"
#include "generate/words.hpp"

#include <fmt/format.h>

namespace etl::generate {

namespace {

constexpr std::size_t processes = 8;
constexpr std::size_t threads_each = 4;
constexpr std::uint64_t files = 64;
constexpr std::uint64_t kernel_base = 0xFFFFF80000000000;
constexpr std::uint64_t image_size = 0x100000;
constexpr std::size_t max_stack = 24;

// Names in kernel payloads are 8-bit without a code page: only ASCII is safe.
std::string program(std::uint64_t name) {
    return fmt::format("{}.exe", word(Recipe::Text::ascii, name));
}

std::u16string path(std::string_view folder, std::string_view file) {
    return to_utf16(fmt::format("\\Device\\HarddiskVolume2\\{}\\{}", folder, file));
}

} // namespace

Machine::Machine(const Recipe& recipe, Random random) : recipe_(&recipe), random_(random) {
    for (std::size_t i = 0; i < processes; ++i) {
        // IDs of processes and threads in Windows are multiples of four.
        processes_.push_back({static_cast<std::uint32_t>(1000 + 400 * i), i});
        rundown_.push_back({Object::What::process, i});
        rundown_.push_back({Object::What::image, i});
        for (std::size_t k = 0; k < threads_each; ++k) {
            rundown_.push_back({Object::What::thread, threads_.size()});
            threads_.push_back(
                {processes_[i].id, static_cast<std::uint32_t>(processes_[i].id + 4 * (k + 1))});
        }
    }
    next_process_id_ = static_cast<std::uint32_t>(1000 + 400 * processes);
    for (std::uint32_t i = 0; i < recipe.processors; ++i) {
        running_.push_back(random_.below(threads_.size()));
    }
}

bool Machine::next_of_rundown(KernelEvent& event, ByteWriter& payload) {
    if (rundown_.empty()) {
        return false;
    }
    const Object object = rundown_.front();
    rundown_.pop_front();
    switch (object.what) {
    case Object::What::process:
        event = process(Life::rundown, processes_[object.number], payload);
        break;
    case Object::What::thread:
        event = thread(Life::rundown, threads_[object.number], payload);
        break;
    case Object::What::image:
        event = image(Life::rundown, object.number, payload);
        break;
    }
    return true;
}

KernelEvent Machine::system(ByteWriter& payload) {
    const std::size_t number = random_.below(processes_.size());
    Process& which = processes_[number];
    switch (random_.below(8)) {
    case 0: {
        // When a process has ended, another one takes its place in the list.
        if (!which.is_alive) {
            which = {next_process_id_, random_.below(16)};
            next_process_id_ += 400;
            return process(Life::start, which, payload);
        }
        which.is_alive = false;
        return process(Life::end, which, payload);
    }
    case 1:
    case 2: {
        const Thread short_lived{which.id, which.id + 4 * random_.between(10U, 90U)};
        return thread(random_.chance(0.5) ? Life::start : Life::end, short_lived, payload);
    }
    case 3:
    case 4:
        return image(Life::start, number, payload);
    default:
        return file_name(payload);
    }
}

KernelEvent Machine::process(Life life, const Process& process, ByteWriter& payload) {
    pointer(payload, 0xFFFFA00000000000 + process.id);
    payload.u32(process.id).u32(4).u32(1).u32(life == Life::end ? 0U : 0x103U); // still active
    pointer(payload, 0x1AA000);
    payload.u32(0).u32(0); // flags, no SID
    const std::string name = program(process.name);
    payload.zero_terminated8(name).zero_terminated16(
        to_utf16(name + " --line " + std::to_string(process.id)));
    payload.zero_terminated16(u"").zero_terminated16(u""); // package, application
    return {static_cast<std::uint16_t>(0x0300U | static_cast<unsigned>(life)), 4};
}

KernelEvent Machine::thread(Life life, const Thread& thread, ByteWriter& payload) {
    payload.u32(thread.process_id).u32(thread.thread_id);
    for (const std::uint64_t address :
         {kernel_base + 0x6000, kernel_base + 0x1000, std::uint64_t{0x20000},
          std::uint64_t{0x10000}, std::uint64_t{0xFF}, user_code(thread.process_id) + 0x1000,
          std::uint64_t{0x3000}}) {
        pointer(payload, address);
    }
    payload.u32(0).u8(8).u8(5).u8(2).u8(0);
    return {static_cast<std::uint16_t>(0x0500U | static_cast<unsigned>(life)), 3};
}

KernelEvent Machine::image(Life life, std::size_t process, ByteWriter& payload) {
    const std::uint64_t base = user_code(processes_[process].id);
    pointer(payload, base);
    pointer(payload, image_size);
    payload.u32(processes_[process].id).u32(0xC0DE).u32(0x5F000000).u8(8).u8(1).u16(0);
    pointer(payload, base);
    payload.fill(16);
    payload.zero_terminated16(path("Railway", program(processes_[process].name)));
    // Loading has its own hook ID.
    return {life == Life::start ? std::uint16_t{0x030A} : std::uint16_t{0x1403}, 3};
}

KernelEvent Machine::file_name(ByteWriter& payload) {
    const std::uint64_t file = random_.below(files);
    pointer(payload, 0xFFFFA00011000000 + 0x100 * file);
    payload.zero_terminated16(
        path("Timetables", fmt::format("{}-{}.txt", word(recipe_->text, file), file)));
    return {0x0400, 2};
}

KernelEvent Machine::disk(std::uint16_t processor, ByteWriter& payload) {
    const std::uint32_t size = 4096U << random_.below(6);
    payload.u32(0).u32(0x60043).u32(size).u32(0).u64(4096 * random_.below(1U << 24U));
    pointer(payload, 0xFFFFA00011000000 + 0x100 * random_.below(files));
    pointer(payload, 0xFFFFE00011112222);
    payload.u64(random_.between(100U, 90'000U)).u32(running(processor).thread_id);
    return {random_.chance(0.7) ? std::uint16_t{0x010A} : std::uint16_t{0x010B}, 3};
}

KernelEvent Machine::perfinfo(std::uint16_t processor, std::int64_t time, ByteWriter& payload) {
    switch (random_.below(4)) {
    case 0:
    case 1: {
        const std::uint32_t old_thread = running(processor).thread_id;
        running_[processor] = random_.below(threads_.size());
        payload.u32(running(processor).thread_id).u32(old_thread).u8(8).u8(9).u8(1).u8(0);
        payload.u8(static_cast<std::uint8_t>(random_.below(16))).u8(0).u8(5).u8(0);
        payload.u32(static_cast<std::uint32_t>(random_.below(100))).u32(0);
        return {0x0524, 2};
    }
    case 2:
        payload.value(time - random_.between<std::int64_t>(1, 50));
        pointer(payload, kernel_code());
        return {0x0F44, 2};
    default:
        return sample(processor, payload);
    }
}

KernelEvent Machine::sample(std::uint16_t processor, ByteWriter& payload) {
    const Thread& thread = running(processor);
    pointer(payload, random_.chance(0.3)
                         ? kernel_code()
                         : user_code(thread.process_id) + random_.below(image_size));
    payload.u32(thread.thread_id).u32(1);
    return {0x0F2E, 2};
}

KernelEvent Machine::stack(std::uint16_t processor, std::int64_t event_time, ByteWriter& payload) {
    const Thread& thread = running(processor);
    payload.value(event_time).u32(thread.process_id).u32(thread.thread_id);
    const std::size_t depth = random_.between<std::size_t>(1, max_stack);
    const std::size_t in_kernel = random_.below(depth);
    for (std::size_t i = 0; i < depth; ++i) {
        pointer(payload, i < in_kernel ? kernel_code()
                                       : user_code(thread.process_id) + random_.below(image_size));
    }
    return {0x1820, 2};
}

void Machine::pointer(ByteWriter& to, std::uint64_t value) const {
    if (recipe_->width == format::Width::bits32) {
        to.u32(static_cast<std::uint32_t>(value));
    } else {
        to.u64(value);
    }
}

std::uint64_t Machine::user_code(std::size_t process) const noexcept {
    return recipe_->width == format::Width::bits32 ? 0x00400000U
                                                   : 0x7FF600000000U + 0x1000000 * process;
}

std::uint64_t Machine::kernel_code() noexcept {
    return kernel_base + 0x1000000 + random_.below(0x800000);
}

} // namespace etl::generate

#include "trace/inputs.hpp"

#include "base/layout.hpp"
#include "base/text.hpp"
#include "evtx/reader.hpp"
#include "io/input_file.hpp"
#include "io/unpack.hpp"
#include "trace/index/header_checks.hpp"
#include "trace/index/packed_trace.hpp"
#include "trace/stream.hpp"

#include <algorithm>
#include <array>

namespace etl::trace {

namespace {

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

class Opener {
public:
    explicit Opener(const InputOptions& options) : options_(&options) {}

    void argument(const std::string& argument) {
        const auto paths = find_inputs(argument, options_->recursion);
        if (!paths) {
            inputs_.problems.push_back({argument, paths.error()});
            return;
        }
        if (paths->empty()) {
            inputs_.problems.push_back(
                {argument, {ErrorCode::not_found, "no traces in this directory", {}, 0, 0, 0}});
        }
        for (const std::string& path : *paths) {
            file(path);
        }
    }

    Inputs take() { return std::move(inputs_); }

private:
    void file(const std::string& path) {
        const bool is_one_of_many =
            inputs_.files.size() >= io::limits::mapped_inputs && io::is_regular_file(path);
        const auto on_demand =
            is_one_of_many ? std::make_shared<const io::FileOnDemand>(path) : nullptr;
        auto file = on_demand ? on_demand->content() : open_input(path, *options_);
        if (!file) {
            inputs_.problems.push_back({path, file.error()});
        } else if (io::is_packed((*file)->bytes()) && !begins_packed_trace((*file)->bytes())) {
            packed(**file);
        } else if (on_demand && !evtx::looks_like_event_log((*file)->bytes())) {
            add(on_demand);
        } else { // event logs are read as a whole
            add(*file);
        }
    }

    void packed(const io::InputFile& file) {
        const auto wanted = [](std::string_view name, Bytes head) {
            return looks_like_trace(head) || is_trace_name(name);
        };
        const auto most = options_->max_unpacked;
        const auto unpacked =
            io::unpack(file, wanted, {most ? *most : io::unpack_allowance(file.bytes().size())});
        if (!unpacked) {
            inputs_.problems.push_back({file.name(), unpacked.error()});
            return;
        }
        if (unpacked->members.empty() && unpacked->lost.empty()) {
            inputs_.problems.push_back(
                {file.name(), {ErrorCode::not_a_trace, "no traces in this archive", {}, 0, 0, 0}});
        }
        for (const io::LostMember& lost : unpacked->lost) {
            inputs_.problems.push_back({lost.name, lost.why});
        }
        for (const auto& member : unpacked->members) {
            if (member->damage()) {
                inputs_.problems.push_back(
                    {member->name(), *member->damage(), InputProblem::Extent::part});
            }
            add(member);
        }
    }

    void add(const std::shared_ptr<const io::InputFile>& file) { inputs_.files.push_back(file); }

    const InputOptions* options_;
    Inputs inputs_;
};

} // namespace

bool is_trace_name(std::string_view file_name) noexcept {
    const std::string name = to_lower_ascii(file_name);
    if (name.ends_with(".etl") || name.ends_with(".evtx") || name.ends_with(".etlgz") ||
        name.ends_with(".diagsession")) {
        return true;
    }
    const std::size_t dot = name.rfind(".etl.");
    if (dot == std::string::npos) {
        return false;
    }
    const std::string_view ending = std::string_view(name).substr(dot + 5);
    constexpr std::array<std::string_view, 9> packed{"gz",  "zst", "lz4", "xz", "bz2",
                                                     "zip", "7z",  "cab", "tar"};
    // AutoLogger sessions number their files: x.etl.001
    return std::ranges::find(packed, ending) != packed.end() ||
           (!ending.empty() && std::ranges::all_of(ending, is_digit));
}

bool looks_like_trace(Bytes head) noexcept {
    if (!is_plausible(head) || head.size() < 0x50) {
        return false;
    }
    const auto marker = load_le<std::uint32_t>(head.data() + 0x48);
    const auto hook = load_le<std::uint16_t>(head.data() + 0x4E);
    const bool is_header_record = (marker >> 24U) == 0xC0U && (((marker >> 16U) & 0xFFU) == 1 ||
                                                               ((marker >> 16U) & 0xFFU) == 2);
    return is_header_record && hook == 0;
}

bool is_trace_file(const std::string& path) {
    const auto file = io::InputFile::map(path);
    return file && (looks_like_trace((*file)->bytes()) ||
                    (io::is_packed((*file)->bytes()) && is_trace_name(path)));
}

Result<std::shared_ptr<const io::InputFile>> open_input(const std::string& path,
                                                        const InputOptions& options) {
    if (!io::is_stream(path)) {
        return path == "-" ? io::spool_standard_input() : io::InputFile::map(path);
    }
    const auto spool = [&](StreamInput input) {
        if (options.spooling) {
            options.spooling(path);
        }
        const auto most = options.max_unpacked;
        return std::move(input).spool({most ? *most : io::spool_allowance()});
    };
    if (options.opened && options.opened->name() == path) {
        return spool(std::move(*options.opened));
    }
    auto stream = io::open_stream(path);
    if (!stream) {
        return std::unexpected(stream.error());
    }
    auto input = StreamInput::open(std::move(*stream), path);
    return input ? spool(std::move(*input)) : std::unexpected(input.error());
}

Result<std::vector<std::string>> find_inputs(const std::string& argument, io::Recursion recursion) {
    return io::find_files(argument, recursion,
                          [](std::string_view name) { return is_trace_name(name); });
}

Inputs open_inputs(const std::vector<std::string>& arguments, const InputOptions& options) {
    Opener opener(options);
    for (const std::string& argument : arguments) {
        opener.argument(argument);
    }
    return opener.take();
}

} // namespace etl::trace

// session_traces FOLDER: writes a trace by a session in each file mode there is, with two threads,
// into the folder; prints each file, and how many events of the provider are in it.

#include <etl/etl.hpp>
#include <etl/provider.hpp>
#include <etl/session.hpp>

#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace session = etl::session;
namespace mode = etl::session::mode;

using Drink = etl::provider::Field<"Drink", std::u16string_view>;
using Temperature = etl::provider::Field<"Temperature", std::int32_t>;
constexpr int events_per_thread = 300;

struct Case {
    const char* file = "";
    std::uint32_t chosen = 0;
    std::uint32_t limit = 0;
    std::uint32_t clock = 1;
    int rounds = 1;
};

constexpr std::uint32_t in_process = mode::private_logger | mode::private_in_proc;

const Case cases[] = {
    {"sequential.etl", mode::sequential},
    {"nothing.etl", mode::none},
    {"kilobytes.etl", mode::use_kbytes_for_size, 1000},
    {"system-time.etl", mode::sequential, 0, 2},
    {"cycles.etl", mode::sequential, 0, 3},
    {"append.etl", mode::append, 0, 2, 3},
    {"circular.etl", mode::circular, 10},
    {"series%d.etl", mode::new_file, 1},
    {"preallocated.etl", mode::preallocate, 1},
    {"circular-preallocated.etl", mode::circular | mode::preallocate, 1},
    {"real-time.etl", mode::real_time},
    {"private.etl", in_process},
    {"private-compressed.etl", in_process | mode::compressed},
    {"blocking.etl", in_process | mode::blocking},
    {"one-processor.etl", mode::no_per_processor_buffering},
    {"independent.etl", mode::independent_session},
    {"ring.etl", mode::buffering},
};

/// What two threads wrote and sessions took.
std::uint64_t write_events(const session::Registration& provider,
                           const etl::provider::Provider& coffee) {
    std::uint64_t written[2] = {};
    const auto write = [&](std::uint64_t& count) {
        etl::provider::StaticEvent<"CupFinished", etl::provider::EventOptions{.level = 4}, Drink,
                                   Temperature>
            cup(coffee);
        for (int i = 0; i < events_per_thread; ++i) {
            count += provider.write(cup.record({}, u"espresso", i)).written;
        }
    };
    std::thread other([&] { write(written[1]); });
    write(written[0]);
    other.join();
    return written[0] + written[1];
}

bool run(session::Runtime& runtime, const Case& chosen, const std::string& folder) {
    const etl::provider::Provider coffee("MyCompany.Coffee");
    const auto provider = runtime.add(coffee);
    const std::string file = folder + "/" + chosen.file;
    const bool is_ring = (chosen.chosen & mode::buffering) != 0;
    std::uint64_t written = 0;
    for (int round = 0; provider && round < chosen.rounds; ++round) {
        session::SessionOptions options;
        options.name = "Morning";
        options.buffer_kb = 16;
        options.clock = chosen.clock;
        options.mode = chosen.chosen;
        options.maximum_file_size = chosen.limit;
        options.minimum_buffers = 32;
        options.file = is_ring ? std::string() : file;
        const auto started = runtime.start(options);
        if (!started || !started->enable(coffee.guid())) {
            return false;
        }
        written += write_events(*provider, coffee);
        if (!started->flush(is_ring ? file : std::string())) {
            return false;
        }
        const auto stopped = started->stop(is_ring ? file : std::string());
        if (!stopped || stopped->events_lost != 0) {
            return false;
        }
    }
    const std::string name = chosen.file;
    const auto percent = name.find("%d");
    const std::string first = percent == std::string::npos
                                  ? name
                                  : name.substr(0, percent) + "1" + name.substr(percent + 2);
    std::printf("%s %llu\n", first.c_str(), static_cast<unsigned long long>(written));
    return provider.has_value();
}

} // namespace

int main(int count, char** words) {
    session::Runtime runtime;
    for (const Case& chosen : cases) {
        if (count != 2 || !run(runtime, chosen, words[1])) {
            std::fprintf(stderr, "%s: not written\n", chosen.file);
            return 1;
        }
    }
    return 0;
}

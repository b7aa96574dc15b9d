// A controller: starts a session, enables a provider, updates, queries, and flushes the session
// while it runs, lists all sessions, and stops it. Sessions belong to the process of their
// controller, so this program also writes the events.
//     controller [FOLDER]
#include <etl/etl.hpp>

#include <atomic>
#include <cstdio>
#include <iostream>
#include <string>
#include <thread>

namespace session = etl::session;

namespace {

/// A provider that writes events on request.
class Kitchen {
public:
    explicit Kitchen(session::Runtime& runtime)
        : registration_(runtime.add(provider_, [](const session::EnableNotification& notice) {
              std::printf("kitchen: %s, level %u\n",
                          notice.is_enabled != 0 ? "enabled" : "disabled", notice.level);
          })) {}

    const etl::provider::Provider& provider() const { return provider_; }

    void work(int orders) {
        for (int order = 1; registration_ && order <= orders; ++order) {
            etl::provider::SelfDescribingEvent event(provider_, "Order", {.level = 4});
            event.add("Number", order);
            registration_->write(event.record({}));
        }
    }

private:
    etl::provider::Provider provider_{"MyCompany.Kitchen"};
    session::Outcome<session::Registration> registration_;
};

/// Returns the result of a call; null, after printing the reason, if it failed.
template <typename T>
T* check(session::Outcome<T>& outcome) {
    if (!outcome) {
        std::puts(session::describe(outcome.error()).c_str());
        return nullptr;
    }
    return &*outcome;
}

void list(const session::Runtime& runtime) {
    const auto providers = runtime.providers();
    const auto name_of = [&](const etl::Guid& guid) {
        for (const session::ProviderState& provider : providers) {
            if (provider.guid == guid) {
                return provider.name;
            }
        }
        return std::string();
    };
    std::string text;
    append_sessions(text, runtime.sessions(), name_of);
    text += "\nregistered: ";
    append_registered(text, providers, name_of);
    std::puts(text.c_str());
}

} // namespace

int main(int argc, char** argv) {
    const std::string folder = argc > 1 ? argv[1] : ".";
    session::Runtime runtime;
    Kitchen kitchen(runtime);

    // A circular file of at most 4 MB, with buffers of 16 KB.
    auto lunch = runtime.start({.name = "Lunch",
                                .buffer_kb = 16,
                                .maximum_file_size = 4,
                                .mode = session::mode::circular,
                                .file = folder + "/lunch.etl"});
    if (!check(lunch) || !lunch->enable(kitchen.provider().guid(), {.level = 5})) {
        return 1;
    }
    kitchen.work(1000);

    // While it runs: more buffers, a flush to the disk, another file.
    auto updated = lunch->update({.flush_timer = 1, .maximum_buffers = 100});
    auto flushed = lunch->flush();
    if (!check(updated) || !check(flushed)) {
        return 1;
    }
    list(runtime);
    auto moved = lunch->update({.file = folder + "/afternoon.etl"});
    if (!check(moved)) {
        return 1;
    }
    kitchen.work(500);

    // Found by name, as from another part of the program.
    const auto found = runtime.find("lunch");
    auto end = found ? found->stop() : session::refuse(session::Status::gen_failure, "not found");
    if (!check(end)) {
        return 1;
    }
    std::printf("stopped: %llu events lost, %u sessions left\n",
                static_cast<unsigned long long>(end->events_lost),
                static_cast<unsigned>(runtime.sessions().size()));
}

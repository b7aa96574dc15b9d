// What is done while a person looks at the traces already, or waits for them.
#pragma once

#include <etl/error.hpp>

#include "dataset/inputs.hpp"
#include "viewer/service.hpp"

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace cli {

/// Work in a thread of its own, which is asked to stop when this is destroyed.
class Background {
public:
    /// `work` returns false if nothing can be shown; empty: none. `stop` outlives it.
    Background(std::function<bool()> work, etl::Stop& stop);
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;
    ~Background();

    bool has_failed() const noexcept { return has_failed_; }

private:
    etl::Stop* stop_;
    std::atomic<bool> has_failed_ = false;
    std::thread thread_;
};

/// Makes the indexes that large traces lack, in the cache of the user, and then opens the traces
/// anew for `use`; the service shows progress. Ends early if it is to stop. Prints why a trace has
/// no index.
void add_indexes(const std::vector<std::string>& paths, etl::dataset::Options options,
                 etl::viewer::Service& service, const etl::Stop& stop,
                 const std::function<void(etl::explore::Explorer)>& use);

/// Returns an input with an index in memory, unless it is small or no index can be made.
/// `show` receives progress from 0 to 1. Ends early if it is to stop.
etl::dataset::Input with_index(etl::dataset::Input input, const etl::dataset::Options& options,
                               const std::function<void(double done)>& show, const etl::Stop& stop);

/// Makes the index of a large copy, in memory, and then opens it anew for the service. Likewise.
void add_index_of(etl::dataset::Input copy, const etl::dataset::Options& options,
                  etl::viewer::Service& service, const etl::Stop& stop);

/// Returns options without receivers of problems: what is wrong with a trace was printed when it
/// was opened first.
etl::dataset::Options quiet(etl::dataset::Options options);

/// Returns what shows progress to the pages of the service, not too often.
std::function<void(double done)> progress_to(etl::viewer::Service& service, std::string what);

} // namespace cli

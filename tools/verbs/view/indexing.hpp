// Indexes of large traces, made while a person looks at them already.
#pragma once

#include "cli/exit_code.hpp"
#include "dataset/inputs.hpp"
#include "viewer/service.hpp"

#include <string>
#include <thread>
#include <vector>

namespace cli {

/// Makes the indexes that large traces lack, in the cache of the user, and then opens the traces
/// anew for the service. Ends early if it is destroyed. Prints why a trace has no index.
class Indexing {
public:
    Indexing(std::vector<std::string> paths, etl::dataset::Options options,
             etl::viewer::Service& service);
    Indexing(const Indexing&) = delete;
    Indexing& operator=(const Indexing&) = delete;
    ~Indexing();

private:
    void run();
    bool add_indexes();
    bool add_index(const etl::dataset::Input& input, const std::string& what);

    std::vector<std::string> paths_;
    etl::dataset::Options options_;
    etl::viewer::Service* service_;
    etl::Stop stop_;
    std::thread thread_;
};

} // namespace cli

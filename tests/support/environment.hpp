// Environment variables that tests set.
#pragma once

#include <cstdlib>
#include <string>

namespace etl::test {

/// Sets an environment variable while it lives.
class Environment {
public:
    Environment(const char* name, const std::string& value) : name_(name) {
        const char* const before = std::getenv(name);
        was_set_ = before != nullptr;
        before_ = was_set_ ? before : "";
        setenv(name, value.c_str(), 1);
    }

    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

    ~Environment() {
        if (was_set_) {
            setenv(name_, before_.c_str(), 1);
        } else {
            unsetenv(name_);
        }
    }

private:
    const char* name_;
    std::string before_;
    bool was_set_ = false;
};

} // namespace etl::test

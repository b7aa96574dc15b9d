// The doors that etl_replay knows, made by cmake/fuzzing.cmake.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

struct Door {
    std::string_view name;
    int (*run)(const std::uint8_t* data, std::size_t size);
};

std::span<const Door> doors();

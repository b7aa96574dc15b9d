// Times and GUIDs as arguments of {fmt}. Not part of etl.hpp: it needs <fmt/format.h>.
#pragma once

#include "view/format.hpp"

#pragma once
namespace etl::compat { struct OpenTraces {}; }

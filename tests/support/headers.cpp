// Carries the precompiled headers of the tests (cmake/testing.cmake).

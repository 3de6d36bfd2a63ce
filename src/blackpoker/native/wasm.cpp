// The door as a library for Pyodide, whose interpreter brings all of C; of C++ only what a vector of blocks needs.
#include <stddef.h>
#include <stdlib.h>

void* operator new(size_t n) { return malloc(n); }
void operator delete(void* p) noexcept { free(p); }
void operator delete(void* p, size_t) noexcept { free(p); }

#include "door.cpp"

_LIBCPP_BEGIN_NAMESPACE_STD
void __libcpp_verbose_abort(const char*, ...) noexcept { __builtin_trap(); }  // more blocks than there is memory
_LIBCPP_END_NAMESPACE_STD

// The library for Pyodide. Its interpreter provides all of C; of C++ only the parts for a vector of blocks are defined.
#include <stddef.h>
#include <stdlib.h>

void* operator new(size_t n) { return malloc(n); }
void operator delete(void* p) noexcept { free(p); }
void operator delete(void* p, size_t) noexcept { free(p); }

#include "library.cpp"

_LIBCPP_BEGIN_NAMESPACE_STD
void __libcpp_verbose_abort(const char*, ...) noexcept { __builtin_trap(); }  // out of memory
_LIBCPP_END_NAMESPACE_STD

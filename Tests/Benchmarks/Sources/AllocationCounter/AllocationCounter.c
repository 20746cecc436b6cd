// Counts heap allocations by standing in for the allocator's entry points. glibc only: there the
// real ones have a second name.
#include "AllocationCounter.h"
#include <features.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic uint64_t allocations;

uint64_t allocation_count(void) {
  return atomic_load_explicit(&allocations, memory_order_relaxed);
}

#if defined(__GLIBC__)
bool allocation_counter_works(void) { return true; }

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

#define COUNT atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed)

void *malloc(size_t size) { COUNT; return __libc_malloc(size); }
void *calloc(size_t count, size_t size) { COUNT; return __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { COUNT; return __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { COUNT; return __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) {
  COUNT;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void **result, size_t alignment, size_t size) {
  COUNT;
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : 12;
}
#else
bool allocation_counter_works(void) { return false; }
#endif

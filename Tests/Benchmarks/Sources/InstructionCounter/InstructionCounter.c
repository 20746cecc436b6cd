#include "InstructionCounter.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

void instruction_count_start(void) { CALLGRIND_TOGGLE_COLLECT; }

void instruction_count_stop(const char *name) {
  CALLGRIND_TOGGLE_COLLECT;
  CALLGRIND_DUMP_STATS_AT(name);
}

int instruction_count_works(void) { return 1; }
#else
void instruction_count_start(void) {}
void instruction_count_stop(const char *name) { (void)name; }
int instruction_count_works(void) { return 0; }
#endif

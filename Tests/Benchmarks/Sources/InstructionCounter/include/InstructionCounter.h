#pragma once

/// Begins to collect on the calling thread; without effect outside valgrind's callgrind.
void instruction_count_start(void);

/// Ends collecting and writes what was collected under a name.
void instruction_count_stop(const char *name);

/// Whether the program was built with the header of callgrind.
int instruction_count_works(void);

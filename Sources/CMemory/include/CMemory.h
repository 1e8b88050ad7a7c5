#pragma once

/* What jemalloc reads when the program starts; `MALLOC_CONF` overrides it. */
extern const char *malloc_conf;

#pragma once

/* The options that jemalloc reads when the program starts; `MALLOC_CONF` overrides them. */
extern const char *malloc_conf;

#pragma once
/* Distinct types for handles, and no macros that check arguments. */
#define CURL_STRICTER
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>
#include <stdbool.h>

/* The library is not linked but opened before the first call: it loads two dozen others, which take a tenth of the
   program's start-up time, and with an emulated auth API there are no calls.

   After changing this list, remove .build/debug/HTTPClientTransport.build: SwiftPM does not notice changes to a system
   library's header, and code compiled before would call the wrong functions. */

#define CCURL_FUNCTIONS(FUNCTION)                                                                                      \
  FUNCTION(version_info)                                                                                               \
  FUNCTION(global_init)                                                                                                \
  FUNCTION(slist_append)                                                                                               \
  FUNCTION(slist_free_all)                                                                                             \
  FUNCTION(easy_init)                                                                                                  \
  FUNCTION(easy_setopt)                                                                                                \
  FUNCTION(easy_getinfo)                                                                                               \
  FUNCTION(easy_cleanup)                                                                                               \
  FUNCTION(multi_init)                                                                                                 \
  FUNCTION(multi_setopt)                                                                                               \
  FUNCTION(multi_add_handle)                                                                                           \
  FUNCTION(multi_remove_handle)                                                                                        \
  FUNCTION(multi_perform)                                                                                              \
  FUNCTION(multi_info_read)                                                                                            \
  FUNCTION(multi_poll)                                                                                                 \
  FUNCTION(multi_wakeup)                                                                                               \
  FUNCTION(multi_cleanup)

/* The library's functions, each named without `curl_`. Swift does not import those with variadic arguments. */
typedef struct {
#define FUNCTION(name) __typeof__(&curl_##name) _Nonnull name;
  CCURL_FUNCTIONS(FUNCTION)
#undef FUNCTION
} __attribute__((swift_attr("@Sendable"))) ccurl_library;

/* Opens whichever flavour of the library is installed: both have the same functions. False if there is none, or if it
   is too old. The library stays open until the process ends. */
static inline bool
ccurl_open(ccurl_library *library)
{
  static const char *const names[] = {"libcurl-gnutls.so.4", "libcurl.so.4"};
  void *handle = NULL;
  for (size_t index = 0; handle == NULL && index < sizeof names / sizeof *names; index++)
    handle = dlopen(names[index], RTLD_LAZY | RTLD_LOCAL);
  if (handle == NULL)
    return false;
#define FUNCTION(name)                                                                                                 \
  void *name##_address = dlsym(handle, "curl_" #name);                                                                 \
  if (name##_address == NULL)                                                                                          \
    return false;                                                                                                      \
  library->name = (__typeof__(&curl_##name)) name##_address;
  CCURL_FUNCTIONS(FUNCTION)
#undef FUNCTION
  /* CURLOPT_PROTOCOLS_STR exists since 7.85, and CURLOPT_QUICK_EXIT since 7.87. */
  if (library->version_info(CURLVERSION_NOW)->version_num < 0x075700)
    return false;
  return library->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

/* Swift imports neither C functions with variadic arguments nor macros that compute: these
   wrappers provide what the client needs of them, one for each type of argument. */

static inline CURLMcode
ccurl_multi_set_number(ccurl_library curl, CURLM *multi, CURLMoption option, long value)
{
  return curl.multi_setopt(multi, option, value);
}

static inline CURLcode
ccurl_set_number(ccurl_library curl, CURL *easy, CURLoption option, long value)
{
  return curl.easy_setopt(easy, option, value);
}

static inline CURLcode
ccurl_set_offset(ccurl_library curl, CURL *easy, CURLoption option, curl_off_t value)
{
  return curl.easy_setopt(easy, option, value);
}

/* The library copies the text; NULL unsets the option. */
static inline CURLcode
ccurl_set_text(ccurl_library curl, CURL *easy, CURLoption option, const char *text)
{
  return curl.easy_setopt(easy, option, text);
}

/* The library copies as many bytes as CURLOPT_POSTFIELDSIZE_LARGE says, which must be set first. */
static inline CURLcode
ccurl_set_body(ccurl_library curl, CURL *easy, const void *bytes)
{
  return curl.easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

/* The library does not copy the list, which must outlive its use by the handle. */
static inline CURLcode
ccurl_set_list(ccurl_library curl, CURL *easy, CURLoption option, struct curl_slist *list)
{
  return curl.easy_setopt(easy, option, list);
}

/* Called with bytes of an answer; returning less than their number ends the transfer. */
typedef size_t (*ccurl_data_callback)(char *bytes, size_t size, size_t count, void *closure);

static inline CURLcode
ccurl_set_data_callbacks(ccurl_library curl, CURL *easy, ccurl_data_callback head, ccurl_data_callback body,
                         void *closure)
{
  CURLcode code = curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, head);
  if (code == CURLE_OK)
    code = curl.easy_setopt(easy, CURLOPT_HEADERDATA, closure);
  if (code == CURLE_OK)
    code = curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
  if (code == CURLE_OK)
    code = curl.easy_setopt(easy, CURLOPT_WRITEDATA, closure);
  return code;
}

/* The callback is called once there is a connection, right before a request is sent on it. */
static inline CURLcode
ccurl_set_before_request(ccurl_library curl, CURL *easy, curl_prereq_callback callback, void *closure)
{
  CURLcode code = curl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
  if (code == CURLE_OK)
    code = curl.easy_setopt(easy, CURLOPT_PREREQDATA, closure);
  return code;
}

/* One of the library's figures about a transfer, or 0 if it has none. */
static inline long
ccurl_number(ccurl_library curl, CURL *easy, CURLINFO info)
{
  long value = 0;
  return curl.easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

/* An unnamed file in memory, for options that take a path rather than bytes; -1 if it cannot be made.
   (Declared here, since glibc's header declares it only for _GNU_SOURCE.) */
extern int memfd_create(const char *name, unsigned int flags);

static inline int
ccurl_memory_file(void)
{
  return memfd_create("ccurl", 1U /* MFD_CLOEXEC */);
}

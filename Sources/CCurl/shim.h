#pragma once
/* Handles as types of their own, and no checks of arguments that macros would have to see. */
#define CURL_STRICTER
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>
#include <stdbool.h>

/* The library is opened when somebody is to be called, not linked: it brings two dozen others, which take a tenth of
   the program's start, and while an auth API is emulated nobody is called.

   Whoever changes this list removes .build/debug/HTTPClientTransport.build: SwiftPM does not see that the header of a
   system library has changed, and what was compiled before would call one function for another. */

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

/* The library's functions, each under its name without `curl_`. Those with variadic arguments are not imported by
   Swift. */
typedef struct {
#define FUNCTION(name) __typeof__(&curl_##name) _Nonnull name;
  CCURL_FUNCTIONS(FUNCTION)
#undef FUNCTION
} __attribute__((swift_attr("@Sendable"))) ccurl_library;

/* Opens the library in whichever flavour is installed: both have the same functions. False where neither is, or one
   that is too old. It stays open until the process ends. */
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
  /* Options are known by name since 7.85, and transfers are left quickly since 7.87. */
  if (library->version_info(CURLVERSION_NOW)->version_num < 0x075700)
    return false;
  return library->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

/* Swift does not import C functions with variadic arguments, nor macros that compute: these
   wrappers cover what the client needs of them, one for each type of argument. */

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

/* The library copies the text, NULL unsets the option. */
static inline CURLcode
ccurl_set_text(ccurl_library curl, CURL *easy, CURLoption option, const char *text)
{
  return curl.easy_setopt(easy, option, text);
}

/* The library copies as many bytes as CURLOPT_POSTFIELDSIZE_LARGE was set to before. */
static inline CURLcode
ccurl_set_body(ccurl_library curl, CURL *easy, const void *bytes)
{
  return curl.easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

/* The library refers to the list for as long as the handle does. */
static inline CURLcode
ccurl_set_list(ccurl_library curl, CURL *easy, CURLoption option, struct curl_slist *list)
{
  return curl.easy_setopt(easy, option, list);
}

/* Called with bytes of an answer; taking fewer than all of them ends the transfer. */
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

/* Called when a connection is there, right before a request leaves on it. */
static inline CURLcode
ccurl_set_before_request(ccurl_library curl, CURL *easy, curl_prereq_callback callback, void *closure)
{
  CURLcode code = curl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
  if (code == CURLE_OK)
    code = curl.easy_setopt(easy, CURLOPT_PREREQDATA, closure);
  return code;
}

/* A number that the library knows of a transfer, 0 where it does not. */
static inline long
ccurl_number(ccurl_library curl, CURL *easy, CURLINFO info)
{
  long value = 0;
  return curl.easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

/* A file without a name, in memory: for a path where the library takes no bytes. -1 where there is
   none. (Declared here, since glibc's header shows it to GNU sources alone.) */
extern int memfd_create(const char *name, unsigned int flags);

static inline int
ccurl_memory_file(void)
{
  return memfd_create("ccurl", 1U /* MFD_CLOEXEC */);
}

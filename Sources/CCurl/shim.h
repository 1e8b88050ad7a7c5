#pragma once
/* Handles as types of their own, and no checks of arguments that macros would have to see. */
#define CURL_STRICTER
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/* Swift does not import C functions with variadic arguments, nor macros that compute: these
   wrappers cover what the client needs of them, one for each type of argument. */

static inline CURLcode
ccurl_global_init(void)
{
  return curl_global_init(CURL_GLOBAL_DEFAULT);
}

static inline CURLMcode
ccurl_multi_set_number(CURLM *multi, CURLMoption option, long value)
{
  return curl_multi_setopt(multi, option, value);
}

static inline CURLcode
ccurl_set_number(CURL *easy, CURLoption option, long value)
{
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode
ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value)
{
  return curl_easy_setopt(easy, option, value);
}

/* The library copies the text, NULL unsets the option. */
static inline CURLcode
ccurl_set_text(CURL *easy, CURLoption option, const char *text)
{
  return curl_easy_setopt(easy, option, text);
}

/* The library copies as many bytes as CURLOPT_POSTFIELDSIZE_LARGE was set to before. */
static inline CURLcode
ccurl_set_body(CURL *easy, const void *bytes)
{
  return curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

/* The library refers to the list for as long as the handle does. */
static inline CURLcode
ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *list)
{
  return curl_easy_setopt(easy, option, list);
}

/* Called with bytes of an answer; taking fewer than all of them ends the transfer. */
typedef size_t (*ccurl_data_callback)(char *bytes, size_t size, size_t count, void *closure);

static inline CURLcode
ccurl_set_data_callbacks(CURL *easy, ccurl_data_callback head, ccurl_data_callback body,
                         void *closure)
{
  CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, head);
  if (code == CURLE_OK)
    code = curl_easy_setopt(easy, CURLOPT_HEADERDATA, closure);
  if (code == CURLE_OK)
    code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
  if (code == CURLE_OK)
    code = curl_easy_setopt(easy, CURLOPT_WRITEDATA, closure);
  return code;
}

/* Called when a connection is there, right before a request leaves on it. */
static inline CURLcode
ccurl_set_before_request(CURL *easy, curl_prereq_callback callback, void *closure)
{
  CURLcode code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
  if (code == CURLE_OK)
    code = curl_easy_setopt(easy, CURLOPT_PREREQDATA, closure);
  return code;
}

/* A number that the library knows of a transfer, 0 where it does not. */
static inline long
ccurl_number(CURL *easy, CURLINFO info)
{
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

/* A text that the library keeps, or NULL. */
static inline const char *
ccurl_text(CURL *easy, CURLINFO info)
{
  char *text = NULL;
  return curl_easy_getinfo(easy, info, &text) == CURLE_OK ? text : NULL;
}

/* A file without a name, in memory: for a path where the library takes no bytes. -1 where there is
   none. (Declared here, since glibc's header shows it to GNU sources alone.) */
extern int memfd_create(const char *name, unsigned int flags);

static inline int
ccurl_memory_file(void)
{
  return memfd_create("ccurl", 1U /* MFD_CLOEXEC */);
}

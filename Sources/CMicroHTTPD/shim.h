#pragma once
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <string.h>
#include <microhttpd.h>
#include <gnutls/gnutls.h>

/* Swift does not import C functions with variadic arguments, and imports unions of pointers badly:
   these wrappers provide only what the server needs of them. */

static inline bool
cmicrohttpd_is_blank(char byte)
{
  return byte == ' ' || byte == '\t';
}

/* Whether a header field of a request was a single line on the wire.

   The library parses in place: it ends name and value by writing NUL over the colon and the line
   break. It appends a folded line (RFC 9112, section 5.2) to the *name*: it moves the name behind
   everything read so far, or extends it in place if only its own lines follow it in the read
   buffer. In the first case the value no longer follows its name; in both, the folded line still
   follows the value and begins with a blank. After each field there is always another line, if
   only the empty one that ends the head. */
static inline bool
cmicrohttpd_is_one_line(const char *name, size_t name_count,
                        const char *value, size_t value_count)
{
  const char *start, *end;
  if (name == NULL || value == NULL)
    return false;
  start = name + name_count + 1;
  while (start < value && cmicrohttpd_is_blank(*start))
    start++;
  end = value + value_count;
  return start == value && !cmicrohttpd_is_blank(end[1])
    && !(end[1] == 0 && cmicrohttpd_is_blank(end[2]));
}

/* The length of a request's head in bytes, from its method to the empty line, inclusive; 0 if it is not
   known yet. */
static inline size_t
cmicrohttpd_head_count(struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}

static inline struct MHD_Daemon *
cmicrohttpd_start(unsigned int flags,
                  MHD_AccessHandlerCallback handler, void *closure,
                  const struct MHD_OptionItem *options)
{
  return MHD_start_daemon(flags, 0, NULL, NULL, handler, closure,
                          MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

/* The descriptor of the connection's socket, or -1. */
static inline int
cmicrohttpd_descriptor(struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

/* The address of the socket's other end, or NULL. */
static inline const struct sockaddr *
cmicrohttpd_peer(struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}

/* The pointer that the notify-connection callback stored for this connection, or NULL. */
static inline void *
cmicrohttpd_socket_context(struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

/* Makes GnuTLS's credentials from a certificate chain and its key, both PEM; NULL, with GnuTLS's
   message in `failure`, if they cannot be used or do not belong together. */
static inline void *
cmicrohttpd_make_credentials(const char *certificate, const char *key, const char **failure)
{
  gnutls_certificate_credentials_t credentials = NULL;
  gnutls_datum_t chain = {(unsigned char *) certificate, (unsigned int) strlen(certificate)};
  gnutls_datum_t secret = {(unsigned char *) key, (unsigned int) strlen(key)};
  int status = gnutls_certificate_allocate_credentials(&credentials);
  if (status == GNUTLS_E_SUCCESS) {
    status = gnutls_certificate_set_x509_key_mem(credentials, &chain, &secret, GNUTLS_X509_FMT_PEM);
    if (status == GNUTLS_E_SUCCESS)
      return credentials;
    gnutls_certificate_free_credentials(credentials);
  }
  *failure = gnutls_strerror(status);
  return NULL;
}

static inline void
cmicrohttpd_free_credentials(void *credentials)
{
  gnutls_certificate_free_credentials((gnutls_certificate_credentials_t) credentials);
}

/* Makes a connection show a certificate other than the one that the library was started with. To be called
   before its handshake, when the library reports the connection; the credentials have to outlive it. */
static inline bool
cmicrohttpd_use_credentials(struct MHD_Connection *connection, void *credentials)
{
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
  return info != NULL && info->tls_session != NULL
    && gnutls_credentials_set((gnutls_session_t) info->tls_session, GNUTLS_CRD_CERTIFICATE,
                              credentials) == GNUTLS_E_SUCCESS;
}

/* Options whose arguments are a function and its closure. */

static inline struct MHD_OptionItem
cmicrohttpd_logger(MHD_LogCallback function, void *closure)
{
  struct MHD_OptionItem item = {MHD_OPTION_EXTERNAL_LOGGER, (intptr_t) function, closure};
  return item;
}

static inline struct MHD_OptionItem
cmicrohttpd_notify_completed(MHD_RequestCompletedCallback function, void *closure)
{
  struct MHD_OptionItem item = {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t) function, closure};
  return item;
}

static inline struct MHD_OptionItem
cmicrohttpd_notify_connection(MHD_NotifyConnectionCallback function, void *closure)
{
  struct MHD_OptionItem item = {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t) function, closure};
  return item;
}

typedef void *(*cmicrohttpd_target_callback)(void *closure, const char *target,
                                             struct MHD_Connection *connection);

static inline struct MHD_OptionItem
cmicrohttpd_target_log(cmicrohttpd_target_callback function, void *closure)
{
  struct MHD_OptionItem item = {MHD_OPTION_URI_LOG_CALLBACK, (intptr_t) function, closure};
  return item;
}

typedef size_t (*cmicrohttpd_unescape_callback)(void *closure, struct MHD_Connection *connection,
                                                char *text);

static inline struct MHD_OptionItem
cmicrohttpd_unescape(cmicrohttpd_unescape_callback function, void *closure)
{
  struct MHD_OptionItem item = {MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t) function, closure};
  return item;
}

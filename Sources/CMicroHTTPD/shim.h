#pragma once
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <microhttpd.h>

/* Swift does not import C functions with variadic arguments, nor unions of pointers gracefully:
   these wrappers cover what the server needs of them, and nothing else. */

static inline bool
cmicrohttpd_is_blank(char byte)
{
  return byte == ' ' || byte == '\t';
}

/* Whether a header field of a request is one line as it came from the socket.

   The library parses in place: it ends name and value by writing NUL over the colon and the line
   break. A folded line (RFC 9112, section 5.2) it appends to the *name*, moved behind everything
   read so far, or grown where it stands if nothing but its own lines follows it in the memory set
   aside for reading. In the first case the value no longer follows its name; in both the folded
   line still lies behind the value, and begins with a blank. Behind each field there is one more
   line, if only the empty one that ends the head. */
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

/* What the notify-connection callback stored for this connection, or NULL. */
static inline void *
cmicrohttpd_socket_context(struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
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

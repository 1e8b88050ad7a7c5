/* The yardstick: libmicrohttpd as a C program uses it at its fastest, answering with constant bytes.
 *
 * constant FILE: serves what FILE says on a free port of 127.0.0.1 and prints the port. FILE holds one
 * route after another, each ended by an empty line:
 *
 *     METHOD PATH STATUS BODY_FILE
 *     Header-Name: value
 *
 * A request that no route matches gets 404. It serves until its standard input ends. If a body has
 * 0123456789abcdef, each answer has a number of its own in that place.
 */
#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUTES = 32, HEADERS = 64, LINE = 4096, WORKERS = 2 };

static const char MARK[] = "0123456789abcdef";

struct route {
  char method[16], path[256];
  unsigned status;
  struct MHD_Response *response;
  /* For a body with a place for a number: the body, of which each answer is a copy, and that place. */
  char *bytes, *place;
  size_t size;
  int header_count;
  char *headers[HEADERS][2];
};

static struct route routes[ROUTES];
static int route_count;
static struct MHD_Response *missing;

static void fail(const char *what) {
  fprintf(stderr, "constant: %s\n", what);
  exit(1);
}

static void read_body(struct route *route, const char *name) {
  FILE *file = fopen(name, "rb");
  if (!file) fail(name);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *bytes = calloc(1, (size_t)size + 1);
  if (fread(bytes, 1, (size_t)size, file) != (size_t)size) fail(name);
  fclose(file);
  route->bytes = bytes;
  route->size = (size_t)size;
  route->place = strstr(bytes, MARK);
  route->response = MHD_create_response_from_buffer((size_t)size, bytes, MHD_RESPMEM_PERSISTENT);
}

static enum MHD_Result answer_numbered(struct MHD_Connection *connection, const struct route *route) {
  static atomic_ullong last;
  char number[sizeof MARK];
  snprintf(number, sizeof number, "%016llx", atomic_fetch_add(&last, 1));
  char *bytes = malloc(route->size);
  memcpy(bytes, route->bytes, route->size);
  memcpy(bytes + (route->place - route->bytes), number, sizeof number - 1);
  struct MHD_Response *response =
      MHD_create_response_from_buffer(route->size, bytes, MHD_RESPMEM_MUST_FREE);
  for (int i = 0; i < route->header_count; i++)
    MHD_add_response_header(response, route->headers[i][0], route->headers[i][1]);
  enum MHD_Result result = MHD_queue_response(connection, route->status, response);
  MHD_destroy_response(response);
  return result;
}

static void read_routes(const char *name) {
  FILE *file = fopen(name, "r");
  if (!file) fail(name);
  char line[LINE];
  struct route *route = NULL;
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    if (!*line) {
      route = NULL;
    } else if (!route) {
      if (route_count == ROUTES) fail("too many routes");
      char body[1024];
      route = &routes[route_count++];
      if (sscanf(line, "%15s %255s %u %1023s", route->method, route->path, &route->status, body) != 4)
        fail(line);
      read_body(route, body);
    } else {
      char *colon = strstr(line, ": ");
      if (!colon) fail(line);
      *colon = 0;
      MHD_add_response_header(route->response, line, colon + 2);
      if (route->header_count == HEADERS) fail("too many header fields");
      char **header = route->headers[route->header_count++];
      header[0] = strdup(line), header[1] = strdup(colon + 2);
    }
  }
  fclose(file);
}

static enum MHD_Result answer(void *unused, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **state) {
  static int seen;
  (void)unused, (void)version, (void)data;
  if (!*state) {
    *state = &seen;
    return MHD_YES;
  }
  if (*size) {
    *size = 0;
    return MHD_YES;
  }
  for (int i = 0; i < route_count; i++)
    if (!strcmp(routes[i].path, path) && !strcmp(routes[i].method, method))
      return routes[i].place ? answer_numbered(connection, &routes[i])
                             : MHD_queue_response(connection, routes[i].status, routes[i].response);
  return MHD_queue_response(connection, 404, missing);
}

int main(int count, char **arguments) {
  if (count != 2) fail("usage: constant FILE");
  read_routes(arguments[1]);
  missing = MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct MHD_Daemon *daemon = MHD_start_daemon(
      MHD_USE_POLL_INTERNAL_THREAD, 0, NULL, NULL, answer, NULL, MHD_OPTION_THREAD_POOL_SIZE, WORKERS,
      MHD_OPTION_CONNECTION_LIMIT, 4096, MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_END);
  if (!daemon) fail("cannot listen");
  printf("%u\n", (unsigned)MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
  fflush(stdout);
  while (getchar() != EOF) continue;
  MHD_stop_daemon(daemon);
  return 0;
}

/* Loaded before the C library, this has a program wait for the addresses of a name as if no name server answered. */
#include <netdb.h>
#include <unistd.h>

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
  (void)name;
  (void)service;
  (void)hints;
  (void)found;
  sleep(60);
  return EAI_AGAIN;
}

/* What Swift's importer cannot see of libcurl: variadic calls, and macros with casts. */
#ifndef ASSENT_CCURL_H
#define ASSENT_CCURL_H

#include <curl/curl.h>

static inline int ccurl_prepare(void) { return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK; }

static inline void ccurl_set_number(CURL *handle, CURLoption option, long value) {
  curl_easy_setopt(handle, option, value);
}

/* libcurl copies the text. */
static inline int ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value) == CURLE_OK;
}

/* The list and the body have to live as long as the transfer. */
static inline void ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
  curl_easy_setopt(handle, option, list);
}

static inline void ccurl_set_body(CURL *handle, const void *bytes, size_t count) {
  curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  curl_easy_setopt(handle, CURLOPT_POSTFIELDS, bytes);
}

/* The callbacks of a transfer. Each gets `context` as an argument. */
struct ccurl_callbacks {
  curl_write_callback body;
  curl_write_callback header;
  curl_opensocket_callback open_socket;
  curl_xferinfo_callback progress;
  void *context;
};

static inline void ccurl_set_callbacks(CURL *handle, struct ccurl_callbacks calls) {
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, calls.body);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, calls.context);
  curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, calls.header);
  curl_easy_setopt(handle, CURLOPT_HEADERDATA, calls.context);
  curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, calls.open_socket);
  curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, calls.context);
  curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, calls.progress);
  curl_easy_setopt(handle, CURLOPT_XFERINFODATA, calls.context);
  curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
}

static inline long ccurl_status(CURL *handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

/* The address of a socket that is about to be opened. */
static inline const struct sockaddr *ccurl_address(const struct curl_sockaddr *address) { return &address->addr; }

static inline curl_socket_t ccurl_no_socket(void) { return CURL_SOCKET_BAD; }

#endif

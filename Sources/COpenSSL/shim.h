/* What Swift's importer cannot see of OpenSSL: macros, and the choice of a protocol. */
#ifndef ASSENT_COPENSSL_H
#define ASSENT_COPENSSL_H

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

/* Chooses HTTP/2 or HTTP/1.1 by ALPN, and refuses clients that offer only other protocols. */
static inline int copenssl_choose(
    SSL *session, const unsigned char **chosen, unsigned char *length, const unsigned char *offered,
    unsigned int offered_length, void *context) {
  static const unsigned char spoken[] = {2, 'h', '2', 8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  (void)session;
  (void)context;
  int found = SSL_select_next_proto((unsigned char **)chosen, length, spoken, sizeof spoken, offered, offered_length);
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

/* A server's settings: TLS 1.2 at least, with the ciphers that HTTP/2 allows; NULL when there is no memory. */
static inline SSL_CTX *copenssl_server(void) {
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  if (!context) return NULL;
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20");
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_alpn_select_cb(context, copenssl_choose, NULL);
  return context;
}

/* Makes an encrypted key an error, instead of asking for its passphrase at the terminal. */
static inline int copenssl_no_passphrase(char *room, int size, int is_writing, void *context) {
  (void)room;
  (void)size;
  (void)is_writing;
  (void)context;
  return -1;
}

/* Takes a chain of certificates and a key, both as PEM; 0 when they cannot be used. */
static inline int copenssl_use(
    SSL_CTX *context, const void *chain, int chain_length, const void *key, int key_length) {
  BIO *source = BIO_new_mem_buf(chain, chain_length);
  X509 *certificate = PEM_read_bio_X509(source, NULL, copenssl_no_passphrase, NULL);
  int good = certificate && SSL_CTX_use_certificate(context, certificate) == 1;
  X509_free(certificate);
  while (good && (certificate = PEM_read_bio_X509(source, NULL, copenssl_no_passphrase, NULL))) {
    good = SSL_CTX_add0_chain_cert(context, certificate) == 1;
    /* The context owns only the certificates that it takes. It refuses one with a weak key, for instance. */
    if (!good) X509_free(certificate);
  }
  BIO_free(source);
  source = BIO_new_mem_buf(key, key_length);
  EVP_PKEY *secret = good ? PEM_read_bio_PrivateKey(source, NULL, copenssl_no_passphrase, NULL) : NULL;
  good = secret && SSL_CTX_use_PrivateKey(context, secret) == 1 && SSL_CTX_check_private_key(context) == 1;
  EVP_PKEY_free(secret);
  BIO_free(source);
  ERR_clear_error();
  return good;
}

/* A connection without a socket, whose encrypted bytes are put and taken by the functions below. */
static inline SSL *copenssl_accept(SSL_CTX *context) {
  SSL *session = SSL_new(context);
  BIO *input = BIO_new(BIO_s_mem());
  BIO *output = BIO_new(BIO_s_mem());
  if (!session || !input || !output) {
    SSL_free(session);
    BIO_free(input);
    BIO_free(output);
    return NULL;
  }
  BIO_set_mem_eof_return(input, -1);
  SSL_set_bio(session, input, output);
  SSL_set_accept_state(session);
  return session;
}

static inline int copenssl_put(SSL *session, const void *bytes, int count) {
  return BIO_write(SSL_get_rbio(session), bytes, count);
}

static inline int copenssl_take(SSL *session, void *room, int count) {
  return BIO_read(SSL_get_wbio(session), room, count);
}

/* How many bytes wait to be taken. */
static inline long copenssl_waiting(SSL *session) { return (long)BIO_ctrl_pending(SSL_get_wbio(session)); }

/* Decrypts; returns the number of bytes, 0 when more have to arrive first, or -1 when the connection is over. */
static inline int copenssl_read(SSL *session, void *room, int count) {
  ERR_clear_error();
  int done = SSL_read(session, room, count);
  if (done > 0) return done;
  int error = SSL_get_error(session, done);
  return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? 0 : -1;
}

/* Encrypts; returns the same. */
static inline int copenssl_write(SSL *session, const void *bytes, int count) {
  ERR_clear_error();
  int done = SSL_write(session, bytes, count);
  if (done > 0) return done;
  int error = SSL_get_error(session, done);
  return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? 0 : -1;
}

#endif

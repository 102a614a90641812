/* Keys, certificates and chains, by OpenSSL's libcrypto: what Swift's importer cannot see or would make long. */
#ifndef ASSENT_CPKI_H
#define ASSENT_CPKI_H

#include <openssl/err.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/ocsp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <string.h>

/* Without a passphrase, an encrypted key is an error and no question at a terminal. */
static inline int cpki_passphrase(char *room, int size, int is_writing, void *passphrase) {
  (void)is_writing;
  int length = passphrase ? (int)strlen((const char *)passphrase) : 0;
  if (length == 0 || length > size) return -1;
  memcpy(room, passphrase, (size_t)length);
  return length;
}

static inline EVP_PKEY *cpki_key(const void *pem, int length, const char *passphrase) {
  BIO *source = BIO_new_mem_buf(pem, length);
  EVP_PKEY *key = PEM_read_bio_PrivateKey(source, NULL, cpki_passphrase, (void *)passphrase);
  BIO_free(source);
  ERR_clear_error();
  return key;
}

/* Reads a PKCS#12 file; returns 0 when the passphrase is wrong or it is not such a file. */
static inline int cpki_pkcs12(
    const void *bytes, int length, const char *passphrase, EVP_PKEY **key, X509 **certificate,
    STACK_OF(X509) **others) {
  const unsigned char *place = (const unsigned char *)bytes;
  PKCS12 *file = d2i_PKCS12(NULL, &place, length);
  int good = file && PKCS12_parse(file, passphrase, key, certificate, others) == 1 && *key && *certificate;
  PKCS12_free(file);
  ERR_clear_error();
  return good;
}

static inline X509 *cpki_certificate(const void *der, int length) {
  const unsigned char *place = (const unsigned char *)der;
  X509 *certificate = d2i_X509(NULL, &place, length);
  ERR_clear_error();
  if (certificate && place != (const unsigned char *)der + length) {
    X509_free(certificate);
    return NULL;
  }
  return certificate;
}

static inline int cpki_der(X509 *certificate, unsigned char **bytes) { return i2d_X509(certificate, bytes); }
static inline int cpki_issuer(X509 *certificate, unsigned char **bytes) {
  return i2d_X509_NAME(X509_get_issuer_name(certificate), bytes);
}
static inline int cpki_subject(X509 *certificate, unsigned char **bytes) {
  return i2d_X509_NAME(X509_get_subject_name(certificate), bytes);
}
static inline int cpki_serial(X509 *certificate, unsigned char **bytes) {
  return i2d_ASN1_INTEGER(X509_get0_serialNumber(certificate), bytes);
}
static inline void cpki_free(unsigned char *bytes) { OPENSSL_free(bytes); }

/* A name as text, in UTF-8; its length. */
static inline int cpki_name(X509 *certificate, int is_issuer, char *room, int size) {
  BIO *target = BIO_new(BIO_s_mem());
  X509_NAME *name = is_issuer ? X509_get_issuer_name(certificate) : X509_get_subject_name(certificate);
  X509_NAME_print_ex(target, name, 0, (XN_FLAG_ONELINE | ASN1_STRFLGS_UTF8_CONVERT) & ~ASN1_STRFLGS_ESC_MSB);
  int length = BIO_read(target, room, size);
  BIO_free(target);
  return length < 0 ? 0 : length;
}

/* Seconds since 1970. */
static inline long long cpki_time(const ASN1_TIME *time) {
  ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
  int days = 0, seconds = 0;
  int good = epoch && ASN1_TIME_diff(&days, &seconds, epoch, time);
  ASN1_TIME_free(epoch);
  return good ? (long long)days * 86400 + seconds : 0;
}
static inline long long cpki_not_before(X509 *certificate) { return cpki_time(X509_get0_notBefore(certificate)); }
static inline long long cpki_not_after(X509 *certificate) { return cpki_time(X509_get0_notAfter(certificate)); }

/* A certificate's key usage; UINT32_MAX without the extension, which restricts nothing. */
static inline uint32_t cpki_key_usage(X509 *certificate) { return X509_get_key_usage(certificate); }
static inline int cpki_is_time_stamper(X509 *certificate) {
  uint32_t usage = X509_get_extended_key_usage(certificate);
  return usage != UINT32_MAX && (usage & XKU_TIMESTAMP);
}
static inline int cpki_is_self_signed(X509 *certificate) { return X509_self_signed(certificate, 1) == 1; }
static inline int cpki_is_authority(X509 *certificate) { return X509_check_ca(certificate) > 0; }

static inline const EVP_MD *cpki_digest(int bits) {
  return bits == 256 ? EVP_sha256() : bits == 384 ? EVP_sha384() : bits == 512 ? EVP_sha512() : NULL;
}

static inline int cpki_hash(int bits, const void *bytes, size_t length, unsigned char *room) {
  unsigned int count = 0;
  const EVP_MD *digest = cpki_digest(bits);
  return digest && EVP_Digest(bytes, length, room, &count, digest, NULL) == 1 ? (int)count : 0;
}

/* The kind of a key. 1: elliptic curve; 2: RSA; 0: anything else, including keys for RSASSA-PSS only. */
static inline int cpki_kind(EVP_PKEY *key) {
  int kind = EVP_PKEY_base_id(key);
  return kind == EVP_PKEY_EC ? 1 : kind == EVP_PKEY_RSA ? 2 : 0;
}
static inline int cpki_bits(EVP_PKEY *key) { return EVP_PKEY_bits(key); }

/* Signs with SHA-256; returns the signature's length, or 0. */
static inline int cpki_sign(EVP_PKEY *key, const void *bytes, size_t length, unsigned char *room, size_t size) {
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  int good = context && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1 &&
             EVP_DigestSign(context, room, &size, bytes, length) == 1;
  EVP_MD_CTX_free(context);
  ERR_clear_error();
  return good ? (int)size : 0;
}

/* salt: the length of RSA-PSS's salt, or -1 for PKCS#1's padding, which a key for RSASSA-PSS only may not use. */
static inline int cpki_verify(
    X509 *certificate, int bits, int salt, const void *bytes, size_t length, const unsigned char *signature,
    size_t size) {
  EVP_PKEY *key = X509_get0_pubkey(certificate);
  const EVP_MD *digest = cpki_digest(bits);
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  EVP_PKEY_CTX *details = NULL;
  int kind = key ? EVP_PKEY_base_id(key) : 0;
  int good = key && digest && context && !(kind == EVP_PKEY_RSA_PSS && salt < 0) &&
             EVP_DigestVerifyInit(context, &details, digest, NULL, key) == 1;
  if (good && salt < 0 && kind == EVP_PKEY_RSA)
    good = EVP_PKEY_CTX_set_rsa_padding(details, RSA_PKCS1_PADDING) == 1;
  if (good && salt >= 0)
    good = EVP_PKEY_CTX_set_rsa_padding(details, RSA_PKCS1_PSS_PADDING) == 1 &&
           EVP_PKEY_CTX_set_rsa_pss_saltlen(details, salt) == 1;
  good = good && EVP_DigestVerify(context, signature, size, bytes, length) == 1;
  EVP_MD_CTX_free(context);
  ERR_clear_error();
  return good;
}

static inline int cpki_belongs(X509 *certificate, EVP_PKEY *key) {
  int good = X509_check_private_key(certificate, key) == 1;
  ERR_clear_error();
  return good;
}

/* The certificate's identifier of its key, without a tag; returns its length, or 0 without the extension. */
static inline int cpki_key_identifier(X509 *certificate, unsigned char **bytes) {
  const ASN1_OCTET_STRING *own = X509_get0_subject_key_id(certificate);
  int length = own ? ASN1_STRING_length(own) : 0;
  if (length <= 0 || !(*bytes = (unsigned char *)OPENSSL_memdup(ASN1_STRING_get0_data(own), (size_t)length))) return 0;
  return length;
}

static inline int cpki_is_named(X509 *issuer, X509 *subject) {
  int good = X509_check_issued(issuer, subject) == X509_V_OK;
  ERR_clear_error();
  return good;
}

static inline int cpki_issued(X509 *issuer, X509 *subject) {
  int good = X509_check_issued(issuer, subject) == X509_V_OK && X509_verify(subject, X509_get0_pubkey(issuer)) == 1;
  ERR_clear_error();
  return good;
}

/* Finds chains from a certificate to one of the roots. */
typedef struct {
  X509_STORE *store;
  STACK_OF(X509) *others;
} cpki_trust;

static inline cpki_trust *cpki_trust_new(void) {
  cpki_trust *trust = (cpki_trust *)OPENSSL_zalloc(sizeof *trust);
  if (!trust) return NULL;
  trust->store = X509_STORE_new();
  trust->others = sk_X509_new_null();
  return trust;
}
static inline void cpki_trust_free(cpki_trust *trust) {
  X509_STORE_free(trust->store);
  sk_X509_pop_free(trust->others, X509_free);
  OPENSSL_free(trust);
}
static inline void cpki_trust_root(cpki_trust *trust, X509 *root) { X509_STORE_add_cert(trust->store, root); }
static inline void cpki_trust_other(cpki_trust *trust, X509 *other) {
  X509_up_ref(other);
  sk_X509_push(trust->others, other);
}
/* Returns 0 (X509_V_OK) and a chain that is valid at that time, the certificate first; otherwise OpenSSL's reason.
   Level 2: RSA keys have 2,048 bits or more, curves 224 or more, and nothing is signed with SHA-1. */
static inline int cpki_trust_chain(
    cpki_trust *trust, X509 *certificate, long long time, int is_stamper, STACK_OF(X509) **chain) {
  X509_STORE_CTX *context = X509_STORE_CTX_new();
  int result = -1;
  if (context && X509_STORE_CTX_init(context, trust->store, certificate, trust->others) == 1) {
    X509_VERIFY_PARAM *rules = X509_STORE_CTX_get0_param(context);
    X509_VERIFY_PARAM_set_time(rules, (time_t)time);
    X509_VERIFY_PARAM_set_flags(rules, X509_V_FLAG_PARTIAL_CHAIN);
    X509_VERIFY_PARAM_set_purpose(rules, is_stamper ? X509_PURPOSE_TIMESTAMP_SIGN : X509_PURPOSE_ANY);
    X509_VERIFY_PARAM_set_auth_level(rules, 2);
    X509_VERIFY_PARAM_set_depth(rules, 10);
    result = X509_verify_cert(context) == 1 ? 0 : X509_STORE_CTX_get_error(context);
    if (result == 0 && X509_STORE_CTX_get_error(context) != X509_V_OK) result = X509_STORE_CTX_get_error(context);
    if (result == 0) *chain = X509_STORE_CTX_get1_chain(context);
  }
  X509_STORE_CTX_free(context);
  ERR_clear_error();
  return result;
}
static inline const char *cpki_reason(int result) { return X509_verify_cert_error_string(result); }

/* An issuer's revocation list (CRL); NULL when the bytes are not exactly one. */
static inline X509_CRL *cpki_list(const void *der, int length) {
  const unsigned char *place = (const unsigned char *)der;
  X509_CRL *list = d2i_X509_CRL(NULL, &place, length);
  ERR_clear_error();
  if (list && place != (const unsigned char *)der + length) {
    X509_CRL_free(list);
    return NULL;
  }
  return list;
}

/* Whether a signature uses a strong hash function: one with a weak function proves nothing. */
static inline int cpki_is_strong(int signature) {
  int digest = NID_undef;
  if (!OBJ_find_sigid_algs(signature, &digest, NULL)) return 0;
  return digest == NID_sha256 || digest == NID_sha384 || digest == NID_sha512;
}

/* Whether a list names this issuer and is signed by it. */
static inline int cpki_list_is_by(X509_CRL *list, X509 *issuer) {
  int good = X509_NAME_cmp(X509_CRL_get_issuer(list), X509_get_subject_name(issuer)) == 0 &&
             (X509_get_key_usage(issuer) & KU_CRL_SIGN) != 0 && cpki_is_strong(X509_CRL_get_signature_nid(list)) &&
             X509_CRL_verify(list, X509_get0_pubkey(issuer)) == 1;
  ERR_clear_error();
  return good;
}

/* What a list or an OCSP response states of a certificate. Times are seconds since 1970; until is 0 if not stated. */
typedef struct {
  int state; /* 0: good; 1: revoked; 2: nothing */
  long long from, until, revoked;
} cpki_status;

/* Whether one of the certificate's distribution points has a name of the list's (RFC 5280, 6.3.3 b 2 i). */
static inline int cpki_is_listed_at(const DIST_POINT_NAME *name, X509 *certificate) {
  if (!name) return 1;
  int found = 0;
  CRL_DIST_POINTS *points =
      name->type == 0 ? (CRL_DIST_POINTS *)X509_get_ext_d2i(certificate, NID_crl_distribution_points, NULL, NULL) : NULL;
  for (int index = 0; !found && index < sk_DIST_POINT_num(points); index++) {
    const DIST_POINT_NAME *own = sk_DIST_POINT_value(points, index)->distpoint;
    if (!own || own->type != 0) continue;
    for (int one = 0; !found && one < sk_GENERAL_NAME_num(own->name.fullname); one++)
      for (int other = 0; !found && other < sk_GENERAL_NAME_num(name->name.fullname); other++)
        found = GENERAL_NAME_cmp(
                    sk_GENERAL_NAME_value(own->name.fullname, one),
                    sk_GENERAL_NAME_value(name->name.fullname, other)) == 0;
  }
  CRL_DIST_POINTS_free(points);
  return found;
}

/* Whether a list covers a certificate that it does not name, which is good then. Critical extensions may restrict what
   it covers: only an issuing distribution point is understood, and not one with some reasons or for other issuers. */
static inline int cpki_list_is_about(X509_CRL *list, X509 *certificate) {
  for (int place = X509_CRL_get_ext_by_critical(list, 1, -1); place >= 0;
       place = X509_CRL_get_ext_by_critical(list, 1, place)) {
    const X509_EXTENSION *extension = X509_CRL_get_ext(list, place);
    if (OBJ_obj2nid(X509_EXTENSION_get_object((X509_EXTENSION *)extension)) != NID_issuing_distribution_point) return 0;
  }
  int problem = -1;
  ISSUING_DIST_POINT *part =
      (ISSUING_DIST_POINT *)X509_CRL_get_ext_d2i(list, NID_issuing_distribution_point, &problem, NULL);
  if (!part) return problem == -1;
  int is_authority = X509_check_ca(certificate) > 0;
  int good = part->onlyattr <= 0 && part->indirectCRL <= 0 && !part->onlysomereasons &&
             !(part->onlyuser > 0 && is_authority) && !(part->onlyCA > 0 && !is_authority) &&
             cpki_is_listed_at(part->distpoint, certificate);
  ISSUING_DIST_POINT_free(part);
  return good;
}

static inline cpki_status cpki_list_status(X509_CRL *list, X509 *certificate) {
  cpki_status status = {2, cpki_time(X509_CRL_get0_lastUpdate(list)), 0, 0};
  if (X509_CRL_get0_nextUpdate(list)) status.until = cpki_time(X509_CRL_get0_nextUpdate(list));
  X509_REVOKED *entry = NULL;
  int found = X509_CRL_get0_by_cert(list, &entry, certificate);
  if (found == 1) {
    status.state = 1;
    status.revoked = cpki_time(X509_REVOKED_get0_revocationDate(entry));
  } else if (found == 0 && cpki_list_is_about(list, certificate)) {
    status.state = 0;
  }
  ERR_clear_error();
  return status;
}

/* An OCSP response; NULL when the bytes are not one, or the responder refused. */
static inline OCSP_BASICRESP *cpki_answer(const void *der, int length) {
  const unsigned char *place = (const unsigned char *)der;
  OCSP_RESPONSE *response = d2i_OCSP_RESPONSE(NULL, &place, length);
  OCSP_BASICRESP *answer = NULL;
  if (response && place == (const unsigned char *)der + length &&
      OCSP_response_status(response) == OCSP_RESPONSE_STATUS_SUCCESSFUL)
    answer = OCSP_response_get1_basic(response);
  OCSP_RESPONSE_free(response);
  ERR_clear_error();
  return answer;
}

/* Whether a response is signed by the issuer, or by a responder that the issuer certified for OCSP and whose
   certificate need not be checked for revocation (id-pkix-ocsp-nocheck). */
static inline int cpki_answer_is_by(OCSP_BASICRESP *answer, X509 *issuer) {
  STACK_OF(X509) *known = sk_X509_new_null();
  X509 *signer = NULL;
  int good = known && sk_X509_push(known, issuer) > 0 && OCSP_resp_get0_signer(answer, &signer, known) == 1;
  if (good && X509_cmp(signer, issuer) != 0) {
    uint32_t usage = X509_get_extended_key_usage(signer);
    long long made = cpki_time(OCSP_resp_get0_produced_at(answer));
    good = usage != UINT32_MAX && (usage & XKU_OCSP_SIGN) != 0 && cpki_issued(issuer, signer) &&
           X509_get_ext_by_NID(signer, NID_id_pkix_OCSP_noCheck, -1) >= 0 && cpki_not_before(signer) <= made &&
           made <= cpki_not_after(signer);
  }
  const X509_ALGOR *algorithm = OCSP_resp_get0_tbs_sigalg(answer);
  const ASN1_OBJECT *name = NULL;
  X509_ALGOR_get0(&name, NULL, NULL, algorithm);
  good = good && cpki_is_strong(OBJ_obj2nid(name)) && OCSP_basic_verify(answer, known, NULL, OCSP_NOVERIFY) == 1;
  sk_X509_free(known);
  ERR_clear_error();
  return good;
}

static inline cpki_status cpki_answer_status(OCSP_BASICRESP *answer, X509 *certificate, X509 *issuer) {
  cpki_status status = {2, 0, 0, 0};
  for (int index = 0; index < OCSP_resp_count(answer); index++) {
    OCSP_SINGLERESP *single = OCSP_resp_get0(answer, index);
    const OCSP_CERTID *id = OCSP_SINGLERESP_get0_id(single);
    ASN1_OBJECT *hash = NULL;
    OCSP_id_get0_info(NULL, &hash, NULL, NULL, (OCSP_CERTID *)id);
    const EVP_MD *digest = EVP_get_digestbyobj(hash);
    OCSP_CERTID *own = digest ? OCSP_cert_to_id(digest, certificate, issuer) : NULL;
    int is_same = own && OCSP_id_cmp(own, id) == 0;
    OCSP_CERTID_free(own);
    if (!is_same) continue;
    ASN1_GENERALIZEDTIME *revoked = NULL, *from = NULL, *until = NULL;
    int state = OCSP_single_get0_status(single, NULL, &revoked, &from, &until);
    status.state = state == V_OCSP_CERTSTATUS_GOOD ? 0 : state == V_OCSP_CERTSTATUS_REVOKED ? 1 : 2;
    status.from = from ? cpki_time(from) : 0;
    status.until = until ? cpki_time(until) : 0;
    status.revoked = revoked ? cpki_time(revoked) : 0;
    break;
  }
  ERR_clear_error();
  return status;
}

/* An OCSP request about a certificate. SHA-1 only identifies the issuer, and every responder understands it. */
static inline int cpki_question(X509 *certificate, X509 *issuer, unsigned char **bytes) {
  OCSP_REQUEST *request = OCSP_REQUEST_new();
  OCSP_CERTID *id = OCSP_cert_to_id(EVP_sha1(), certificate, issuer);
  int good = request && id && OCSP_request_add0_id(request, id);
  if (!good) OCSP_CERTID_free(id);
  int length = good ? i2d_OCSP_REQUEST(request, bytes) : 0;
  OCSP_REQUEST_free(request);
  ERR_clear_error();
  return length;
}

/* Writes the URLs that a certificate states of its OCSP responders (is_list 0) or its revocation lists (1), one a line;
   returns their length. */
static inline int cpki_addresses(X509 *certificate, int is_list, char *room, int size) {
  BIO *target = BIO_new(BIO_s_mem());
  if (is_list) {
    CRL_DIST_POINTS *points =
        (CRL_DIST_POINTS *)X509_get_ext_d2i(certificate, NID_crl_distribution_points, NULL, NULL);
    for (int index = 0; index < sk_DIST_POINT_num(points); index++) {
      DIST_POINT *point = sk_DIST_POINT_value(points, index);
      if (!point->distpoint || point->distpoint->type != 0) continue;
      for (int place = 0; place < sk_GENERAL_NAME_num(point->distpoint->name.fullname); place++) {
        GENERAL_NAME *name = sk_GENERAL_NAME_value(point->distpoint->name.fullname, place);
        if (name->type == GEN_URI)
          BIO_printf(target, "%.*s\n", ASN1_STRING_length(name->d.ia5),
                     (const char *)ASN1_STRING_get0_data(name->d.ia5));
      }
    }
    CRL_DIST_POINTS_free(points);
  } else {
    STACK_OF(OPENSSL_STRING) *all = X509_get1_ocsp(certificate);
    for (int index = 0; index < sk_OPENSSL_STRING_num(all); index++)
      BIO_printf(target, "%s\n", sk_OPENSSL_STRING_value(all, index));
    X509_email_free(all);
  }
  int length = BIO_read(target, room, size);
  BIO_free(target);
  ERR_clear_error();
  return length < 0 ? 0 : length;
}

static inline int cpki_extend(X509 *certificate, X509 *issuer, int id, const char *value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, id, (char *)value);
  int good = extension && X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return good;
}

/* A new key on the curve P-256. */
static inline EVP_PKEY *cpki_new_key(void) { return EVP_EC_gen("P-256"); }
static inline EVP_PKEY *cpki_new_rsa_key(void) { return EVP_RSA_gen(2048); }

/* A certificate; self-signed without an issuer. is_stamper: for a time-stamping authority. */
static inline X509 *cpki_make_certificate(
    EVP_PKEY *key, const char *name, const char *organization, long long from, long long to,
    const unsigned char *serial, int serial_length, X509 *issuer, EVP_PKEY *issuer_key, int is_authority,
    int is_stamper) {
  X509 *certificate = X509_new();
  X509_NAME *subject = X509_NAME_new();
  int good = certificate && subject && X509_set_version(certificate, 2) == 1;
  BIGNUM *number = BN_bin2bn(serial, serial_length, NULL);
  good = good && number && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate));
  BN_free(number);
  good = good && ASN1_TIME_set(X509_getm_notBefore(certificate), (time_t)from) &&
         ASN1_TIME_set(X509_getm_notAfter(certificate), (time_t)to) &&
         X509_NAME_add_entry_by_NID(subject, NID_commonName, MBSTRING_UTF8, (const unsigned char *)name, -1, -1, 0) == 1;
  if (good && organization && *organization)
    good = X509_NAME_add_entry_by_NID(
               subject, NID_organizationName, MBSTRING_UTF8, (const unsigned char *)organization, -1, -1, 0) == 1;
  X509 *parent = issuer ? issuer : certificate;
  good = good && X509_set_subject_name(certificate, subject) == 1 &&
         X509_set_issuer_name(certificate, issuer ? X509_get_subject_name(issuer) : subject) == 1 &&
         X509_set_pubkey(certificate, key) == 1 &&
         cpki_extend(
             certificate, parent, NID_basic_constraints, is_authority ? "critical,CA:TRUE" : "critical,CA:FALSE") &&
         cpki_extend(
             certificate, parent, NID_key_usage,
             is_authority ? "critical,keyCertSign,cRLSign" : "critical,digitalSignature,nonRepudiation") &&
         cpki_extend(certificate, parent, NID_subject_key_identifier, "hash") &&
         (!issuer || cpki_extend(certificate, parent, NID_authority_key_identifier, "keyid")) &&
         (!is_stamper || cpki_extend(certificate, parent, NID_ext_key_usage, "critical,timeStamping")) &&
         X509_sign(certificate, issuer_key ? issuer_key : key, EVP_sha256()) > 0;
  X509_NAME_free(subject);
  ERR_clear_error();
  if (good) return certificate;
  X509_free(certificate);
  return NULL;
}

/* Makes a revocation list with one certificate or none, signed by the issuer; returns its length. */
static inline int cpki_make_list(
    X509 *issuer, EVP_PKEY *key, X509 *revoked, long long at, long long next, unsigned char **bytes) {
  X509_CRL *list = X509_CRL_new();
  ASN1_TIME *time = ASN1_TIME_set(NULL, (time_t)at);
  ASN1_TIME *until = ASN1_TIME_set(NULL, (time_t)next);
  int good = list && time && until && X509_CRL_set_version(list, 1) == 1 &&
             X509_CRL_set_issuer_name(list, X509_get_subject_name(issuer)) == 1 &&
             X509_CRL_set1_lastUpdate(list, time) == 1 && X509_CRL_set1_nextUpdate(list, until) == 1;
  if (good && revoked) {
    X509_REVOKED *entry = X509_REVOKED_new();
    good = entry && X509_REVOKED_set_serialNumber(entry, X509_get_serialNumber(revoked)) == 1 &&
           X509_REVOKED_set_revocationDate(entry, time) == 1 && X509_CRL_add0_revoked(list, entry) == 1;
  }
  good = good && X509_CRL_sort(list) == 1 && X509_CRL_sign(list, key, EVP_sha256()) > 0;
  int length = good ? i2d_X509_CRL(list, bytes) : 0;
  ASN1_TIME_free(time);
  ASN1_TIME_free(until);
  X509_CRL_free(list);
  ERR_clear_error();
  return length;
}

/* PEM in memory; the BIO's bytes are copied out by the caller. */
static inline int cpki_write_key(EVP_PKEY *key, char *room, int size) {
  BIO *target = BIO_new(BIO_s_mem());
  int length = PEM_write_bio_PrivateKey(target, key, NULL, NULL, 0, NULL, NULL) == 1 ? BIO_read(target, room, size) : 0;
  BIO_free(target);
  return length;
}
static inline int cpki_write_certificate(X509 *certificate, char *room, int size) {
  BIO *target = BIO_new(BIO_s_mem());
  int length = PEM_write_bio_X509(target, certificate) == 1 ? BIO_read(target, room, size) : 0;
  BIO_free(target);
  return length;
}
static inline int cpki_write_pkcs12(EVP_PKEY *key, X509 *certificate, const char *passphrase, unsigned char **bytes) {
  PKCS12 *file = PKCS12_create(passphrase, "seal", key, certificate, NULL, 0, 0, 0, 0, 0);
  int length = file ? i2d_PKCS12(file, bytes) : 0;
  PKCS12_free(file);
  ERR_clear_error();
  return length;
}

static inline int cpki_count(STACK_OF(X509) *all) { return all ? sk_X509_num(all) : 0; }
static inline X509 *cpki_at(STACK_OF(X509) *all, int place) { return sk_X509_value(all, place); }
static inline void cpki_free_all(STACK_OF(X509) *all) { sk_X509_pop_free(all, X509_free); }

/* Makes a public key from the numbers of a JWK (RFC 7518, 6.2 and 6.3), big-endian; NULL when they are not a key. */
static inline EVP_PKEY *cpki_key_from(const char *kind, OSSL_PARAM_BLD *builder) {
  EVP_PKEY *key = NULL;
  OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, kind, NULL);
  if (!parameters || !context || EVP_PKEY_fromdata_init(context) != 1 ||
      EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1)
    key = NULL;
  EVP_PKEY_CTX_free(context);
  OSSL_PARAM_free(parameters);
  ERR_clear_error();
  return key;
}

static inline EVP_PKEY *cpki_rsa_public(
    const unsigned char *modulus, int modulus_length, const unsigned char *exponent, int exponent_length) {
  BIGNUM *n = BN_bin2bn(modulus, modulus_length, NULL);
  BIGNUM *e = BN_bin2bn(exponent, exponent_length, NULL);
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  EVP_PKEY *key = NULL;
  if (n && e && builder && OSSL_PARAM_BLD_push_BN(builder, "n", n) == 1 &&
      OSSL_PARAM_BLD_push_BN(builder, "e", e) == 1)
    key = cpki_key_from("RSA", builder);
  OSSL_PARAM_BLD_free(builder);
  BN_free(n);
  BN_free(e);
  return key;
}

/* point: 4, then x and y, 32 bytes each. A point that is not on the curve makes no key. */
static inline EVP_PKEY *cpki_p256_public(const unsigned char *point, size_t length) {
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  EVP_PKEY *key = NULL;
  if (builder && OSSL_PARAM_BLD_push_utf8_string(builder, "group", "prime256v1", 0) == 1 &&
      OSSL_PARAM_BLD_push_octet_string(builder, "pub", point, length) == 1)
    key = cpki_key_from("EC", builder);
  OSSL_PARAM_BLD_free(builder);
  return key;
}

/* Verifies a signature with SHA-256 in the form of JWS (RFC 7518, 3.3 to 3.5), which for an elliptic curve is two
   numbers side by side. */
static inline int cpki_verify_jws(
    EVP_PKEY *key, int is_pss, const void *bytes, size_t length, const unsigned char *signature, size_t size) {
  unsigned char *der = NULL;
  if (EVP_PKEY_base_id(key) == EVP_PKEY_EC) {
    if (size != 64) return 0;
    ECDSA_SIG *pair = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(signature, 32, NULL);
    BIGNUM *s = BN_bin2bn(signature + 32, 32, NULL);
    int der_length = 0;
    if (pair && ECDSA_SIG_set0(pair, r, s) == 1) {
      der_length = i2d_ECDSA_SIG(pair, &der);
    } else {
      BN_free(r);
      BN_free(s);
    }
    ECDSA_SIG_free(pair);
    if (der_length <= 0) return 0;
    signature = der;
    size = (size_t)der_length;
  }
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  EVP_PKEY_CTX *details = NULL;
  int good = context && EVP_DigestVerifyInit(context, &details, EVP_sha256(), NULL, key) == 1;
  if (good && is_pss)
    good = EVP_PKEY_CTX_set_rsa_padding(details, RSA_PKCS1_PSS_PADDING) == 1 &&
           EVP_PKEY_CTX_set_rsa_pss_saltlen(details, 32) == 1;
  good = good && EVP_DigestVerify(context, signature, size, bytes, length) == 1;
  EVP_MD_CTX_free(context);
  OPENSSL_free(der);
  ERR_clear_error();
  return good;
}

#endif

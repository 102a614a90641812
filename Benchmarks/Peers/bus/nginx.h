#ifndef ASSENT_BUS_NGINX_H
#define ASSENT_BUS_NGINX_H

#include <fstream>

#include "bus/load.h"

namespace nginx {

/* Starts nginx before a server: with these lines in its server's block, and these in its location's. */
inline pid_t start_with(const std::string &folder, const std::string &server_address, const std::string &server,
                        const std::string &location) {
  std::ofstream(folder + "/nginx.conf")
      << "daemon off; pid " << folder << "/pid; error_log stderr; worker_processes auto;\n"
      << "events { worker_connections 1024; }\n"
      << "http { access_log off; client_body_temp_path " << folder << "/body; proxy_temp_path " << folder
      << "/proxy; fastcgi_temp_path " << folder << "/fastcgi; uwsgi_temp_path " << folder
      << "/uwsgi; scgi_temp_path " << folder << "/scgi;\n"
      << "upstream worker { server " << server_address << "; keepalive 64; keepalive_requests 100000000; }\n"
      << "server { " << server << " keepalive_requests 100000000; client_max_body_size 0;\n"
      << "location / { " << location << " } } }\n";
  return load::program({"nginx", "-p", folder, "-c", folder + "/nginx.conf"}, folder + "/nginx.log");
}

/* nginx as a gateway in front of a server of gRPC, with a certificate of its own where it encrypts. */
inline pid_t start(const std::string &folder, const std::string &server_address, int port, bool is_encrypted = false) {
  std::string listen = "127.0.0.1:" + std::to_string(port) + (is_encrypted ? " ssl http2" : " http2");
  std::string keys;
  if (is_encrypted) {
    std::string make = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
                       " -addext subjectAltName=DNS:localhost -keyout " + folder + "/key -out " + folder + "/cert"
                       " 2> " + folder + "/openssl.log";
    if (system(make.c_str()) != 0) _exit(1);
    keys = "ssl_certificate " + folder + "/cert; ssl_certificate_key " + folder + "/key;";
  }
  return start_with(folder, server_address, "listen " + listen + "; " + keys + " http2_max_concurrent_streams 1024;",
                    "grpc_buffer_size 128k; grpc_pass grpc://worker;");
}

/* nginx as a gateway in front of a server of HTTP/1.1. */
inline pid_t start_http(const std::string &folder, const std::string &server_address, int port) {
  return start_with(folder, server_address, "listen 127.0.0.1:" + std::to_string(port) + ";",
                    "proxy_pass http://worker; proxy_http_version 1.1; proxy_set_header Connection \"\";");
}

}  // namespace nginx

#endif

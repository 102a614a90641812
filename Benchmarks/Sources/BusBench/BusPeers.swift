import Base
import BenchKit

/// The peers of the bus: programs of our own around other people's libraries and servers.
struct BusPeers {
  let proxy = Peer.compiled("bus/zmq_proxy.cc", flags: ["-lzmq"], arguments: ["plain"])
  let encryptedProxy = Peer.compiled("bus/zmq_proxy.cc", flags: ["-lzmq"], arguments: ["curve"])
  let grpc = Peer.grpc("direct")
  let nginx = Peer.grpc("nginx")
  let encryptedNginx = Peer.grpc("nginx_tls")
  let nats = Peer.compiled("bus/nats_echo.cc", flags: ["-lnats"])
}

// grpc-gateway before a server of gRPC, both in Go and in one program: POST of JSON to the method's path.
//
// Argument: the port of HTTP. The gateway calls the server over a loopback connection, as it does in use.
package main

import (
	"context"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/grpc-ecosystem/grpc-gateway/runtime"
	"google.golang.org/grpc"

	interop "assent/interop/v1"
)

type server struct {
	*interop.UnimplementedInteropServiceServer
}

func (server) EchoMixed(_ context.Context, request *interop.EchoMixedRequest) (*interop.EchoMixedResponse, error) {
	return &interop.EchoMixedResponse{Message: request.Message}, nil
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	calls := grpc.NewServer()
	interop.RegisterInteropServiceServer(calls, server{&interop.UnimplementedInteropServiceServer{}})
	go calls.Serve(listener)
	mux := runtime.NewServeMux()
	options := []grpc.DialOption{grpc.WithInsecure()}
	address := listener.Addr().String()
	if err := interop.RegisterInteropServiceHandlerFromEndpoint(context.Background(), mux, address, options); err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], mux))
}

"""Serves InteropService until it is told to end: `interop_worker.py GATEWAY…`."""

import signal
import sys

from assent.bus import Contract, StatusCode, StatusError, Worker

from installation import WORKER_KEYS

SERVICE = "assent.interop.v1.InteropService"
LARGEST_PAYLOAD = 31 << 20


def message(name):
    return Contract.shared().message(f"assent.interop.v1.{name}")


class InteropHandlers:
    def EmptyCall(self, request, context):
        echo_metadata(context)
        return message("EmptyCallResponse")()

    def UnaryCall(self, request, context):
        echo_metadata(context)
        context.sleep(request.sleep_ms / 1000)
        refuse(request.response_status)
        answer = message("UnaryCallResponse")(payload=payload(request.response_size), instance="python")
        if request.fill_caller:
            answer.caller = f"{context.caller.tenant}/{context.caller.subject}"
        return answer

    def IdempotentUnaryCall(self, request, context):
        echo_metadata(context)
        context.sleep(request.sleep_ms / 1000)
        refuse(request.response_status)
        return message("IdempotentUnaryCallResponse")(payload=payload(request.response_size), instance="python")

    def StreamingOutputCall(self, request, context):
        echo_metadata(context)
        yield from answers(request, context)

    def StreamingInputCall(self, requests, context):
        echo_metadata(context)
        size = sum(len(request.payload.body) for request in requests)
        return message("StreamingInputCallResponse")(aggregated_payload_size=size)

    def FullDuplexCall(self, requests, context):
        echo_metadata(context)
        for request in requests:
            yield from answers(request, context)

    def HalfDuplexCall(self, requests, context):
        echo_metadata(context)
        for request in list(requests):
            yield from answers(request, context)

    def EchoMixed(self, request, context):
        return message("EchoMixedResponse")(message=request.message)


def answers(request, context):
    for parameters in request.response_parameters:
        context.sleep(parameters.interval_us / 1_000_000)
        yield message("StreamingOutputCallResponse")(payload=payload(parameters.size))
    refuse(request.response_status)


def payload(size):
    if size > LARGEST_PAYLOAD:
        raise StatusError(StatusCode.INVALID_ARGUMENT, f"response_size is {size}; at most {LARGEST_PAYLOAD} bytes are made")
    return message("Payload")(body=bytes(size))


def refuse(status):
    if status.code != 0:
        raise StatusError(status.code, status.message)


def echo_metadata(context):
    context.initial_metadata += [entry for entry in context.metadata if entry[0] == "assent-echo-initial"]
    context.trailing_metadata += [entry for entry in context.metadata if entry[0] == "assent-echo-trailing-bin"]


if __name__ == "__main__":
    # Blocked before the first thread starts, so that no thread receives it.
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGINT])
    worker = Worker(sys.argv[1:], {SERVICE: InteropHandlers()}, slots=8, keys=WORKER_KEYS)
    worker.wait_until_ready()
    print("ready", flush=True)
    signal.sigwait([signal.SIGTERM, signal.SIGINT])
    worker.stop()

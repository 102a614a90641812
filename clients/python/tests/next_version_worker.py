"""A worker of the next minor version: what this version of the contract does not know is in its HELLO and its answers.

next_version_worker.py --bus-folder FOLDER

It serves one method more, says that it was built with another contract, and fills a field that has a new number.
"""

from assent import ServiceWorker
from assent.bus.worker import Worker
from assent.interop.v1.interop_pb2 import Payload, UnaryCallResponse

NEW_METHOD = "CallOfTheNextVersion"
# Field 1000, a text.
NEW_FIELD = bytes([0xC2, 0x3E, 3]) + b"new"


class NextVersion(ServiceWorker):
    service = "assent.interop.v1.InteropService"
    slots = 2

    def UnaryCall(self, request, context):
        answer = UnaryCallResponse(payload=Payload(body=request.payload.body + b"+"), instance="next")
        answer.MergeFromString(NEW_FIELD)
        return answer

    def serve(self, gateways, *, keys=None, slots=None):
        return NextWorker(gateways, {self.service: self}, slots=slots or self.slots, keys=keys)


class NextWorker(Worker):
    def _open(self, session, opening):
        # It is served like the one that it resembles.
        opening.method = opening.method.replace(NEW_METHOD, "UnaryCall")
        super()._open(session, opening)

    def hello(self):
        opening = super().hello()
        opening.hello.version = "0.2.0"
        offer = opening.hello.services[0]
        offer.contract_hash = bytes(range(32))
        offer.methods.add().CopyFrom(offer.methods[0])
        offer.methods[-1].name = NEW_METHOD
        opening.hello.MergeFromString(NEW_FIELD)
        return opening


if __name__ == "__main__":
    NextVersion().main()

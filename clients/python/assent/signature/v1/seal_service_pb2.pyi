from assent import options_pb2 as _options_pb2
from assent.signature.v1 import paper_pb2 as _paper_pb2
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor

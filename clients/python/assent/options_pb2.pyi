from google.protobuf import descriptor_pb2 as _descriptor_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Optional as _Optional, Union as _Union

ALLOW_FIELD_NUMBER: _ClassVar[int]
DESCRIPTOR: _descriptor.FileDescriptor
DOWNLOAD_FIELD_NUMBER: _ClassVar[int]
ERRORS_FIELD_NUMBER: _ClassVar[int]
SECRET_FIELD_NUMBER: _ClassVar[int]
allow: _descriptor.FieldDescriptor
download: _descriptor.FieldDescriptor
errors: _descriptor.FieldDescriptor
secret: _descriptor.FieldDescriptor

class Download(_message.Message):
    __slots__ = ["content", "type", "types"]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    TYPES_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    content: str
    type: str
    types: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, content: _Optional[str] = ..., type: _Optional[str] = ..., types: _Optional[_Iterable[str]] = ...) -> None: ...

class MethodError(_message.Message):
    __slots__ = ["code", "detail", "when"]
    class Code(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    ABORTED: MethodError.Code
    ALREADY_EXISTS: MethodError.Code
    CANCELLED: MethodError.Code
    CODE_FIELD_NUMBER: _ClassVar[int]
    CODE_UNSPECIFIED: MethodError.Code
    DATA_LOSS: MethodError.Code
    DEADLINE_EXCEEDED: MethodError.Code
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    FAILED_PRECONDITION: MethodError.Code
    INTERNAL: MethodError.Code
    INVALID_ARGUMENT: MethodError.Code
    NOT_FOUND: MethodError.Code
    OUT_OF_RANGE: MethodError.Code
    PERMISSION_DENIED: MethodError.Code
    RESOURCE_EXHAUSTED: MethodError.Code
    UNAUTHENTICATED: MethodError.Code
    UNAVAILABLE: MethodError.Code
    UNIMPLEMENTED: MethodError.Code
    UNKNOWN: MethodError.Code
    WHEN_FIELD_NUMBER: _ClassVar[int]
    code: MethodError.Code
    detail: str
    when: str
    def __init__(self, code: _Optional[_Union[MethodError.Code, str]] = ..., when: _Optional[str] = ..., detail: _Optional[str] = ...) -> None: ...

class Permission(_message.Message):
    __slots__ = ["place", "relation", "role"]
    class Place(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    class Relation(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    class Role(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    ADMIN: Permission.Role
    ASSIGNED: Permission.Relation
    ASSISTING: Permission.Relation
    COORDINATOR: Permission.Role
    DEVICE: Permission.Role
    DEVICE_OF: Permission.Relation
    GUARDIAN: Permission.Role
    GUARDIAN_OF: Permission.Relation
    INSPECTOR: Permission.Role
    INVESTIGATOR: Permission.Role
    OPERATOR: Permission.Role
    PARTICIPANT: Permission.Role
    PLACE_FIELD_NUMBER: _ClassVar[int]
    PLACE_UNSPECIFIED: Permission.Place
    PUBLIC: Permission.Role
    PUBLISHER: Permission.Role
    RELATION_FIELD_NUMBER: _ClassVar[int]
    RELATION_UNSPECIFIED: Permission.Relation
    ROLE_FIELD_NUMBER: _ClassVar[int]
    ROLE_UNSPECIFIED: Permission.Role
    SELF: Permission.Relation
    SERVICE: Permission.Role
    SITE: Permission.Place
    STUDY: Permission.Place
    TENANT: Permission.Place
    WITNESS: Permission.Role
    place: Permission.Place
    relation: Permission.Relation
    role: _containers.RepeatedScalarFieldContainer[Permission.Role]
    def __init__(self, role: _Optional[_Iterable[_Union[Permission.Role, str]]] = ..., place: _Optional[_Union[Permission.Place, str]] = ..., relation: _Optional[_Union[Permission.Relation, str]] = ...) -> None: ...

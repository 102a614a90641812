from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

CLIENT_PROOF_NONE: ClientProof
CLIENT_PROOF_POST: ClientProof
CLIENT_PROOF_UNSPECIFIED: ClientProof
DESCRIPTOR: _descriptor.FileDescriptor

class IdentityClient(_message.Message):
    __slots__ = ["client_id", "proof", "scopes"]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    PROOF_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    proof: ClientProof
    scopes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, client_id: _Optional[str] = ..., proof: _Optional[_Union[ClientProof, str]] = ..., scopes: _Optional[_Iterable[str]] = ...) -> None: ...

class IdentityIssuer(_message.Message):
    __slots__ = ["audiences", "client", "creates_people", "issuer", "jwks", "jwks_url", "name_claim", "passcodes", "picture_claim", "roles", "roles_claim", "subject_claim", "subject_prefix", "subtitle_claim", "title"]
    AUDIENCES_FIELD_NUMBER: _ClassVar[int]
    CLIENT_FIELD_NUMBER: _ClassVar[int]
    CREATES_PEOPLE_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    JWKS_FIELD_NUMBER: _ClassVar[int]
    JWKS_URL_FIELD_NUMBER: _ClassVar[int]
    NAME_CLAIM_FIELD_NUMBER: _ClassVar[int]
    PASSCODES_FIELD_NUMBER: _ClassVar[int]
    PICTURE_CLAIM_FIELD_NUMBER: _ClassVar[int]
    ROLES_CLAIM_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_CLAIM_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_PREFIX_FIELD_NUMBER: _ClassVar[int]
    SUBTITLE_CLAIM_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    audiences: _containers.RepeatedScalarFieldContainer[str]
    client: IdentityClient
    creates_people: bool
    issuer: str
    jwks: str
    jwks_url: str
    name_claim: str
    passcodes: bool
    picture_claim: str
    roles: _containers.RepeatedCompositeFieldContainer[IdentityRole]
    roles_claim: str
    subject_claim: str
    subject_prefix: str
    subtitle_claim: str
    title: str
    def __init__(self, issuer: _Optional[str] = ..., audiences: _Optional[_Iterable[str]] = ..., jwks: _Optional[str] = ..., jwks_url: _Optional[str] = ..., subject_claim: _Optional[str] = ..., subject_prefix: _Optional[str] = ..., creates_people: bool = ..., roles_claim: _Optional[str] = ..., roles: _Optional[_Iterable[_Union[IdentityRole, _Mapping]]] = ..., title: _Optional[str] = ..., name_claim: _Optional[str] = ..., subtitle_claim: _Optional[str] = ..., picture_claim: _Optional[str] = ..., passcodes: bool = ..., client: _Optional[_Union[IdentityClient, _Mapping]] = ...) -> None: ...

class IdentityRole(_message.Message):
    __slots__ = ["role", "value"]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    role: str
    value: str
    def __init__(self, value: _Optional[str] = ..., role: _Optional[str] = ...) -> None: ...

class ClientProof(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

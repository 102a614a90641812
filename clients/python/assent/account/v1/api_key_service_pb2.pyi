from assent.account.v1 import api_key_pb2 as _api_key_pb2
from assent import options_pb2 as _options_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CreateApiKeyRequest(_message.Message):
    __slots__ = ["api_key"]
    API_KEY_FIELD_NUMBER: _ClassVar[int]
    api_key: _api_key_pb2.ApiKey
    def __init__(self, api_key: _Optional[_Union[_api_key_pb2.ApiKey, _Mapping]] = ...) -> None: ...

class CreateApiKeyResponse(_message.Message):
    __slots__ = ["api_key", "key"]
    API_KEY_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    api_key: _api_key_pb2.ApiKey
    key: str
    def __init__(self, api_key: _Optional[_Union[_api_key_pb2.ApiKey, _Mapping]] = ..., key: _Optional[str] = ...) -> None: ...

class ListApiKeysRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListApiKeysResponse(_message.Message):
    __slots__ = ["api_keys", "next_page_token"]
    API_KEYS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    api_keys: _containers.RepeatedCompositeFieldContainer[_api_key_pb2.ApiKey]
    next_page_token: str
    def __init__(self, api_keys: _Optional[_Iterable[_Union[_api_key_pb2.ApiKey, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ReportApiKeyUsesRequest(_message.Message):
    __slots__ = ["uses"]
    USES_FIELD_NUMBER: _ClassVar[int]
    uses: _containers.RepeatedCompositeFieldContainer[_api_key_pb2.ApiKeyUse]
    def __init__(self, uses: _Optional[_Iterable[_Union[_api_key_pb2.ApiKeyUse, _Mapping]]] = ...) -> None: ...

class ReportApiKeyUsesResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class RevokeApiKeyRequest(_message.Message):
    __slots__ = ["api_key_id"]
    API_KEY_ID_FIELD_NUMBER: _ClassVar[int]
    api_key_id: str
    def __init__(self, api_key_id: _Optional[str] = ...) -> None: ...

class RevokeApiKeyResponse(_message.Message):
    __slots__ = ["api_key"]
    API_KEY_FIELD_NUMBER: _ClassVar[int]
    api_key: _api_key_pb2.ApiKey
    def __init__(self, api_key: _Optional[_Union[_api_key_pb2.ApiKey, _Mapping]] = ...) -> None: ...

class RotateApiKeyRequest(_message.Message):
    __slots__ = ["api_key_id", "overlap"]
    API_KEY_ID_FIELD_NUMBER: _ClassVar[int]
    OVERLAP_FIELD_NUMBER: _ClassVar[int]
    api_key_id: str
    overlap: _duration_pb2.Duration
    def __init__(self, api_key_id: _Optional[str] = ..., overlap: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class RotateApiKeyResponse(_message.Message):
    __slots__ = ["api_key", "key"]
    API_KEY_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    api_key: _api_key_pb2.ApiKey
    key: str
    def __init__(self, api_key: _Optional[_Union[_api_key_pb2.ApiKey, _Mapping]] = ..., key: _Optional[str] = ...) -> None: ...

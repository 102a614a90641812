from assent import options_pb2 as _options_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AccountTenant(_message.Message):
    __slots__ = ["created_at", "disabled", "reason", "tenant_id", "title"]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    DISABLED_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    created_at: _timestamp_pb2.Timestamp
    disabled: bool
    reason: str
    tenant_id: str
    title: str
    def __init__(self, tenant_id: _Optional[str] = ..., title: _Optional[str] = ..., disabled: bool = ..., reason: _Optional[str] = ..., created_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class CreateTenantRequest(_message.Message):
    __slots__ = ["tenant_id", "title"]
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    title: str
    def __init__(self, tenant_id: _Optional[str] = ..., title: _Optional[str] = ...) -> None: ...

class CreateTenantResponse(_message.Message):
    __slots__ = ["tenant"]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    tenant: AccountTenant
    def __init__(self, tenant: _Optional[_Union[AccountTenant, _Mapping]] = ...) -> None: ...

class ListTenantsRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListTenantsResponse(_message.Message):
    __slots__ = ["next_page_token", "tenants"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TENANTS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    tenants: _containers.RepeatedCompositeFieldContainer[AccountTenant]
    def __init__(self, tenants: _Optional[_Iterable[_Union[AccountTenant, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class SetTenantDisabledRequest(_message.Message):
    __slots__ = ["disabled", "reason", "tenant_id"]
    DISABLED_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    disabled: bool
    reason: str
    tenant_id: str
    def __init__(self, tenant_id: _Optional[str] = ..., disabled: bool = ..., reason: _Optional[str] = ...) -> None: ...

class SetTenantDisabledResponse(_message.Message):
    __slots__ = ["tenant"]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    tenant: AccountTenant
    def __init__(self, tenant: _Optional[_Union[AccountTenant, _Mapping]] = ...) -> None: ...

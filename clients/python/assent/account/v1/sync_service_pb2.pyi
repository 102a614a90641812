from assent.account.v1 import sync_pb2 as _sync_pb2
from assent import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DevicePeople(_message.Message):
    __slots__ = ["person_ids"]
    PERSON_IDS_FIELD_NUMBER: _ClassVar[int]
    person_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, person_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class DiscardItemRequest(_message.Message):
    __slots__ = ["device_id", "item_id", "person_id", "reason"]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    ITEM_ID_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    device_id: str
    item_id: str
    person_id: str
    reason: str
    def __init__(self, device_id: _Optional[str] = ..., item_id: _Optional[str] = ..., person_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class DiscardItemResponse(_message.Message):
    __slots__ = ["outcome"]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    outcome: _sync_pb2.ItemOutcome
    def __init__(self, outcome: _Optional[_Union[_sync_pb2.ItemOutcome, _Mapping]] = ...) -> None: ...

class ListFailedItemsRequest(_message.Message):
    __slots__ = ["as_json", "locale", "page_size", "page_token"]
    AS_JSON_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    as_json: bool
    locale: str
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., locale: _Optional[str] = ..., as_json: bool = ...) -> None: ...

class ListFailedItemsResponse(_message.Message):
    __slots__ = ["items", "next_page_token"]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[_sync_pb2.ItemOutcome]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[_sync_pb2.ItemOutcome, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class PullChangesRequest(_message.Message):
    __slots__ = ["as_json", "client_schema", "cursor"]
    AS_JSON_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SCHEMA_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    as_json: bool
    client_schema: int
    cursor: str
    def __init__(self, cursor: _Optional[str] = ..., client_schema: _Optional[int] = ..., as_json: bool = ...) -> None: ...

class PullChangesResponse(_message.Message):
    __slots__ = ["changes", "cursor", "omitted", "progress", "resync", "revoked_verifiers"]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    OMITTED_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    RESYNC_FIELD_NUMBER: _ClassVar[int]
    REVOKED_VERIFIERS_FIELD_NUMBER: _ClassVar[int]
    changes: _containers.RepeatedCompositeFieldContainer[_sync_pb2.SyncChange]
    cursor: str
    omitted: _containers.RepeatedScalarFieldContainer[_sync_pb2.SyncChangeKind]
    progress: _sync_pb2.SyncProgress
    resync: bool
    revoked_verifiers: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, changes: _Optional[_Iterable[_Union[_sync_pb2.SyncChange, _Mapping]]] = ..., cursor: _Optional[str] = ..., resync: bool = ..., progress: _Optional[_Union[_sync_pb2.SyncProgress, _Mapping]] = ..., omitted: _Optional[_Iterable[_Union[_sync_pb2.SyncChangeKind, str]]] = ..., revoked_verifiers: _Optional[_Iterable[str]] = ...) -> None: ...

class PushQueueRequest(_message.Message):
    __slots__ = ["grants", "items", "offline_sign_ins"]
    GRANTS_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    OFFLINE_SIGN_INS_FIELD_NUMBER: _ClassVar[int]
    grants: _containers.RepeatedScalarFieldContainer[str]
    items: _containers.RepeatedCompositeFieldContainer[_sync_pb2.QueueItem]
    offline_sign_ins: _containers.RepeatedCompositeFieldContainer[_sync_pb2.OfflineSignIn]
    def __init__(self, items: _Optional[_Iterable[_Union[_sync_pb2.QueueItem, _Mapping]]] = ..., grants: _Optional[_Iterable[str]] = ..., offline_sign_ins: _Optional[_Iterable[_Union[_sync_pb2.OfflineSignIn, _Mapping]]] = ...) -> None: ...

class PushQueueResponse(_message.Message):
    __slots__ = ["blocked_by", "outcomes", "revoked_verifiers"]
    BLOCKED_BY_FIELD_NUMBER: _ClassVar[int]
    OUTCOMES_FIELD_NUMBER: _ClassVar[int]
    REVOKED_VERIFIERS_FIELD_NUMBER: _ClassVar[int]
    blocked_by: _containers.RepeatedCompositeFieldContainer[_sync_pb2.AffectedPerson]
    outcomes: _containers.RepeatedCompositeFieldContainer[_sync_pb2.ItemOutcome]
    revoked_verifiers: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, outcomes: _Optional[_Iterable[_Union[_sync_pb2.ItemOutcome, _Mapping]]] = ..., blocked_by: _Optional[_Iterable[_Union[_sync_pb2.AffectedPerson, _Mapping]]] = ..., revoked_verifiers: _Optional[_Iterable[str]] = ...) -> None: ...

class RetryItemRequest(_message.Message):
    __slots__ = ["device_id", "item_id"]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    ITEM_ID_FIELD_NUMBER: _ClassVar[int]
    device_id: str
    item_id: str
    def __init__(self, device_id: _Optional[str] = ..., item_id: _Optional[str] = ...) -> None: ...

class RetryItemResponse(_message.Message):
    __slots__ = ["outcome"]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    outcome: _sync_pb2.ItemOutcome
    def __init__(self, outcome: _Optional[_Union[_sync_pb2.ItemOutcome, _Mapping]] = ...) -> None: ...

class SyncRequest(_message.Message):
    __slots__ = ["pull", "push", "queue_length"]
    PULL_FIELD_NUMBER: _ClassVar[int]
    PUSH_FIELD_NUMBER: _ClassVar[int]
    QUEUE_LENGTH_FIELD_NUMBER: _ClassVar[int]
    pull: PullChangesRequest
    push: PushQueueRequest
    queue_length: int
    def __init__(self, push: _Optional[_Union[PushQueueRequest, _Mapping]] = ..., pull: _Optional[_Union[PullChangesRequest, _Mapping]] = ..., queue_length: _Optional[int] = ...) -> None: ...

class SyncResponse(_message.Message):
    __slots__ = ["progress", "pulled", "pushed"]
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    PULLED_FIELD_NUMBER: _ClassVar[int]
    PUSHED_FIELD_NUMBER: _ClassVar[int]
    progress: _sync_pb2.SyncProgress
    pulled: PullChangesResponse
    pushed: PushQueueResponse
    def __init__(self, pushed: _Optional[_Union[PushQueueResponse, _Mapping]] = ..., pulled: _Optional[_Union[PullChangesResponse, _Mapping]] = ..., progress: _Optional[_Union[_sync_pb2.SyncProgress, _Mapping]] = ...) -> None: ...

class WatchDeviceRequest(_message.Message):
    __slots__ = ["cursor"]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    cursor: str
    def __init__(self, cursor: _Optional[str] = ...) -> None: ...

class WatchDeviceResponse(_message.Message):
    __slots__ = ["changes", "people", "revoked_verifiers"]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    PEOPLE_FIELD_NUMBER: _ClassVar[int]
    REVOKED_VERIFIERS_FIELD_NUMBER: _ClassVar[int]
    changes: bool
    people: DevicePeople
    revoked_verifiers: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, changes: bool = ..., people: _Optional[_Union[DevicePeople, _Mapping]] = ..., revoked_verifiers: _Optional[_Iterable[str]] = ...) -> None: ...

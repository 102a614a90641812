from assent.account.v1 import person_pb2 as _person_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

BLOCKED_STEP_DECIDE: BlockedStep
BLOCKED_STEP_INVITE: BlockedStep
BLOCKED_STEP_SIGN_IN: BlockedStep
BLOCKED_STEP_UNLOCK: BlockedStep
BLOCKED_STEP_UNSPECIFIED: BlockedStep
DESCRIPTOR: _descriptor.FileDescriptor
ITEM_STATE_CONFLICT: ItemState
ITEM_STATE_DISCARDED: ItemState
ITEM_STATE_DONE: ItemState
ITEM_STATE_FAILED: ItemState
ITEM_STATE_REFUSED: ItemState
ITEM_STATE_UNSPECIFIED: ItemState
ITEM_STATE_WAITING: ItemState
SYNC_CHANGE_KIND_FIELD: SyncChangeKind
SYNC_CHANGE_KIND_ITEM: SyncChangeKind
SYNC_CHANGE_KIND_PROFILE: SyncChangeKind
SYNC_CHANGE_KIND_RECORD: SyncChangeKind
SYNC_CHANGE_KIND_ROLES: SyncChangeKind
SYNC_CHANGE_KIND_SESSION: SyncChangeKind
SYNC_CHANGE_KIND_TASK: SyncChangeKind
SYNC_CHANGE_KIND_UNSPECIFIED: SyncChangeKind
SYNC_PHASE_DONE: SyncPhase
SYNC_PHASE_DOWNLOADING: SyncPhase
SYNC_PHASE_UNSPECIFIED: SyncPhase
SYNC_PHASE_UPLOADING: SyncPhase

class AffectedPerson(_message.Message):
    __slots__ = ["name", "person", "rule", "step"]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PERSON_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    name: str
    person: _person_pb2.ListedPerson
    rule: str
    step: BlockedStep
    def __init__(self, person: _Optional[_Union[_person_pb2.ListedPerson, _Mapping]] = ..., rule: _Optional[str] = ..., step: _Optional[_Union[BlockedStep, str]] = ..., name: _Optional[str] = ...) -> None: ...

class ChangeBody(_message.Message):
    __slots__ = ["json", "type", "value"]
    JSON_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    json: str
    type: str
    value: bytes
    def __init__(self, type: _Optional[str] = ..., value: _Optional[bytes] = ..., json: _Optional[str] = ...) -> None: ...

class ItemName(_message.Message):
    __slots__ = ["item_id", "person_id"]
    ITEM_ID_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    item_id: str
    person_id: str
    def __init__(self, person_id: _Optional[str] = ..., item_id: _Optional[str] = ...) -> None: ...

class ItemOutcome(_message.Message):
    __slots__ = ["code", "description", "device_id", "item", "item_id", "message", "method", "person_id", "reason", "response", "response_json", "response_omitted", "retryable", "rule", "state", "title"]
    CODE_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    ITEM_FIELD_NUMBER: _ClassVar[int]
    ITEM_ID_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_JSON_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_OMITTED_FIELD_NUMBER: _ClassVar[int]
    RETRYABLE_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    code: int
    description: str
    device_id: str
    item: QueueItem
    item_id: str
    message: str
    method: str
    person_id: str
    reason: str
    response: bytes
    response_json: str
    response_omitted: bool
    retryable: bool
    rule: str
    state: ItemState
    title: str
    def __init__(self, item_id: _Optional[str] = ..., person_id: _Optional[str] = ..., device_id: _Optional[str] = ..., state: _Optional[_Union[ItemState, str]] = ..., code: _Optional[int] = ..., rule: _Optional[str] = ..., message: _Optional[str] = ..., response: _Optional[bytes] = ..., method: _Optional[str] = ..., retryable: bool = ..., response_omitted: bool = ..., reason: _Optional[str] = ..., item: _Optional[_Union[QueueItem, _Mapping]] = ..., title: _Optional[str] = ..., description: _Optional[str] = ..., response_json: _Optional[str] = ...) -> None: ...

class KeptItem(_message.Message):
    __slots__ = ["digest", "item", "outcome", "place"]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    ITEM_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    digest: bytes
    item: QueueItem
    outcome: ItemOutcome
    place: int
    def __init__(self, item: _Optional[_Union[QueueItem, _Mapping]] = ..., digest: _Optional[bytes] = ..., outcome: _Optional[_Union[ItemOutcome, _Mapping]] = ..., place: _Optional[int] = ...) -> None: ...

class OfflineSignIn(_message.Message):
    __slots__ = ["at", "failures", "person_id", "verifier_id"]
    AT_FIELD_NUMBER: _ClassVar[int]
    FAILURES_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    VERIFIER_ID_FIELD_NUMBER: _ClassVar[int]
    at: _timestamp_pb2.Timestamp
    failures: int
    person_id: str
    verifier_id: str
    def __init__(self, verifier_id: _Optional[str] = ..., person_id: _Optional[str] = ..., at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., failures: _Optional[int] = ...) -> None: ...

class QueueItem(_message.Message):
    __slots__ = ["after", "device_time", "item_id", "method", "person_id", "request", "request_json", "seen"]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    DEVICE_TIME_FIELD_NUMBER: _ClassVar[int]
    ITEM_ID_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    REQUEST_JSON_FIELD_NUMBER: _ClassVar[int]
    SEEN_FIELD_NUMBER: _ClassVar[int]
    after: ItemName
    device_time: _timestamp_pb2.Timestamp
    item_id: str
    method: str
    person_id: str
    request: bytes
    request_json: str
    seen: str
    def __init__(self, item_id: _Optional[str] = ..., person_id: _Optional[str] = ..., method: _Optional[str] = ..., request: _Optional[bytes] = ..., device_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., seen: _Optional[str] = ..., after: _Optional[_Union[ItemName, _Mapping]] = ..., request_json: _Optional[str] = ...) -> None: ...

class SyncChange(_message.Message):
    __slots__ = ["bodies", "id", "kind", "removed"]
    BODIES_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    bodies: _containers.RepeatedCompositeFieldContainer[ChangeBody]
    id: str
    kind: SyncChangeKind
    removed: bool
    def __init__(self, kind: _Optional[_Union[SyncChangeKind, str]] = ..., id: _Optional[str] = ..., removed: bool = ..., bodies: _Optional[_Iterable[_Union[ChangeBody, _Mapping]]] = ...) -> None: ...

class SyncProgress(_message.Message):
    __slots__ = ["completed", "fraction", "phase", "total"]
    COMPLETED_FIELD_NUMBER: _ClassVar[int]
    FRACTION_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    completed: int
    fraction: float
    phase: SyncPhase
    total: int
    def __init__(self, phase: _Optional[_Union[SyncPhase, str]] = ..., completed: _Optional[int] = ..., total: _Optional[int] = ..., fraction: _Optional[float] = ...) -> None: ...

class ItemState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class BlockedStep(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SyncChangeKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class SyncPhase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

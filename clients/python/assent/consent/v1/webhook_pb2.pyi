from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DELIVERY_STATE_BEHIND: DeliveryState
DELIVERY_STATE_PARKED: DeliveryState
DELIVERY_STATE_UNSPECIFIED: DeliveryState
DELIVERY_STATE_WAITING: DeliveryState
DESCRIPTOR: _descriptor.FileDescriptor

class Webhook(_message.Message):
    __slots__ = ["created_at", "created_by", "disabled", "kinds", "status", "study_id", "url", "webhook_id"]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    CREATED_BY_FIELD_NUMBER: _ClassVar[int]
    DISABLED_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    WEBHOOK_ID_FIELD_NUMBER: _ClassVar[int]
    created_at: _timestamp_pb2.Timestamp
    created_by: str
    disabled: bool
    kinds: _containers.RepeatedScalarFieldContainer[str]
    status: WebhookStatus
    study_id: str
    url: str
    webhook_id: str
    def __init__(self, webhook_id: _Optional[str] = ..., study_id: _Optional[str] = ..., url: _Optional[str] = ..., kinds: _Optional[_Iterable[str]] = ..., disabled: bool = ..., created_by: _Optional[str] = ..., created_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., status: _Optional[_Union[WebhookStatus, _Mapping]] = ...) -> None: ...

class WebhookDelivery(_message.Message):
    __slots__ = ["attempts", "failure", "kind", "message_id", "next_try_at", "parked_at", "sequence", "state", "subject_id"]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    NEXT_TRY_AT_FIELD_NUMBER: _ClassVar[int]
    PARKED_AT_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    attempts: int
    failure: str
    kind: str
    message_id: str
    next_try_at: _timestamp_pb2.Timestamp
    parked_at: _timestamp_pb2.Timestamp
    sequence: int
    state: DeliveryState
    subject_id: str
    def __init__(self, sequence: _Optional[int] = ..., message_id: _Optional[str] = ..., kind: _Optional[str] = ..., subject_id: _Optional[str] = ..., state: _Optional[_Union[DeliveryState, str]] = ..., attempts: _Optional[int] = ..., next_try_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., failure: _Optional[str] = ..., parked_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class WebhookStatus(_message.Message):
    __slots__ = ["delivered_at", "failing_since", "failure", "last_event", "next_try_at", "parked", "position", "waiting"]
    DELIVERED_AT_FIELD_NUMBER: _ClassVar[int]
    FAILING_SINCE_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    LAST_EVENT_FIELD_NUMBER: _ClassVar[int]
    NEXT_TRY_AT_FIELD_NUMBER: _ClassVar[int]
    PARKED_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    delivered_at: _timestamp_pb2.Timestamp
    failing_since: _timestamp_pb2.Timestamp
    failure: str
    last_event: int
    next_try_at: _timestamp_pb2.Timestamp
    parked: int
    position: int
    waiting: int
    def __init__(self, position: _Optional[int] = ..., last_event: _Optional[int] = ..., waiting: _Optional[int] = ..., parked: _Optional[int] = ..., delivered_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., failing_since: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., failure: _Optional[str] = ..., next_try_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class DeliveryState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

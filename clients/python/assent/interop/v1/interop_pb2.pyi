from assent import options_pb2 as _options_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
MIXED_KIND_FIRST: MixedKind
MIXED_KIND_LARGE: MixedKind
MIXED_KIND_NEGATIVE: MixedKind
MIXED_KIND_SECOND: MixedKind
MIXED_KIND_UNSPECIFIED: MixedKind

class EchoMixedRequest(_message.Message):
    __slots__ = ["message"]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    message: MixedMessage
    def __init__(self, message: _Optional[_Union[MixedMessage, _Mapping]] = ...) -> None: ...

class EchoMixedResponse(_message.Message):
    __slots__ = ["message"]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    message: MixedMessage
    def __init__(self, message: _Optional[_Union[MixedMessage, _Mapping]] = ...) -> None: ...

class EchoStatus(_message.Message):
    __slots__ = ["code", "message"]
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    code: int
    message: str
    def __init__(self, code: _Optional[int] = ..., message: _Optional[str] = ...) -> None: ...

class EmptyCallRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class EmptyCallResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class EveryField(_message.Message):
    __slots__ = ["blobs", "choice_data", "choice_flag", "choice_item", "choice_kind", "choice_number", "choice_text", "created_at", "data", "data_by_number", "double_value", "double_values", "far_away", "fixed32_value", "fixed32_values", "fixed64_value", "fixed64_values", "flag", "flags", "float_value", "float_values", "int32_value", "int32_values", "int64_value", "int64_values", "item", "item_by_text", "items", "kind", "kind_by_number", "kinds", "number_by_flag", "sfixed32_value", "sfixed32_values", "sfixed64_value", "sfixed64_values", "sint32_value", "sint32_values", "sint64_value", "sint64_values", "text", "text_by_text", "texts", "timeout", "uint32_value", "uint32_values", "uint64_value", "uint64_values", "unpacked_values"]
    class DataByNumberEntry(_message.Message):
        __slots__ = ["key", "value"]
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: int
        value: bytes
        def __init__(self, key: _Optional[int] = ..., value: _Optional[bytes] = ...) -> None: ...
    class ItemByTextEntry(_message.Message):
        __slots__ = ["key", "value"]
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: MixedMessage.Item
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[MixedMessage.Item, _Mapping]] = ...) -> None: ...
    class KindByNumberEntry(_message.Message):
        __slots__ = ["key", "value"]
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: int
        value: MixedKind
        def __init__(self, key: _Optional[int] = ..., value: _Optional[_Union[MixedKind, str]] = ...) -> None: ...
    class NumberByFlagEntry(_message.Message):
        __slots__ = ["key", "value"]
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: bool
        value: float
        def __init__(self, key: bool = ..., value: _Optional[float] = ...) -> None: ...
    class TextByTextEntry(_message.Message):
        __slots__ = ["key", "value"]
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    BLOBS_FIELD_NUMBER: _ClassVar[int]
    CHOICE_DATA_FIELD_NUMBER: _ClassVar[int]
    CHOICE_FLAG_FIELD_NUMBER: _ClassVar[int]
    CHOICE_ITEM_FIELD_NUMBER: _ClassVar[int]
    CHOICE_KIND_FIELD_NUMBER: _ClassVar[int]
    CHOICE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    CHOICE_TEXT_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    DATA_BY_NUMBER_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    DOUBLE_VALUES_FIELD_NUMBER: _ClassVar[int]
    DOUBLE_VALUE_FIELD_NUMBER: _ClassVar[int]
    FAR_AWAY_FIELD_NUMBER: _ClassVar[int]
    FIXED32_VALUES_FIELD_NUMBER: _ClassVar[int]
    FIXED32_VALUE_FIELD_NUMBER: _ClassVar[int]
    FIXED64_VALUES_FIELD_NUMBER: _ClassVar[int]
    FIXED64_VALUE_FIELD_NUMBER: _ClassVar[int]
    FLAGS_FIELD_NUMBER: _ClassVar[int]
    FLAG_FIELD_NUMBER: _ClassVar[int]
    FLOAT_VALUES_FIELD_NUMBER: _ClassVar[int]
    FLOAT_VALUE_FIELD_NUMBER: _ClassVar[int]
    INT32_VALUES_FIELD_NUMBER: _ClassVar[int]
    INT32_VALUE_FIELD_NUMBER: _ClassVar[int]
    INT64_VALUES_FIELD_NUMBER: _ClassVar[int]
    INT64_VALUE_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    ITEM_BY_TEXT_FIELD_NUMBER: _ClassVar[int]
    ITEM_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    KIND_BY_NUMBER_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    NUMBER_BY_FLAG_FIELD_NUMBER: _ClassVar[int]
    SFIXED32_VALUES_FIELD_NUMBER: _ClassVar[int]
    SFIXED32_VALUE_FIELD_NUMBER: _ClassVar[int]
    SFIXED64_VALUES_FIELD_NUMBER: _ClassVar[int]
    SFIXED64_VALUE_FIELD_NUMBER: _ClassVar[int]
    SINT32_VALUES_FIELD_NUMBER: _ClassVar[int]
    SINT32_VALUE_FIELD_NUMBER: _ClassVar[int]
    SINT64_VALUES_FIELD_NUMBER: _ClassVar[int]
    SINT64_VALUE_FIELD_NUMBER: _ClassVar[int]
    TEXTS_FIELD_NUMBER: _ClassVar[int]
    TEXT_BY_TEXT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    UINT32_VALUES_FIELD_NUMBER: _ClassVar[int]
    UINT32_VALUE_FIELD_NUMBER: _ClassVar[int]
    UINT64_VALUES_FIELD_NUMBER: _ClassVar[int]
    UINT64_VALUE_FIELD_NUMBER: _ClassVar[int]
    UNPACKED_VALUES_FIELD_NUMBER: _ClassVar[int]
    blobs: _containers.RepeatedScalarFieldContainer[bytes]
    choice_data: bytes
    choice_flag: bool
    choice_item: MixedMessage.Item
    choice_kind: MixedKind
    choice_number: int
    choice_text: str
    created_at: _timestamp_pb2.Timestamp
    data: bytes
    data_by_number: _containers.ScalarMap[int, bytes]
    double_value: float
    double_values: _containers.RepeatedScalarFieldContainer[float]
    far_away: int
    fixed32_value: int
    fixed32_values: _containers.RepeatedScalarFieldContainer[int]
    fixed64_value: int
    fixed64_values: _containers.RepeatedScalarFieldContainer[int]
    flag: bool
    flags: _containers.RepeatedScalarFieldContainer[bool]
    float_value: float
    float_values: _containers.RepeatedScalarFieldContainer[float]
    int32_value: int
    int32_values: _containers.RepeatedScalarFieldContainer[int]
    int64_value: int
    int64_values: _containers.RepeatedScalarFieldContainer[int]
    item: MixedMessage.Item
    item_by_text: _containers.MessageMap[str, MixedMessage.Item]
    items: _containers.RepeatedCompositeFieldContainer[MixedMessage.Item]
    kind: MixedKind
    kind_by_number: _containers.ScalarMap[int, MixedKind]
    kinds: _containers.RepeatedScalarFieldContainer[MixedKind]
    number_by_flag: _containers.ScalarMap[bool, float]
    sfixed32_value: int
    sfixed32_values: _containers.RepeatedScalarFieldContainer[int]
    sfixed64_value: int
    sfixed64_values: _containers.RepeatedScalarFieldContainer[int]
    sint32_value: int
    sint32_values: _containers.RepeatedScalarFieldContainer[int]
    sint64_value: int
    sint64_values: _containers.RepeatedScalarFieldContainer[int]
    text: str
    text_by_text: _containers.ScalarMap[str, str]
    texts: _containers.RepeatedScalarFieldContainer[str]
    timeout: _duration_pb2.Duration
    uint32_value: int
    uint32_values: _containers.RepeatedScalarFieldContainer[int]
    uint64_value: int
    uint64_values: _containers.RepeatedScalarFieldContainer[int]
    unpacked_values: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, text: _Optional[str] = ..., data: _Optional[bytes] = ..., flag: bool = ..., int32_value: _Optional[int] = ..., int64_value: _Optional[int] = ..., uint32_value: _Optional[int] = ..., uint64_value: _Optional[int] = ..., sint32_value: _Optional[int] = ..., sint64_value: _Optional[int] = ..., fixed32_value: _Optional[int] = ..., fixed64_value: _Optional[int] = ..., sfixed32_value: _Optional[int] = ..., sfixed64_value: _Optional[int] = ..., float_value: _Optional[float] = ..., double_value: _Optional[float] = ..., kind: _Optional[_Union[MixedKind, str]] = ..., item: _Optional[_Union[MixedMessage.Item, _Mapping]] = ..., created_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., timeout: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., texts: _Optional[_Iterable[str]] = ..., blobs: _Optional[_Iterable[bytes]] = ..., flags: _Optional[_Iterable[bool]] = ..., int32_values: _Optional[_Iterable[int]] = ..., int64_values: _Optional[_Iterable[int]] = ..., uint32_values: _Optional[_Iterable[int]] = ..., uint64_values: _Optional[_Iterable[int]] = ..., sint32_values: _Optional[_Iterable[int]] = ..., sint64_values: _Optional[_Iterable[int]] = ..., fixed32_values: _Optional[_Iterable[int]] = ..., fixed64_values: _Optional[_Iterable[int]] = ..., sfixed32_values: _Optional[_Iterable[int]] = ..., sfixed64_values: _Optional[_Iterable[int]] = ..., float_values: _Optional[_Iterable[float]] = ..., double_values: _Optional[_Iterable[float]] = ..., kinds: _Optional[_Iterable[_Union[MixedKind, str]]] = ..., items: _Optional[_Iterable[_Union[MixedMessage.Item, _Mapping]]] = ..., unpacked_values: _Optional[_Iterable[int]] = ..., text_by_text: _Optional[_Mapping[str, str]] = ..., item_by_text: _Optional[_Mapping[str, MixedMessage.Item]] = ..., data_by_number: _Optional[_Mapping[int, bytes]] = ..., kind_by_number: _Optional[_Mapping[int, MixedKind]] = ..., number_by_flag: _Optional[_Mapping[bool, float]] = ..., choice_text: _Optional[str] = ..., choice_data: _Optional[bytes] = ..., choice_number: _Optional[int] = ..., choice_flag: bool = ..., choice_kind: _Optional[_Union[MixedKind, str]] = ..., choice_item: _Optional[_Union[MixedMessage.Item, _Mapping]] = ..., far_away: _Optional[int] = ...) -> None: ...

class IdempotentUnaryCallRequest(_message.Message):
    __slots__ = ["payload", "response_size", "response_status", "sleep_ms"]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_SIZE_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_STATUS_FIELD_NUMBER: _ClassVar[int]
    SLEEP_MS_FIELD_NUMBER: _ClassVar[int]
    payload: Payload
    response_size: int
    response_status: EchoStatus
    sleep_ms: int
    def __init__(self, response_size: _Optional[int] = ..., payload: _Optional[_Union[Payload, _Mapping]] = ..., response_status: _Optional[_Union[EchoStatus, _Mapping]] = ..., sleep_ms: _Optional[int] = ...) -> None: ...

class IdempotentUnaryCallResponse(_message.Message):
    __slots__ = ["instance", "payload"]
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    instance: str
    payload: Payload
    def __init__(self, payload: _Optional[_Union[Payload, _Mapping]] = ..., instance: _Optional[str] = ...) -> None: ...

class MixedMessage(_message.Message):
    __slots__ = ["active", "cover", "created_at", "digest", "group", "id", "items", "kind", "marks", "notes", "offset", "pages", "person", "revision", "roles", "session", "share", "text", "title", "validity", "values"]
    class Item(_message.Message):
        __slots__ = ["count", "created_at", "enabled", "id", "kind", "position", "title"]
        COUNT_FIELD_NUMBER: _ClassVar[int]
        CREATED_AT_FIELD_NUMBER: _ClassVar[int]
        ENABLED_FIELD_NUMBER: _ClassVar[int]
        ID_FIELD_NUMBER: _ClassVar[int]
        KIND_FIELD_NUMBER: _ClassVar[int]
        POSITION_FIELD_NUMBER: _ClassVar[int]
        TITLE_FIELD_NUMBER: _ClassVar[int]
        count: int
        created_at: _timestamp_pb2.Timestamp
        enabled: bool
        id: str
        kind: MixedKind
        position: MixedMessage.Point
        title: str
        def __init__(self, id: _Optional[str] = ..., title: _Optional[str] = ..., count: _Optional[int] = ..., enabled: bool = ..., kind: _Optional[_Union[MixedKind, str]] = ..., position: _Optional[_Union[MixedMessage.Point, _Mapping]] = ..., created_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
    class NotesEntry(_message.Message):
        __slots__ = ["key", "value"]
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class Point(_message.Message):
        __slots__ = ["time_ms", "x", "y"]
        TIME_MS_FIELD_NUMBER: _ClassVar[int]
        X_FIELD_NUMBER: _ClassVar[int]
        Y_FIELD_NUMBER: _ClassVar[int]
        time_ms: int
        x: float
        y: float
        def __init__(self, x: _Optional[float] = ..., y: _Optional[float] = ..., time_ms: _Optional[int] = ...) -> None: ...
    ACTIVE_FIELD_NUMBER: _ClassVar[int]
    COVER_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    MARKS_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    PAGES_FIELD_NUMBER: _ClassVar[int]
    PERSON_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    SHARE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    VALIDITY_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    active: bool
    cover: MixedMessage.Item
    created_at: _timestamp_pb2.Timestamp
    digest: bytes
    group: int
    id: str
    items: _containers.RepeatedCompositeFieldContainer[MixedMessage.Item]
    kind: MixedKind
    marks: _containers.RepeatedScalarFieldContainer[int]
    notes: _containers.ScalarMap[str, str]
    offset: int
    pages: int
    person: str
    revision: int
    roles: _containers.RepeatedScalarFieldContainer[str]
    session: int
    share: float
    text: str
    title: str
    validity: _duration_pb2.Duration
    values: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, id: _Optional[str] = ..., title: _Optional[str] = ..., text: _Optional[str] = ..., digest: _Optional[bytes] = ..., kind: _Optional[_Union[MixedKind, str]] = ..., revision: _Optional[int] = ..., pages: _Optional[int] = ..., offset: _Optional[int] = ..., session: _Optional[int] = ..., share: _Optional[float] = ..., active: bool = ..., created_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., validity: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., roles: _Optional[_Iterable[str]] = ..., marks: _Optional[_Iterable[int]] = ..., values: _Optional[_Iterable[float]] = ..., items: _Optional[_Iterable[_Union[MixedMessage.Item, _Mapping]]] = ..., cover: _Optional[_Union[MixedMessage.Item, _Mapping]] = ..., notes: _Optional[_Mapping[str, str]] = ..., person: _Optional[str] = ..., group: _Optional[int] = ...) -> None: ...

class PackedFloats(_message.Message):
    __slots__ = ["values"]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    values: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, values: _Optional[_Iterable[float]] = ...) -> None: ...

class Payload(_message.Message):
    __slots__ = ["body"]
    BODY_FIELD_NUMBER: _ClassVar[int]
    body: bytes
    def __init__(self, body: _Optional[bytes] = ...) -> None: ...

class ResponseParameters(_message.Message):
    __slots__ = ["interval_us", "size"]
    INTERVAL_US_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    interval_us: int
    size: int
    def __init__(self, size: _Optional[int] = ..., interval_us: _Optional[int] = ...) -> None: ...

class StreamingInputCallRequest(_message.Message):
    __slots__ = ["payload"]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    payload: Payload
    def __init__(self, payload: _Optional[_Union[Payload, _Mapping]] = ...) -> None: ...

class StreamingInputCallResponse(_message.Message):
    __slots__ = ["aggregated_payload_size"]
    AGGREGATED_PAYLOAD_SIZE_FIELD_NUMBER: _ClassVar[int]
    aggregated_payload_size: int
    def __init__(self, aggregated_payload_size: _Optional[int] = ...) -> None: ...

class StreamingOutputCallRequest(_message.Message):
    __slots__ = ["payload", "response_parameters", "response_status"]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_STATUS_FIELD_NUMBER: _ClassVar[int]
    payload: Payload
    response_parameters: _containers.RepeatedCompositeFieldContainer[ResponseParameters]
    response_status: EchoStatus
    def __init__(self, response_parameters: _Optional[_Iterable[_Union[ResponseParameters, _Mapping]]] = ..., payload: _Optional[_Union[Payload, _Mapping]] = ..., response_status: _Optional[_Union[EchoStatus, _Mapping]] = ...) -> None: ...

class StreamingOutputCallResponse(_message.Message):
    __slots__ = ["payload"]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    payload: Payload
    def __init__(self, payload: _Optional[_Union[Payload, _Mapping]] = ...) -> None: ...

class UnaryCallRequest(_message.Message):
    __slots__ = ["fill_caller", "payload", "response_size", "response_status", "sleep_ms"]
    FILL_CALLER_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_SIZE_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_STATUS_FIELD_NUMBER: _ClassVar[int]
    SLEEP_MS_FIELD_NUMBER: _ClassVar[int]
    fill_caller: bool
    payload: Payload
    response_size: int
    response_status: EchoStatus
    sleep_ms: int
    def __init__(self, response_size: _Optional[int] = ..., payload: _Optional[_Union[Payload, _Mapping]] = ..., response_status: _Optional[_Union[EchoStatus, _Mapping]] = ..., sleep_ms: _Optional[int] = ..., fill_caller: bool = ...) -> None: ...

class UnaryCallResponse(_message.Message):
    __slots__ = ["caller", "instance", "payload"]
    CALLER_FIELD_NUMBER: _ClassVar[int]
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    caller: str
    instance: str
    payload: Payload
    def __init__(self, payload: _Optional[_Union[Payload, _Mapping]] = ..., caller: _Optional[str] = ..., instance: _Optional[str] = ...) -> None: ...

class UnimplementedCallRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class UnimplementedCallResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class MixedKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

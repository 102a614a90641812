from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
PROBLEM_SEVERITY_ERROR: ProblemSeverity
PROBLEM_SEVERITY_INFORMATION: ProblemSeverity
PROBLEM_SEVERITY_UNSPECIFIED: ProblemSeverity
PROBLEM_SEVERITY_WARNING: ProblemSeverity

class CalendarDate(_message.Message):
    __slots__ = ["day", "month", "year"]
    DAY_FIELD_NUMBER: _ClassVar[int]
    MONTH_FIELD_NUMBER: _ClassVar[int]
    YEAR_FIELD_NUMBER: _ClassVar[int]
    day: int
    month: int
    year: int
    def __init__(self, year: _Optional[int] = ..., month: _Optional[int] = ..., day: _Optional[int] = ...) -> None: ...

class LocalizedText(_message.Message):
    __slots__ = ["translations"]
    TRANSLATIONS_FIELD_NUMBER: _ClassVar[int]
    translations: _containers.RepeatedCompositeFieldContainer[Translation]
    def __init__(self, translations: _Optional[_Iterable[_Union[Translation, _Mapping]]] = ...) -> None: ...

class PersonName(_message.Message):
    __slots__ = ["family", "given", "mononym"]
    FAMILY_FIELD_NUMBER: _ClassVar[int]
    GIVEN_FIELD_NUMBER: _ClassVar[int]
    MONONYM_FIELD_NUMBER: _ClassVar[int]
    family: str
    given: str
    mononym: str
    def __init__(self, given: _Optional[str] = ..., family: _Optional[str] = ..., mononym: _Optional[str] = ...) -> None: ...

class Problem(_message.Message):
    __slots__ = ["field", "message", "rule", "severity"]
    FIELD_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    SEVERITY_FIELD_NUMBER: _ClassVar[int]
    field: str
    message: str
    rule: str
    severity: ProblemSeverity
    def __init__(self, severity: _Optional[_Union[ProblemSeverity, str]] = ..., field: _Optional[str] = ..., rule: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class SanitizerRemoval(_message.Message):
    __slots__ = ["field", "reason", "what"]
    FIELD_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    WHAT_FIELD_NUMBER: _ClassVar[int]
    field: str
    reason: str
    what: str
    def __init__(self, field: _Optional[str] = ..., what: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class Translation(_message.Message):
    __slots__ = ["locale", "text"]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    locale: str
    text: str
    def __init__(self, locale: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class ProblemSeverity(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

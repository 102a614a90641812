from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class InkCanvas(_message.Message):
    __slots__ = ["device_pixel_ratio", "height", "width"]
    DEVICE_PIXEL_RATIO_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    device_pixel_ratio: float
    height: float
    width: float
    def __init__(self, width: _Optional[float] = ..., height: _Optional[float] = ..., device_pixel_ratio: _Optional[float] = ...) -> None: ...

class InkDrawing(_message.Message):
    __slots__ = ["canvas", "device", "inscription", "strokes"]
    CANVAS_FIELD_NUMBER: _ClassVar[int]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    INSCRIPTION_FIELD_NUMBER: _ClassVar[int]
    STROKES_FIELD_NUMBER: _ClassVar[int]
    canvas: InkCanvas
    device: str
    inscription: InkInscription
    strokes: _containers.RepeatedCompositeFieldContainer[InkStroke]
    def __init__(self, strokes: _Optional[_Iterable[_Union[InkStroke, _Mapping]]] = ..., canvas: _Optional[_Union[InkCanvas, _Mapping]] = ..., device: _Optional[str] = ..., inscription: _Optional[_Union[InkInscription, _Mapping]] = ...) -> None: ...

class InkInscription(_message.Message):
    __slots__ = ["date", "name", "reason"]
    DATE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    date: str
    name: str
    reason: str
    def __init__(self, name: _Optional[str] = ..., date: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class InkPen(_message.Message):
    __slots__ = ["color", "dot_radius", "erases", "filtered", "maximum_radius", "minimum_radius", "velocity_filter_weight"]
    COLOR_FIELD_NUMBER: _ClassVar[int]
    DOT_RADIUS_FIELD_NUMBER: _ClassVar[int]
    ERASES_FIELD_NUMBER: _ClassVar[int]
    FILTERED_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_RADIUS_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_RADIUS_FIELD_NUMBER: _ClassVar[int]
    VELOCITY_FILTER_WEIGHT_FIELD_NUMBER: _ClassVar[int]
    color: str
    dot_radius: float
    erases: bool
    filtered: bool
    maximum_radius: float
    minimum_radius: float
    velocity_filter_weight: float
    def __init__(self, color: _Optional[str] = ..., minimum_radius: _Optional[float] = ..., maximum_radius: _Optional[float] = ..., dot_radius: _Optional[float] = ..., velocity_filter_weight: _Optional[float] = ..., filtered: bool = ..., erases: bool = ...) -> None: ...

class InkStroke(_message.Message):
    __slots__ = ["altitude", "azimuth", "pen", "pressure", "time_ms", "x", "y"]
    ALTITUDE_FIELD_NUMBER: _ClassVar[int]
    AZIMUTH_FIELD_NUMBER: _ClassVar[int]
    PEN_FIELD_NUMBER: _ClassVar[int]
    PRESSURE_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    altitude: _containers.RepeatedScalarFieldContainer[float]
    azimuth: _containers.RepeatedScalarFieldContainer[float]
    pen: InkPen
    pressure: _containers.RepeatedScalarFieldContainer[float]
    time_ms: _containers.RepeatedScalarFieldContainer[float]
    x: _containers.RepeatedScalarFieldContainer[float]
    y: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, x: _Optional[_Iterable[float]] = ..., y: _Optional[_Iterable[float]] = ..., time_ms: _Optional[_Iterable[float]] = ..., pressure: _Optional[_Iterable[float]] = ..., altitude: _Optional[_Iterable[float]] = ..., azimuth: _Optional[_Iterable[float]] = ..., pen: _Optional[_Union[InkPen, _Mapping]] = ...) -> None: ...

class TypedName(_message.Message):
    __slots__ = ["font", "inscription", "text"]
    FONT_FIELD_NUMBER: _ClassVar[int]
    INSCRIPTION_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    font: str
    inscription: InkInscription
    text: str
    def __init__(self, text: _Optional[str] = ..., font: _Optional[str] = ..., inscription: _Optional[_Union[InkInscription, _Mapping]] = ...) -> None: ...

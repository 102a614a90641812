from assent.account.v1 import device_pb2 as _device_pb2
from assent import options_pb2 as _options_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AuthenticateDeviceRequest(_message.Message):
    __slots__ = ["device_id", "secret", "signed", "tenant"]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    SIGNED_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    device_id: str
    secret: str
    signed: DeviceSignature
    tenant: str
    def __init__(self, device_id: _Optional[str] = ..., secret: _Optional[str] = ..., signed: _Optional[_Union[DeviceSignature, _Mapping]] = ..., tenant: _Optional[str] = ...) -> None: ...

class AuthenticateDeviceResponse(_message.Message):
    __slots__ = ["access_token", "expires_at"]
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    access_token: str
    expires_at: _timestamp_pb2.Timestamp
    def __init__(self, access_token: _Optional[str] = ..., expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class CreateDeviceCodeRequest(_message.Message):
    __slots__ = ["device", "minutes"]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    MINUTES_FIELD_NUMBER: _ClassVar[int]
    device: _device_pb2.AccountDevice
    minutes: int
    def __init__(self, device: _Optional[_Union[_device_pb2.AccountDevice, _Mapping]] = ..., minutes: _Optional[int] = ...) -> None: ...

class CreateDeviceCodeResponse(_message.Message):
    __slots__ = ["code", "device", "expires_at", "link"]
    CODE_FIELD_NUMBER: _ClassVar[int]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AT_FIELD_NUMBER: _ClassVar[int]
    LINK_FIELD_NUMBER: _ClassVar[int]
    code: str
    device: _device_pb2.AccountDevice
    expires_at: _timestamp_pb2.Timestamp
    link: str
    def __init__(self, device: _Optional[_Union[_device_pb2.AccountDevice, _Mapping]] = ..., code: _Optional[str] = ..., link: _Optional[str] = ..., expires_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class DeviceClock(_message.Message):
    __slots__ = ["last_proof", "server_time"]
    LAST_PROOF_FIELD_NUMBER: _ClassVar[int]
    SERVER_TIME_FIELD_NUMBER: _ClassVar[int]
    last_proof: _timestamp_pb2.Timestamp
    server_time: _timestamp_pb2.Timestamp
    def __init__(self, server_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., last_proof: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class DeviceSignature(_message.Message):
    __slots__ = ["at", "signature"]
    AT_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    at: _timestamp_pb2.Timestamp
    signature: bytes
    def __init__(self, at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., signature: _Optional[bytes] = ...) -> None: ...

class GetApplicationRequest(_message.Message):
    __slots__ = ["locale"]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    locale: str
    def __init__(self, locale: _Optional[str] = ...) -> None: ...

class GetApplicationResponse(_message.Message):
    __slots__ = ["logo", "logo_media_type", "self_registration", "single_user", "title"]
    LOGO_FIELD_NUMBER: _ClassVar[int]
    LOGO_MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    SELF_REGISTRATION_FIELD_NUMBER: _ClassVar[int]
    SINGLE_USER_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    logo: bytes
    logo_media_type: str
    self_registration: bool
    single_user: bool
    title: str
    def __init__(self, title: _Optional[str] = ..., logo: _Optional[bytes] = ..., logo_media_type: _Optional[str] = ..., self_registration: bool = ..., single_user: bool = ...) -> None: ...

class RegisterBrowserRequest(_message.Message):
    __slots__ = ["code", "public_key"]
    CODE_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    code: str
    public_key: bytes
    def __init__(self, code: _Optional[str] = ..., public_key: _Optional[bytes] = ...) -> None: ...

class RegisterBrowserResponse(_message.Message):
    __slots__ = ["device", "tenant"]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    device: _device_pb2.AccountDevice
    tenant: str
    def __init__(self, tenant: _Optional[str] = ..., device: _Optional[_Union[_device_pb2.AccountDevice, _Mapping]] = ...) -> None: ...

class RegisterDeviceRequest(_message.Message):
    __slots__ = ["device"]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    device: _device_pb2.AccountDevice
    def __init__(self, device: _Optional[_Union[_device_pb2.AccountDevice, _Mapping]] = ...) -> None: ...

class RegisterDeviceResponse(_message.Message):
    __slots__ = ["device", "secret"]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    device: _device_pb2.AccountDevice
    secret: str
    def __init__(self, device: _Optional[_Union[_device_pb2.AccountDevice, _Mapping]] = ..., secret: _Optional[str] = ...) -> None: ...

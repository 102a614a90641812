from assent.account.v1 import sign_in_pb2 as _sign_in_pb2
from assent import options_pb2 as _options_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ChangePasscodeRequest(_message.Message):
    __slots__ = ["new_passcode", "passcode", "person_id"]
    NEW_PASSCODE_FIELD_NUMBER: _ClassVar[int]
    PASSCODE_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    new_passcode: str
    passcode: str
    person_id: str
    def __init__(self, person_id: _Optional[str] = ..., passcode: _Optional[str] = ..., new_passcode: _Optional[str] = ...) -> None: ...

class ChangePasscodeResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class EndSessionsRequest(_message.Message):
    __slots__ = ["session_id"]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    def __init__(self, session_id: _Optional[str] = ...) -> None: ...

class EndSessionsResponse(_message.Message):
    __slots__ = ["ended"]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    ended: int
    def __init__(self, ended: _Optional[int] = ...) -> None: ...

class FinishIdentitySignInRequest(_message.Message):
    __slots__ = ["attempt", "code", "issuer", "state"]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    attempt: str
    code: str
    issuer: str
    state: str
    def __init__(self, attempt: _Optional[str] = ..., state: _Optional[str] = ..., code: _Optional[str] = ..., issuer: _Optional[str] = ...) -> None: ...

class FinishIdentitySignInResponse(_message.Message):
    __slots__ = ["auto_lock", "may_set_passcode", "session", "tokens", "upload_grant"]
    AUTO_LOCK_FIELD_NUMBER: _ClassVar[int]
    MAY_SET_PASSCODE_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    UPLOAD_GRANT_FIELD_NUMBER: _ClassVar[int]
    auto_lock: _duration_pb2.Duration
    may_set_passcode: bool
    session: _sign_in_pb2.SignInSession
    tokens: _sign_in_pb2.AccountTokens
    upload_grant: str
    def __init__(self, session: _Optional[_Union[_sign_in_pb2.SignInSession, _Mapping]] = ..., tokens: _Optional[_Union[_sign_in_pb2.AccountTokens, _Mapping]] = ..., upload_grant: _Optional[str] = ..., auto_lock: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., may_set_passcode: bool = ...) -> None: ...

class GetTokenKeysRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class GetTokenKeysResponse(_message.Message):
    __slots__ = ["jwks", "verifier_key"]
    JWKS_FIELD_NUMBER: _ClassVar[int]
    VERIFIER_KEY_FIELD_NUMBER: _ClassVar[int]
    jwks: str
    verifier_key: bytes
    def __init__(self, jwks: _Optional[str] = ..., verifier_key: _Optional[bytes] = ...) -> None: ...

class ListSessionsRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class ListSessionsResponse(_message.Message):
    __slots__ = ["sessions"]
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    sessions: _containers.RepeatedCompositeFieldContainer[_sign_in_pb2.SignInSession]
    def __init__(self, sessions: _Optional[_Iterable[_Union[_sign_in_pb2.SignInSession, _Mapping]]] = ...) -> None: ...

class ReauthenticateRequest(_message.Message):
    __slots__ = ["challenge", "passcode"]
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    PASSCODE_FIELD_NUMBER: _ClassVar[int]
    challenge: bytes
    passcode: str
    def __init__(self, passcode: _Optional[str] = ..., challenge: _Optional[bytes] = ...) -> None: ...

class ReauthenticateResponse(_message.Message):
    __slots__ = ["assertion", "signature"]
    ASSERTION_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    assertion: bytes
    signature: bytes
    def __init__(self, assertion: _Optional[bytes] = ..., signature: _Optional[bytes] = ...) -> None: ...

class RecoverPasscodeRequest(_message.Message):
    __slots__ = ["new_passcode", "person_id", "recovery_code"]
    NEW_PASSCODE_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    RECOVERY_CODE_FIELD_NUMBER: _ClassVar[int]
    new_passcode: str
    person_id: str
    recovery_code: str
    def __init__(self, person_id: _Optional[str] = ..., recovery_code: _Optional[str] = ..., new_passcode: _Optional[str] = ...) -> None: ...

class RecoverPasscodeResponse(_message.Message):
    __slots__ = ["recovery_code"]
    RECOVERY_CODE_FIELD_NUMBER: _ClassVar[int]
    recovery_code: str
    def __init__(self, recovery_code: _Optional[str] = ...) -> None: ...

class RefreshTokensRequest(_message.Message):
    __slots__ = ["refresh_token"]
    REFRESH_TOKEN_FIELD_NUMBER: _ClassVar[int]
    refresh_token: str
    def __init__(self, refresh_token: _Optional[str] = ...) -> None: ...

class RefreshTokensResponse(_message.Message):
    __slots__ = ["tokens"]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    tokens: _sign_in_pb2.AccountTokens
    def __init__(self, tokens: _Optional[_Union[_sign_in_pb2.AccountTokens, _Mapping]] = ...) -> None: ...

class SignInDelay(_message.Message):
    __slots__ = ["delay"]
    DELAY_FIELD_NUMBER: _ClassVar[int]
    delay: _duration_pb2.Duration
    def __init__(self, delay: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class SignInRequest(_message.Message):
    __slots__ = ["passcode", "person_id"]
    PASSCODE_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    passcode: str
    person_id: str
    def __init__(self, person_id: _Optional[str] = ..., passcode: _Optional[str] = ...) -> None: ...

class SignInResponse(_message.Message):
    __slots__ = ["auto_lock", "offline", "session", "tokens", "upload_grant"]
    AUTO_LOCK_FIELD_NUMBER: _ClassVar[int]
    OFFLINE_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    UPLOAD_GRANT_FIELD_NUMBER: _ClassVar[int]
    auto_lock: _duration_pb2.Duration
    offline: _sign_in_pb2.OfflineVerifier
    session: _sign_in_pb2.SignInSession
    tokens: _sign_in_pb2.AccountTokens
    upload_grant: str
    def __init__(self, session: _Optional[_Union[_sign_in_pb2.SignInSession, _Mapping]] = ..., tokens: _Optional[_Union[_sign_in_pb2.AccountTokens, _Mapping]] = ..., upload_grant: _Optional[str] = ..., offline: _Optional[_Union[_sign_in_pb2.OfflineVerifier, _Mapping]] = ..., auto_lock: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class SignInWithIdentityRequest(_message.Message):
    __slots__ = ["id_token", "nonce"]
    ID_TOKEN_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    id_token: str
    nonce: str
    def __init__(self, id_token: _Optional[str] = ..., nonce: _Optional[str] = ...) -> None: ...

class SignInWithIdentityResponse(_message.Message):
    __slots__ = ["auto_lock", "may_set_passcode", "session", "tokens", "upload_grant"]
    AUTO_LOCK_FIELD_NUMBER: _ClassVar[int]
    MAY_SET_PASSCODE_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    UPLOAD_GRANT_FIELD_NUMBER: _ClassVar[int]
    auto_lock: _duration_pb2.Duration
    may_set_passcode: bool
    session: _sign_in_pb2.SignInSession
    tokens: _sign_in_pb2.AccountTokens
    upload_grant: str
    def __init__(self, session: _Optional[_Union[_sign_in_pb2.SignInSession, _Mapping]] = ..., tokens: _Optional[_Union[_sign_in_pb2.AccountTokens, _Mapping]] = ..., upload_grant: _Optional[str] = ..., auto_lock: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., may_set_passcode: bool = ...) -> None: ...

class StartIdentitySignInRequest(_message.Message):
    __slots__ = ["issuer", "page"]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    PAGE_FIELD_NUMBER: _ClassVar[int]
    issuer: str
    page: str
    def __init__(self, issuer: _Optional[str] = ..., page: _Optional[str] = ...) -> None: ...

class StartIdentitySignInResponse(_message.Message):
    __slots__ = ["address", "attempt", "state"]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    address: str
    attempt: str
    state: str
    def __init__(self, address: _Optional[str] = ..., state: _Optional[str] = ..., attempt: _Optional[str] = ...) -> None: ...

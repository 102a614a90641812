from assent.account.v1 import person_pb2 as _person_pb2
from assent.account.v1 import sync_pb2 as _sync_pb2
from assent import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

ACCOUNT_ACTION_ADD: AccountAction
ACCOUNT_ACTION_BACK: AccountAction
ACCOUNT_ACTION_CANCEL: AccountAction
ACCOUNT_ACTION_DECIDE: AccountAction
ACCOUNT_ACTION_DISCARD_ITEM: AccountAction
ACCOUNT_ACTION_DONE: AccountAction
ACCOUNT_ACTION_ENTER_CODE: AccountAction
ACCOUNT_ACTION_FORGOT_PASSCODE: AccountAction
ACCOUNT_ACTION_MORE: AccountAction
ACCOUNT_ACTION_NEXT: AccountAction
ACCOUNT_ACTION_RETRY_ITEM: AccountAction
ACCOUNT_ACTION_RETURN_TO_SIGN_IN: AccountAction
ACCOUNT_ACTION_SAVE: AccountAction
ACCOUNT_ACTION_SEARCH: AccountAction
ACCOUNT_ACTION_SELECT: AccountAction
ACCOUNT_ACTION_SIGN_IN: AccountAction
ACCOUNT_ACTION_SIGN_IN_WITH_IDENTITY: AccountAction
ACCOUNT_ACTION_SWITCH: AccountAction
ACCOUNT_ACTION_TAKE_MINE: AccountAction
ACCOUNT_ACTION_TAKE_THEIRS: AccountAction
ACCOUNT_ACTION_TRY_AGAIN: AccountAction
ACCOUNT_ACTION_UNSPECIFIED: AccountAction
ACCOUNT_VIEW_KIND_CHANGE_PASSCODE: AccountViewKind
ACCOUNT_VIEW_KIND_CONFIRM_PASSCODE: AccountViewKind
ACCOUNT_VIEW_KIND_CONNECTION_ERROR: AccountViewKind
ACCOUNT_VIEW_KIND_ENTER_CODE: AccountViewKind
ACCOUNT_VIEW_KIND_FAILED_ITEMS: AccountViewKind
ACCOUNT_VIEW_KIND_FORGOT_PASSCODE: AccountViewKind
ACCOUNT_VIEW_KIND_LINK_CODE: AccountViewKind
ACCOUNT_VIEW_KIND_LOCKED: AccountViewKind
ACCOUNT_VIEW_KIND_ONBOARDING: AccountViewKind
ACCOUNT_VIEW_KIND_RECOVERY_CODE: AccountViewKind
ACCOUNT_VIEW_KIND_SET_PASSCODE: AccountViewKind
ACCOUNT_VIEW_KIND_SIGN_IN: AccountViewKind
ACCOUNT_VIEW_KIND_SWITCH: AccountViewKind
ACCOUNT_VIEW_KIND_SYNC: AccountViewKind
ACCOUNT_VIEW_KIND_SYNC_DONE: AccountViewKind
ACCOUNT_VIEW_KIND_UNSPECIFIED: AccountViewKind
ACCOUNT_VIEW_KIND_USER_ERROR: AccountViewKind
DESCRIPTOR: _descriptor.FileDescriptor

class AccountButton(_message.Message):
    __slots__ = ["action", "issuer", "link", "needs_fields", "on_pages", "title"]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    LINK_FIELD_NUMBER: _ClassVar[int]
    NEEDS_FIELDS_FIELD_NUMBER: _ClassVar[int]
    ON_PAGES_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    action: AccountAction
    issuer: str
    link: bool
    needs_fields: _containers.RepeatedScalarFieldContainer[str]
    on_pages: bool
    title: str
    def __init__(self, action: _Optional[_Union[AccountAction, str]] = ..., title: _Optional[str] = ..., needs_fields: _Optional[_Iterable[str]] = ..., link: bool = ..., issuer: _Optional[str] = ..., on_pages: bool = ...) -> None: ...

class AccountField(_message.Message):
    __slots__ = ["digits", "id", "label", "secure"]
    DIGITS_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    SECURE_FIELD_NUMBER: _ClassVar[int]
    digits: bool
    id: str
    label: str
    secure: bool
    def __init__(self, id: _Optional[str] = ..., label: _Optional[str] = ..., secure: bool = ..., digits: bool = ...) -> None: ...

class AccountItem(_message.Message):
    __slots__ = ["buttons", "outcome"]
    BUTTONS_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    buttons: _containers.RepeatedCompositeFieldContainer[AccountButton]
    outcome: _sync_pb2.ItemOutcome
    def __init__(self, outcome: _Optional[_Union[_sync_pb2.ItemOutcome, _Mapping]] = ..., buttons: _Optional[_Iterable[_Union[AccountButton, _Mapping]]] = ...) -> None: ...

class AccountRule(_message.Message):
    __slots__ = ["pattern", "rule", "text"]
    PATTERN_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    pattern: str
    rule: str
    text: str
    def __init__(self, rule: _Optional[str] = ..., text: _Optional[str] = ..., pattern: _Optional[str] = ...) -> None: ...

class AccountView(_message.Message):
    __slots__ = ["application_logo", "application_logo_media_type", "application_title", "bar_title", "buttons", "code", "current_heading", "description", "empty_text", "fields", "items", "kind", "leading", "locale", "next_page_token", "people", "people_heading", "person", "person_description", "problem", "progress", "right_to_left", "rules", "title", "trailing"]
    APPLICATION_LOGO_FIELD_NUMBER: _ClassVar[int]
    APPLICATION_LOGO_MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    APPLICATION_TITLE_FIELD_NUMBER: _ClassVar[int]
    BAR_TITLE_FIELD_NUMBER: _ClassVar[int]
    BUTTONS_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    CURRENT_HEADING_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    EMPTY_TEXT_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    LEADING_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    PEOPLE_FIELD_NUMBER: _ClassVar[int]
    PEOPLE_HEADING_FIELD_NUMBER: _ClassVar[int]
    PERSON_DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    PERSON_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    RIGHT_TO_LEFT_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    TRAILING_FIELD_NUMBER: _ClassVar[int]
    application_logo: bytes
    application_logo_media_type: str
    application_title: str
    bar_title: str
    buttons: _containers.RepeatedCompositeFieldContainer[AccountButton]
    code: str
    current_heading: str
    description: str
    empty_text: str
    fields: _containers.RepeatedCompositeFieldContainer[AccountField]
    items: _containers.RepeatedCompositeFieldContainer[AccountItem]
    kind: AccountViewKind
    leading: AccountButton
    locale: str
    next_page_token: str
    people: _containers.RepeatedCompositeFieldContainer[_person_pb2.ListedPerson]
    people_heading: str
    person: _person_pb2.ListedPerson
    person_description: str
    problem: str
    progress: _sync_pb2.SyncProgress
    right_to_left: bool
    rules: _containers.RepeatedCompositeFieldContainer[AccountRule]
    title: str
    trailing: _containers.RepeatedCompositeFieldContainer[AccountButton]
    def __init__(self, kind: _Optional[_Union[AccountViewKind, str]] = ..., locale: _Optional[str] = ..., right_to_left: bool = ..., leading: _Optional[_Union[AccountButton, _Mapping]] = ..., bar_title: _Optional[str] = ..., trailing: _Optional[_Iterable[_Union[AccountButton, _Mapping]]] = ..., application_title: _Optional[str] = ..., person: _Optional[_Union[_person_pb2.ListedPerson, _Mapping]] = ..., title: _Optional[str] = ..., description: _Optional[str] = ..., code: _Optional[str] = ..., fields: _Optional[_Iterable[_Union[AccountField, _Mapping]]] = ..., buttons: _Optional[_Iterable[_Union[AccountButton, _Mapping]]] = ..., current_heading: _Optional[str] = ..., people_heading: _Optional[str] = ..., people: _Optional[_Iterable[_Union[_person_pb2.ListedPerson, _Mapping]]] = ..., empty_text: _Optional[str] = ..., progress: _Optional[_Union[_sync_pb2.SyncProgress, _Mapping]] = ..., application_logo: _Optional[bytes] = ..., application_logo_media_type: _Optional[str] = ..., person_description: _Optional[str] = ..., items: _Optional[_Iterable[_Union[AccountItem, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., rules: _Optional[_Iterable[_Union[AccountRule, _Mapping]]] = ..., problem: _Optional[str] = ...) -> None: ...

class GetAccountViewRequest(_message.Message):
    __slots__ = ["blocked", "differed", "kind", "link_code", "locale", "page_token", "person_id", "progress", "query", "recovery_code", "refused_by", "wait_seconds"]
    BLOCKED_FIELD_NUMBER: _ClassVar[int]
    DIFFERED_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    LINK_CODE_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    RECOVERY_CODE_FIELD_NUMBER: _ClassVar[int]
    REFUSED_BY_FIELD_NUMBER: _ClassVar[int]
    WAIT_SECONDS_FIELD_NUMBER: _ClassVar[int]
    blocked: _sync_pb2.AffectedPerson
    differed: bool
    kind: AccountViewKind
    link_code: str
    locale: str
    page_token: str
    person_id: str
    progress: _sync_pb2.SyncProgress
    query: str
    recovery_code: str
    refused_by: str
    wait_seconds: int
    def __init__(self, kind: _Optional[_Union[AccountViewKind, str]] = ..., locale: _Optional[str] = ..., person_id: _Optional[str] = ..., query: _Optional[str] = ..., recovery_code: _Optional[str] = ..., progress: _Optional[_Union[_sync_pb2.SyncProgress, _Mapping]] = ..., blocked: _Optional[_Union[_sync_pb2.AffectedPerson, _Mapping]] = ..., wait_seconds: _Optional[int] = ..., differed: bool = ..., link_code: _Optional[str] = ..., page_token: _Optional[str] = ..., refused_by: _Optional[str] = ...) -> None: ...

class GetAccountViewResponse(_message.Message):
    __slots__ = ["view"]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    view: AccountView
    def __init__(self, view: _Optional[_Union[AccountView, _Mapping]] = ...) -> None: ...

class GetOfflineViewsRequest(_message.Message):
    __slots__ = ["locale"]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    locale: str
    def __init__(self, locale: _Optional[str] = ...) -> None: ...

class GetOfflineViewsResponse(_message.Message):
    __slots__ = ["connection_error", "decision_needed", "downloading", "invitation_needed", "locked", "own_decision_needed", "own_sign_in_needed", "sign_in", "sign_in_needed", "switch_list", "sync_done", "unlock_needed", "unnamed_text", "uploading", "waiting_text"]
    CONNECTION_ERROR_FIELD_NUMBER: _ClassVar[int]
    DECISION_NEEDED_FIELD_NUMBER: _ClassVar[int]
    DOWNLOADING_FIELD_NUMBER: _ClassVar[int]
    INVITATION_NEEDED_FIELD_NUMBER: _ClassVar[int]
    LOCKED_FIELD_NUMBER: _ClassVar[int]
    OWN_DECISION_NEEDED_FIELD_NUMBER: _ClassVar[int]
    OWN_SIGN_IN_NEEDED_FIELD_NUMBER: _ClassVar[int]
    SIGN_IN_FIELD_NUMBER: _ClassVar[int]
    SIGN_IN_NEEDED_FIELD_NUMBER: _ClassVar[int]
    SWITCH_LIST_FIELD_NUMBER: _ClassVar[int]
    SYNC_DONE_FIELD_NUMBER: _ClassVar[int]
    UNLOCK_NEEDED_FIELD_NUMBER: _ClassVar[int]
    UNNAMED_TEXT_FIELD_NUMBER: _ClassVar[int]
    UPLOADING_FIELD_NUMBER: _ClassVar[int]
    WAITING_TEXT_FIELD_NUMBER: _ClassVar[int]
    connection_error: AccountView
    decision_needed: AccountView
    downloading: AccountView
    invitation_needed: AccountView
    locked: AccountView
    own_decision_needed: AccountView
    own_sign_in_needed: AccountView
    sign_in: AccountView
    sign_in_needed: AccountView
    switch_list: AccountView
    sync_done: AccountView
    unlock_needed: AccountView
    unnamed_text: str
    uploading: AccountView
    waiting_text: str
    def __init__(self, sign_in: _Optional[_Union[AccountView, _Mapping]] = ..., locked: _Optional[_Union[AccountView, _Mapping]] = ..., switch_list: _Optional[_Union[AccountView, _Mapping]] = ..., uploading: _Optional[_Union[AccountView, _Mapping]] = ..., downloading: _Optional[_Union[AccountView, _Mapping]] = ..., sync_done: _Optional[_Union[AccountView, _Mapping]] = ..., connection_error: _Optional[_Union[AccountView, _Mapping]] = ..., sign_in_needed: _Optional[_Union[AccountView, _Mapping]] = ..., decision_needed: _Optional[_Union[AccountView, _Mapping]] = ..., waiting_text: _Optional[str] = ..., unlock_needed: _Optional[_Union[AccountView, _Mapping]] = ..., invitation_needed: _Optional[_Union[AccountView, _Mapping]] = ..., own_sign_in_needed: _Optional[_Union[AccountView, _Mapping]] = ..., own_decision_needed: _Optional[_Union[AccountView, _Mapping]] = ..., unnamed_text: _Optional[str] = ...) -> None: ...

class AccountViewKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class AccountAction(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

from assent.consent.v1 import flow_pb2 as _flow_pb2
from assent.consent.v1 import text_pb2 as _text_pb2
from assent import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CreateFlowDraftRequest(_message.Message):
    __slots__ = ["flow_id"]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    flow_id: str
    def __init__(self, flow_id: _Optional[str] = ...) -> None: ...

class CreateFlowDraftResponse(_message.Message):
    __slots__ = ["version"]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    version: _flow_pb2.FlowVersion
    def __init__(self, version: _Optional[_Union[_flow_pb2.FlowVersion, _Mapping]] = ...) -> None: ...

class CreateFlowRequest(_message.Message):
    __slots__ = ["definition", "flow_id", "name", "study_id"]
    DEFINITION_FIELD_NUMBER: _ClassVar[int]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    definition: _flow_pb2.FlowDefinition
    flow_id: str
    name: str
    study_id: str
    def __init__(self, study_id: _Optional[str] = ..., flow_id: _Optional[str] = ..., name: _Optional[str] = ..., definition: _Optional[_Union[_flow_pb2.FlowDefinition, _Mapping]] = ...) -> None: ...

class CreateFlowResponse(_message.Message):
    __slots__ = ["problems", "removed", "version"]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    problems: _containers.RepeatedCompositeFieldContainer[_text_pb2.Problem]
    removed: _containers.RepeatedCompositeFieldContainer[_text_pb2.SanitizerRemoval]
    version: _flow_pb2.FlowVersion
    def __init__(self, version: _Optional[_Union[_flow_pb2.FlowVersion, _Mapping]] = ..., removed: _Optional[_Iterable[_Union[_text_pb2.SanitizerRemoval, _Mapping]]] = ..., problems: _Optional[_Iterable[_Union[_text_pb2.Problem, _Mapping]]] = ...) -> None: ...

class DiscardFlowDraftRequest(_message.Message):
    __slots__ = ["expected_revision", "flow_id"]
    EXPECTED_REVISION_FIELD_NUMBER: _ClassVar[int]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    expected_revision: int
    flow_id: str
    def __init__(self, flow_id: _Optional[str] = ..., expected_revision: _Optional[int] = ...) -> None: ...

class DiscardFlowDraftResponse(_message.Message):
    __slots__ = ["flow"]
    FLOW_FIELD_NUMBER: _ClassVar[int]
    flow: _flow_pb2.ConsentFlow
    def __init__(self, flow: _Optional[_Union[_flow_pb2.ConsentFlow, _Mapping]] = ...) -> None: ...

class FormCounts(_message.Message):
    __slots__ = ["allowed", "in_force", "refused", "step_id", "withdrawn"]
    ALLOWED_FIELD_NUMBER: _ClassVar[int]
    IN_FORCE_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    STEP_ID_FIELD_NUMBER: _ClassVar[int]
    WITHDRAWN_FIELD_NUMBER: _ClassVar[int]
    allowed: int
    in_force: int
    refused: int
    step_id: str
    withdrawn: int
    def __init__(self, step_id: _Optional[str] = ..., allowed: _Optional[int] = ..., refused: _Optional[int] = ..., withdrawn: _Optional[int] = ..., in_force: _Optional[int] = ...) -> None: ...

class GetFlowRequest(_message.Message):
    __slots__ = ["flow_id", "version"]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    flow_id: str
    version: int
    def __init__(self, flow_id: _Optional[str] = ..., version: _Optional[int] = ...) -> None: ...

class GetFlowResponse(_message.Message):
    __slots__ = ["flow", "version"]
    FLOW_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    flow: _flow_pb2.ConsentFlow
    version: _flow_pb2.FlowVersion
    def __init__(self, flow: _Optional[_Union[_flow_pb2.ConsentFlow, _Mapping]] = ..., version: _Optional[_Union[_flow_pb2.FlowVersion, _Mapping]] = ...) -> None: ...

class GetFormCountsRequest(_message.Message):
    __slots__ = ["flow_id", "test", "version"]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    TEST_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    flow_id: str
    test: bool
    version: int
    def __init__(self, flow_id: _Optional[str] = ..., version: _Optional[int] = ..., test: bool = ...) -> None: ...

class GetFormCountsResponse(_message.Message):
    __slots__ = ["forms", "version"]
    FORMS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    forms: _containers.RepeatedCompositeFieldContainer[FormCounts]
    version: int
    def __init__(self, version: _Optional[int] = ..., forms: _Optional[_Iterable[_Union[FormCounts, _Mapping]]] = ...) -> None: ...

class ListFlowsRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "study_id"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    study_id: str
    def __init__(self, study_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListFlowsResponse(_message.Message):
    __slots__ = ["flows", "next_page_token"]
    FLOWS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    flows: _containers.RepeatedCompositeFieldContainer[_flow_pb2.ConsentFlow]
    next_page_token: str
    def __init__(self, flows: _Optional[_Iterable[_Union[_flow_pb2.ConsentFlow, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class PublishFlowDraftRequest(_message.Message):
    __slots__ = ["expected_revision", "flow_id"]
    EXPECTED_REVISION_FIELD_NUMBER: _ClassVar[int]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    expected_revision: int
    flow_id: str
    def __init__(self, flow_id: _Optional[str] = ..., expected_revision: _Optional[int] = ...) -> None: ...

class PublishFlowDraftResponse(_message.Message):
    __slots__ = ["version"]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    version: _flow_pb2.FlowVersion
    def __init__(self, version: _Optional[_Union[_flow_pb2.FlowVersion, _Mapping]] = ...) -> None: ...

class ReinstateFlowVersionRequest(_message.Message):
    __slots__ = ["flow_id", "version"]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    flow_id: str
    version: int
    def __init__(self, flow_id: _Optional[str] = ..., version: _Optional[int] = ...) -> None: ...

class ReinstateFlowVersionResponse(_message.Message):
    __slots__ = ["version"]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    version: _flow_pb2.FlowVersion
    def __init__(self, version: _Optional[_Union[_flow_pb2.FlowVersion, _Mapping]] = ...) -> None: ...

class RetireFlowVersionRequest(_message.Message):
    __slots__ = ["flow_id", "reason", "version"]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    flow_id: str
    reason: str
    version: int
    def __init__(self, flow_id: _Optional[str] = ..., version: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class RetireFlowVersionResponse(_message.Message):
    __slots__ = ["version"]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    version: _flow_pb2.FlowVersion
    def __init__(self, version: _Optional[_Union[_flow_pb2.FlowVersion, _Mapping]] = ...) -> None: ...

class StopFlowVersionRequest(_message.Message):
    __slots__ = ["flow_id", "reason", "version"]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    flow_id: str
    reason: str
    version: int
    def __init__(self, flow_id: _Optional[str] = ..., version: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class StopFlowVersionResponse(_message.Message):
    __slots__ = ["version"]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    version: _flow_pb2.FlowVersion
    def __init__(self, version: _Optional[_Union[_flow_pb2.FlowVersion, _Mapping]] = ...) -> None: ...

class UpdateFlowDraftRequest(_message.Message):
    __slots__ = ["definition", "expected_revision", "flow_id"]
    DEFINITION_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_REVISION_FIELD_NUMBER: _ClassVar[int]
    FLOW_ID_FIELD_NUMBER: _ClassVar[int]
    definition: _flow_pb2.FlowDefinition
    expected_revision: int
    flow_id: str
    def __init__(self, flow_id: _Optional[str] = ..., expected_revision: _Optional[int] = ..., definition: _Optional[_Union[_flow_pb2.FlowDefinition, _Mapping]] = ...) -> None: ...

class UpdateFlowDraftResponse(_message.Message):
    __slots__ = ["problems", "removed", "version"]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    problems: _containers.RepeatedCompositeFieldContainer[_text_pb2.Problem]
    removed: _containers.RepeatedCompositeFieldContainer[_text_pb2.SanitizerRemoval]
    version: _flow_pb2.FlowVersion
    def __init__(self, version: _Optional[_Union[_flow_pb2.FlowVersion, _Mapping]] = ..., removed: _Optional[_Iterable[_Union[_text_pb2.SanitizerRemoval, _Mapping]]] = ..., problems: _Optional[_Iterable[_Union[_text_pb2.Problem, _Mapping]]] = ...) -> None: ...

class ValidateFlowRequest(_message.Message):
    __slots__ = ["definition", "study_id"]
    DEFINITION_FIELD_NUMBER: _ClassVar[int]
    STUDY_ID_FIELD_NUMBER: _ClassVar[int]
    definition: _flow_pb2.FlowDefinition
    study_id: str
    def __init__(self, study_id: _Optional[str] = ..., definition: _Optional[_Union[_flow_pb2.FlowDefinition, _Mapping]] = ...) -> None: ...

class ValidateFlowResponse(_message.Message):
    __slots__ = ["problems"]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    problems: _containers.RepeatedCompositeFieldContainer[_text_pb2.Problem]
    def __init__(self, problems: _Optional[_Iterable[_Union[_text_pb2.Problem, _Mapping]]] = ...) -> None: ...

"""A visit without a connection: the walk along a table of screens, and the queue that a device sends later.

docs/offline.md explains both; clients/vectors/offline.json has examples.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from google.protobuf.message import Message

from .account.v1.sync_pb2 import (
    ITEM_STATE_CONFLICT, ITEM_STATE_DISCARDED, ITEM_STATE_DONE, ITEM_STATE_FAILED, ITEM_STATE_REFUSED,
    ITEM_STATE_UNSPECIFIED, ITEM_STATE_WAITING, ItemName, ItemOutcome, QueueItem,
)
from .account.v1.sync_service_pb2 import PushQueueRequest
from .consent.v1.screen_pb2 import ConsentScreen, NameForm, SignaturePlace
from .consent.v1.session_pb2 import ChosenRecord, FlowAction, OfflineBundle
from .consent.v1.session_service_pb2 import SubmitOfflineWalkRequest
from .consent.v1.text_pb2 import PersonName

_MOST_ITEMS = 1000
_MOST_BYTES = 8 << 20
_REFERENCES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


class OfflineWalk:
    """Walks a session along its table.

    `session_id` is the device's choice where the table names none; `subject_id` is whose session it is.
    """

    def __init__(self, bundle: OfflineBundle, session_id: str, subject_id: str) -> None:
        self._bundle = bundle
        self._session_id = session_id
        self._subject_id = subject_id
        self._row = 0
        self._actions: list[FlowAction] = []
        # The names that were entered, as they are printed, by step and signature.
        self._names: dict[tuple[str, str], str] = {}

    @property
    def screen(self) -> ConsentScreen:
        """What is to be shown, with the name in it that was entered on the way."""
        row = self._bundle.screens[self._row]
        if not row.names:
            return row.screen
        places = [(place.step_id, place.signature_id) for place in row.names]
        name = next((self._names[place] for place in places if place in self._names), row.name_before)
        screen = ConsentScreen()
        screen.CopyFrom(row.screen)
        _fill(screen, name)
        return screen

    @property
    def has_ended(self) -> bool:
        """Whether nothing more is offered."""
        return not self._bundle.screens[self._row].edges

    @property
    def place(self) -> SignaturePlace | None:
        """What a field must be made for to be signed with on this screen."""
        if not self.screen.signature_form.HasField("place"):
            return None
        place = SignaturePlace()
        place.CopyFrom(self.screen.signature_form.place)
        place.session_id, place.subject_id = self._session_id, self._subject_id
        return place

    def act(self, action: FlowAction) -> bool:
        """Does what the screen offers, and goes on to the next one; False where the screen does not offer it."""
        for edge in self._bundle.screens[self._row].edges:
            if edge.action == action.kind:
                screen = self._bundle.screens[self._row].screen
                if screen.HasField("name_form") and action.HasField("name"):
                    place = (screen.step_id, screen.name_form.signature_id)
                    self._names[place] = _printed(action.name, screen.name_form)
                self._actions.append(action)
                self._row = edge.successor
                return True
        return False

    def submission(self, record_ids: Iterable[ChosenRecord] = ()) -> SubmitOfflineWalkRequest:
        """What hands the walk in. It may be handed in before its end, and goes on with a connection then."""
        return SubmitOfflineWalkRequest(
            session_id=self._session_id, bundle_hash=self._bundle.bundle_hash, actions=self._actions,
            record_ids=record_ids)


def _printed(name: PersonName, form: NameForm) -> str:
    """A name as it is printed: its parts with a no-break space between them."""
    if name.mononym:
        return name.mononym.strip()
    parts = [name.family, name.given] if form.family_first else [name.given, name.family]
    return "\u00a0".join(part.strip() for part in parts if part.strip())


def _fill(message: Message, name: str) -> None:
    """Puts the name into all texts of a message. In markup it is escaped."""
    for field, value in message.ListFields():
        words = name.translate(_REFERENCES) if field.name == "html" else name
        if field.message_type:
            for part in [value] if isinstance(value, Message) else value:
                _fill(part, name)
        elif isinstance(value, str):
            setattr(message, field.name, value.replace("{participant.name}", words))
        elif field.type == field.TYPE_STRING:
            value[:] = [text.replace("{participant.name}", words) for text in value]


def notice(outcome: ItemOutcome) -> str:
    """What a device shows of an item after an upload.

    "nothing": it is done. "later": it is sent again, without anybody doing anything. "sign_in": its person has to sign
    in. "unlock", "invite": an administrator has to unlock or invite its person. "decide": its person decides, on the
    screen FAILED_ITEMS. "report": it is kept here, and somebody who looks after the device has to be told.
    """
    if outcome.state in (ITEM_STATE_DONE, ITEM_STATE_DISCARDED):
        return "nothing"
    if outcome.state in (ITEM_STATE_FAILED, ITEM_STATE_CONFLICT):
        return "decide"
    if outcome.state == ITEM_STATE_REFUSED:
        return "report"
    if outcome.rule.startswith("grant_") or outcome.rule == "waits_for_person":
        return "sign_in"
    return {"person_locked": "unlock", "not_on_device": "invite"}.get(outcome.rule, "later")


class OfflineQueue:
    """The queue of a device that several people share, in the order in which they did things.

    It is to be stored with every change, sealed under a key of the device and not of a person, since it goes up while
    others are signed in.
    """

    def __init__(self, items: Iterable[QueueItem] = ()) -> None:
        self._items = list(items)
        self._refused: set[tuple[str, str]] = set()
        self._sent: set[tuple[str, str]] = set()
        self._held: set[str] = set()

    @property
    def kept(self) -> Sequence[QueueItem]:
        """What is kept, for storing it."""
        return tuple(self._items)

    def note(self, item: QueueItem) -> None:
        self._items.append(item)

    def begin(self) -> None:
        """Begins a sync: what waited before is sent again."""
        self._sent.clear()
        self._held.clear()

    def next(self, grants: Mapping[str, str]) -> PushQueueRequest | None:
        """The next part; None where this sync has sent everything that may be sent.

        `grants` has the newest upload grant of each person, by person.
        """
        items: list[QueueItem] = []
        size = 0
        for item in self._items:
            if _name(item) in self._sent | self._refused or item.person_id in self._held:
                continue
            size += len(item.request)
            if len(items) == _MOST_ITEMS or (size > _MOST_BYTES and items):
                break
            items.append(item)
        if not items:
            return None
        self._sent.update(map(_name, items))
        people = dict.fromkeys(item.person_id for item in items)
        return PushQueueRequest(items=items, grants=[grants[person] for person in people if person in grants])

    def take(self, outcomes: Iterable[ItemOutcome]) -> None:
        """Takes the answers to a part. Without an answer nothing changes: the next sync sends the part again."""
        ended: set[tuple[str, str]] = set()
        for outcome in outcomes:
            if outcome.state in (ITEM_STATE_UNSPECIFIED, ITEM_STATE_WAITING):
                if outcome.rule != "waits_for_item":
                    self._held.add(outcome.person_id)
            elif outcome.state == ITEM_STATE_REFUSED:
                self._refused.add(_name(outcome))
            else:
                ended.add(_name(outcome))
        self._items = [item for item in self._items if _name(item) not in ended]


def _name(item: QueueItem | ItemOutcome | ItemName) -> tuple[str, str]:
    return (item.person_id, item.item_id)

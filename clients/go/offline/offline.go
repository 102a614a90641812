// Package offline is for devices that several people share: a visit without a connection, as the walk along a table of
// screens, and the queue that a device sends later. docs/offline.md explains both; clients/vectors/offline.json has
// examples. Messages are in their JSON form, as Connect takes and gives them.
package offline

import "strings"

// Message is a message of the contract in its JSON form.
type Message = map[string]any

// Walk walks a session along its table.
type Walk struct {
	bundle               Message
	sessionID, subjectID string
	row                  int
	actions              []any
	// The names that were entered, as they are printed, by step and signature.
	names map[string]string
}

// NewWalk begins at the first row. The session's identifier is the device's choice where the table names none; the
// subject is whose session it is.
func NewWalk(bundle Message, sessionID, subjectID string) *Walk {
	return &Walk{
		bundle: bundle, sessionID: sessionID, subjectID: subjectID, actions: []any{}, names: map[string]string{},
	}
}

func (walk *Walk) here() Message { return object(list(walk.bundle, "screens"), walk.row) }

// Screen is what is to be shown, with the name in it that was entered on the way.
func (walk *Walk) Screen() Message {
	row := walk.here()
	screen, _ := row["screen"].(Message)
	places := list(row, "names")
	if len(places) == 0 {
		return screen
	}
	for index := range places {
		place := object(places, index)
		if name, isThere := walk.names[text(place, "stepId")+"/"+text(place, "signatureId")]; isThere {
			return filled(screen, name, "").(Message)
		}
	}
	return filled(screen, text(row, "nameBefore"), "").(Message)
}

// printed is a name as it is printed: its parts with a no-break space between them.
func printed(name, form Message) string {
	if mononym := text(name, "mononym"); mononym != "" {
		return strings.TrimSpace(mononym)
	}
	parts := []string{text(name, "given"), text(name, "family")}
	if isFirst, _ := form["familyFirst"].(bool); isFirst {
		parts[0], parts[1] = parts[1], parts[0]
	}
	words := []string{}
	for _, part := range parts {
		if word := strings.TrimSpace(part); word != "" {
			words = append(words, word)
		}
	}
	return strings.Join(words, "\u00a0")
}

var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\"", "&quot;", "'", "&#39;")

// filled puts the name into all texts of a screen. In markup it is escaped.
func filled(value any, name, field string) any {
	switch value := value.(type) {
	case string:
		if field == "html" {
			name = markup.Replace(name)
		}
		return strings.ReplaceAll(value, "{participant.name}", name)
	case []any:
		parts := []any{}
		for _, part := range value {
			parts = append(parts, filled(part, name, field))
		}
		return parts
	case Message:
		copy := Message{}
		for field, part := range value {
			copy[field] = filled(part, name, field)
		}
		return copy
	}
	return value
}

// HasEnded tells whether nothing more is offered.
func (walk *Walk) HasEnded() bool { return len(list(walk.here(), "edges")) == 0 }

// Place is what a field must be made for to be signed with on this screen; nil where nothing is signed.
func (walk *Walk) Place() Message {
	form, _ := walk.Screen()["signatureForm"].(Message)
	known, _ := form["place"].(Message)
	if known == nil {
		return nil
	}
	place := Message{}
	for name, value := range known {
		place[name] = value
	}
	place["sessionId"], place["subjectId"] = walk.sessionID, walk.subjectID
	return place
}

// Act does what the screen offers, and goes on to the next one; false where the screen does not offer it.
func (walk *Walk) Act(action Message) bool {
	edges := list(walk.here(), "edges")
	for index := range edges {
		edge := object(edges, index)
		if edge["action"] != action["kind"] {
			continue
		}
		screen, _ := walk.here()["screen"].(Message)
		form, _ := screen["nameForm"].(Message)
		if name, _ := action["name"].(Message); form != nil && name != nil {
			walk.names[text(screen, "stepId")+"/"+text(form, "signatureId")] = printed(name, form)
		}
		walk.actions = append(walk.actions, action)
		row, _ := edge["successor"].(float64)
		walk.row = int(row)
		return true
	}
	return false
}

// Submission hands the walk in. It may be handed in before its end, and goes on with a connection then.
func (walk *Walk) Submission(recordIDs []any) Message {
	return Message{
		"sessionId": walk.sessionID, "bundleHash": text(walk.bundle, "bundleHash"), "actions": walk.actions,
		"recordIds": recordIDs,
	}
}

// Notice is what a device shows of an item after an upload. "nothing": it is done. "later": it is sent again, without
// anybody doing anything. "sign_in": its person has to sign in. "unlock", "invite": an administrator has to unlock or
// invite its person. "decide": its person decides, on the screen FAILED_ITEMS. "report": it is kept here, and somebody
// who looks after the device has to be told.
func Notice(outcome Message) string {
	switch text(outcome, "state") {
	case "ITEM_STATE_DONE", "ITEM_STATE_DISCARDED":
		return "nothing"
	case "ITEM_STATE_FAILED", "ITEM_STATE_CONFLICT":
		return "decide"
	case "ITEM_STATE_REFUSED":
		return "report"
	}
	switch rule := text(outcome, "rule"); {
	case len(rule) >= 6 && rule[:6] == "grant_", rule == "waits_for_person":
		return "sign_in"
	case rule == "person_locked":
		return "unlock"
	case rule == "not_on_device":
		return "invite"
	}
	return "later"
}

const (
	mostItems = 1000
	mostBytes = 8 << 20
)

// Queue is that of a device that several people share, in the order in which they did things. It is to be stored with
// every change, sealed under a key of the device and not of a person, since it goes up while others are signed in.
type Queue struct {
	items               []Message
	sent, refused, held map[string]bool
}

// NewQueue begins with what was kept.
func NewQueue(kept []Message) *Queue {
	queue := &Queue{items: kept, refused: map[string]bool{}}
	queue.Begin()
	return queue
}

// Kept is what is to be stored.
func (queue *Queue) Kept() []Message { return queue.items }

// Note adds an item, before the screen goes on.
func (queue *Queue) Note(item Message) { queue.items = append(queue.items, item) }

// Begin begins a sync: what waited before is sent again.
func (queue *Queue) Begin() { queue.sent, queue.held = map[string]bool{}, map[string]bool{} }

// Next is the next part as PushQueue takes it; nil where this sync has sent everything that may be sent. The grants are
// the newest upload grant of each person, by person.
func (queue *Queue) Next(grants map[string]string) Message {
	items, own, bytes := []any{}, []any{}, 0
	known := map[string]bool{}
	for _, item := range queue.items {
		person := text(item, "personId")
		if queue.sent[Name(item)] || queue.refused[Name(item)] || queue.held[person] {
			continue
		}
		bytes += len(text(item, "request")) * 3 / 4
		if len(items) == mostItems || bytes > mostBytes && len(items) > 0 {
			break
		}
		items = append(items, item)
		if grant, isThere := grants[person]; isThere && !known[person] {
			own = append(own, grant)
		}
		known[person] = true
	}
	if len(items) == 0 {
		return nil
	}
	for index := range items {
		queue.sent[Name(object(items, index))] = true
	}
	return Message{"items": items, "grants": own}
}

// Take takes the answers to a part. Without an answer nothing changes: the next sync sends the part again.
func (queue *Queue) Take(outcomes []Message) {
	ended := map[string]bool{}
	for _, outcome := range outcomes {
		switch text(outcome, "state") {
		case "", "ITEM_STATE_UNSPECIFIED", "ITEM_STATE_WAITING":
			if text(outcome, "rule") != "waits_for_item" {
				queue.held[text(outcome, "personId")] = true
			}
		case "ITEM_STATE_REFUSED":
			queue.refused[Name(outcome)] = true
		default:
			ended[Name(outcome)] = true
		}
	}
	kept := []Message{}
	for _, item := range queue.items {
		if !ended[Name(item)] {
			kept = append(kept, item)
		}
	}
	queue.items = kept
}

// Name of an item, or of what an outcome is about.
func Name(item Message) string { return text(item, "personId") + "/" + text(item, "itemId") }

func text(message Message, field string) string { text, _ := message[field].(string); return text }

func list(message Message, field string) []any { list, _ := message[field].([]any); return list }

func object(list []any, index int) Message {
	if index >= len(list) {
		return nil
	}
	object, _ := list[index].(Message)
	return object
}

package offline

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"testing"
)

type vectors struct {
	Walks []struct {
		Name      string
		Bundle    Message
		SessionID string `json:"session_id"`
		SubjectID string `json:"subject_id"`
		Steps     []struct {
			Does    Message
			Refused bool
			Shows   string
			Screen  Message
			Place   Message
			Ended   bool
		}
		RecordIDs []any `json:"record_ids"`
		Submits   Message
	}
	Queues []struct {
		Name   string
		Grants map[string]string
		Steps  []struct {
			Notes   []Message
			SignsIn map[string]string `json:"signs_in"`
			Begins  bool
			Sends   json.RawMessage
			Gets    []Message
			Shows   map[string]string
			Keeps   *[]string
		}
	}
}

func read(test *testing.T) (vectors vectors) {
	file, err := os.ReadFile("../../vectors/offline.json")
	if err == nil {
		err = json.Unmarshal(file, &vectors)
	}
	if err != nil {
		test.Fatal(err)
	}
	return
}

func wanted(test *testing.T, found, expected any, what string, place ...any) {
	test.Helper()
	if !reflect.DeepEqual(found, expected) {
		test.Errorf("%s: %v, not %v", fmt.Sprintf(what, place...), found, expected)
	}
}

func TestWalks(test *testing.T) {
	walks := read(test).Walks
	wanted(test, len(walks) > 0, true, "that there are walks")
	for _, vector := range walks {
		walk := NewWalk(vector.Bundle, vector.SessionID, vector.SubjectID)
		for index, step := range vector.Steps {
			wanted(test, walk.Act(step.Does), !step.Refused, "%s, step %d: done", vector.Name, index)
			if step.Shows != "" {
				wanted(test, walk.Screen()["id"], any(step.Shows), "%s, step %d: screen", vector.Name, index)
			}
			if step.Screen != nil {
				wanted(test, walk.Screen(), step.Screen, "%s, step %d: the whole screen", vector.Name, index)
			}
			if step.Place != nil {
				wanted(test, walk.Place(), step.Place, "%s, step %d: place", vector.Name, index)
			}
			wanted(test, walk.HasEnded(), step.Ended, "%s, step %d: ended", vector.Name, index)
		}
		wanted(test, walk.Submission(vector.RecordIDs), vector.Submits, "%s: submission", vector.Name)
	}
}

func TestQueues(test *testing.T) {
	queues := read(test).Queues
	wanted(test, len(queues) > 3, true, "that there are queues")
	for _, vector := range queues {
		queue := NewQueue(nil)
		for index, step := range vector.Steps {
			for _, item := range step.Notes {
				queue.Note(item)
			}
			for person, grant := range step.SignsIn {
				vector.Grants[person] = grant
			}
			if step.Begins {
				queue.Begin()
			}
			if step.Sends != nil {
				checkPart(test, queue.Next(vector.Grants), step.Sends, fmt.Sprintf("%s, step %d", vector.Name, index))
			}
			queue.Take(step.Gets)
			if step.Shows != nil {
				shown := map[string]string{}
				for _, outcome := range step.Gets {
					shown[Name(outcome)] = Notice(outcome)
				}
				wanted(test, shown, step.Shows, "%s, step %d: shows", vector.Name, index)
			}
			if step.Keeps != nil {
				wanted(test, names(queue.Kept()), *step.Keeps, "%s, step %d: keeps", vector.Name, index)
			}
		}
	}
}

func names(items []Message) []string {
	names := []string{}
	for _, item := range items {
		names = append(names, Name(item))
	}
	return names
}

func checkPart(test *testing.T, part Message, sends json.RawMessage, what string) {
	test.Helper()
	var expected *struct{ Items, Grants []string }
	if err := json.Unmarshal(sends, &expected); err != nil {
		test.Fatal(err)
	}
	if part == nil || expected == nil {
		wanted(test, part == nil, expected == nil, "%s: that nothing is sent", what)
		return
	}
	items, grants := []string{}, []string{}
	for index := range list(part, "items") {
		items = append(items, Name(object(list(part, "items"), index)))
	}
	for _, grant := range list(part, "grants") {
		grants = append(grants, grant.(string))
	}
	wanted(test, items, expected.Items, "%s: items", what)
	wanted(test, grants, append([]string{}, expected.Grants...), "%s: grants", what)
}

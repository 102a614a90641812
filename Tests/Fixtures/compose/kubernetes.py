"""Validates Kubernetes' manifests, with the patches of their kustomization: kubernetes.py FOLDER

FOLDER has a kustomization. Each manifest, with the patches, must be valid by the schemas of the oldest and the newest
version of Kubernetes that are tried. Prints all of them as JSON, by kind and name.
"""

import json
import pathlib
import sys

import kubernetes_validate
import yaml

VERSIONS = ["1.31", "1.37"]


def documents(path):
    return [document for document in yaml.safe_load_all(path.read_text()) if document]


def add(manifest, path, value):
    """JSON Patch's `add` to the end of a list, which is all that our patches do."""
    *way, last = path.strip("/").split("/")
    assert last == "-", path
    place = manifest
    for step in way:
        place = place[int(step) if isinstance(place, list) else step]
    place.append(value)


def manifests(folder):
    (own,) = documents(folder / "kustomization.yaml")
    found = {}
    for name in own["resources"]:
        place = folder / name
        for more in [manifests(place.resolve())] if place.is_dir() else [
            {f"{document['kind']}/{document['metadata']['name']}": document} for document in documents(place)
        ]:
            assert not found.keys() & more.keys(), f"{more.keys()} is there twice"
            found |= more
    patches = own.get("patches", [])
    for patch in patches:
        target = found[f"{patch['target']['kind']}/{patch['target']['name']}"]
        (steps,) = documents(folder / patch["path"])
        for step in steps:
            assert step["op"] == "add", step
            add(target, step["path"], step["value"])
    unused = {file.name for file in folder.glob("*.yaml")} - {"kustomization.yaml", *own["resources"]}
    assert unused == {patch["path"] for patch in patches}, f"no kustomization names {unused}"
    return found


if __name__ == "__main__":
    made = manifests(pathlib.Path(sys.argv[1]).resolve())
    for manifest in made.values():
        for version in VERSIONS:
            kubernetes_validate.validate(manifest, version, strict=True)
    print(json.dumps(made, indent=1))

"""Validates exported bundles with fhir.resources, and FHIR's invariants with fhirpathpy.

check.py r5|r4b FILE...: prints "resource types, status" for each file, and every invariant that does not hold.
"""

import importlib
import json
import sys

from fhirpathpy import evaluate
from fhirpathpy.models import models

# Keys of the specification; on each resource, and on every element below it.
RESOURCE = {
    "dom-2": "contained.contained.empty()",
    "dom-4": "contained.meta.versionId.empty() and contained.meta.lastUpdated.empty()",
    "dom-5": "contained.meta.security.empty()",
}
EVERYWHERE = {
    "per-1": ("period | provision.period", "start.empty() or end.empty() or (start <= end)"),
    "att-1": ("sourceAttachment", "data.empty() or contentType.exists()"),
    "ref-2": ("subject | grantor | grantee | patient | performer | organization | agent.who | signature.who",
              "reference.exists() or identifier.exists() or display.exists()"),
}
CONSENT = {
    "r5": {"con: a base decision stands where there are exceptions": "provision.exists() implies decision.exists()"},
    "r4b": {
        "ppc-1": "policy.exists() or policyRule.exists()",
        "ppc-3": "patient.exists() or scope.coding.where(code='research').exists().not()",
        "the root rule has no type": "provision.type.empty()",
        "nested rules have one": "provision.provision.all(type.exists())",
    },
}


def problems(release, resource, model):
    rules = dict(RESOURCE)
    if resource["resourceType"] == "Consent":
        rules.update(CONSENT[release])
    for key, (path, rule) in EVERYWHERE.items():
        rules[key] = f"({path}).all({rule})"
    for key, rule in rules.items():
        if evaluate(resource, rule, {}, model) != [True]:
            yield f"{resource['resourceType']}: {key}"
    # dom-3 and ref-1: what is contained is referred to, and what is referred to as contained is there.
    contained = {part["id"] for part in resource.get("contained", [])}
    references = evaluate(resource, "descendants().where(reference.exists()).select(reference)", {}, model)
    referred = {reference[1:] for reference in references if str(reference).startswith("#")}
    if contained != referred:
        yield f"{resource['resourceType']}: dom-3, ref-1: {contained} {referred}"


def main(release, files):
    package = "fhir.resources" if release == "r5" else "fhir.resources.R4B"
    bundles = importlib.import_module(f"{package}.bundle")
    model = models["r5" if release == "r5" else "r4"]
    for path in files:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        bundles.Bundle.model_validate(content)
        resources = [entry["resource"] for entry in content["entry"]]
        print(*[resource["resourceType"] for resource in resources], resources[0]["status"])
        if evaluate(content, "entry.fullUrl.isDistinct()", {}, model) != [True]:
            print("Bundle: bdl-7")
        for resource in resources:
            print(*problems(release, resource, model), sep="\n", end="")


main(sys.argv[1], sys.argv[2:])

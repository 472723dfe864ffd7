"""Holds the exports of models against the tools that read them.

check.py BINARY MODEL.. : see the README beside this file.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import hcl2
import jsonschema
import yaml
from cfnlint import core as _  # noqa: F401  (fails early if cfn-lint is not whole)

HERE = pathlib.Path(__file__).parent
KEY = "arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
TOPIC = "arn:aws:sns:eu-west-1:123456789012:on-call"


def export(binary, *arguments):
    done = subprocess.run([binary, "export", *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"monotable export {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def lint(folder, name, text):
    """cfn-lint has nothing to say, not even a warning."""
    file = folder / name
    file.write_text(text)
    linter = pathlib.Path(sys.executable).with_name("cfn-lint")
    done = subprocess.run([linter, "--regions", "eu-west-1", "--", file], capture_output=True, text=True, check=False)
    problems = [line for line in done.stdout.splitlines() if line.strip()]
    if done.returncode != 0:
        sys.exit(f"cfn-lint finds problems in {name}:\n" + "\n".join(problems))


def unquote(value):
    """The values of HCL without the quotes that python-hcl2 keeps, and its own members."""
    if isinstance(value, dict):
        return {unquote(name): unquote(inner) for name, inner in value.items() if not name.startswith("__")}
    if isinstance(value, list):
        return [unquote(inner) for inner in value]
    if isinstance(value, str) and len(value) > 1 and value[0] == value[-1] == '"':
        return json.loads(value).replace("$${", "${").replace("%%{", "%{")
    return value


def one(blocks):
    """The only block of a kind."""
    assert len(blocks) == 1, blocks
    return blocks[0]


def check_terraform(text, template):
    """Terraform's resources say of each table what the template says."""
    parsed = unquote(hcl2.loads(text))
    tables = {}
    alarms = {}
    for resource in parsed["resource"]:
        for kind, named in resource.items():
            for block in named.values():
                if kind == "aws_dynamodb_table":
                    tables[block["name"]] = block
                else:
                    alarms[block["alarm_name"]] = block
    resources = template["Resources"].values()
    wanted = [r["Properties"] for r in resources if r["Type"] == "AWS::DynamoDB::Table"]
    assert sorted(tables) == sorted(p["TableName"] for p in wanted), tables.keys()
    for properties in wanted:
        check_terraform_table(tables[properties["TableName"]], properties)
    wanted = [r["Properties"] for r in resources if r["Type"] == "AWS::CloudWatch::Alarm"]
    assert sorted(alarms) == sorted(p["AlarmName"] for p in wanted), alarms.keys()
    for properties in wanted:
        alarm = alarms[properties["AlarmName"]]
        assert alarm["threshold"] == properties["Threshold"], alarm
        assert alarm["alarm_description"] == properties["AlarmDescription"], alarm
        assert len(alarm.get("metric_query", [])) == len(properties.get("Metrics", [])), alarm


def check_terraform_table(block, properties):
    attributes = {a["name"]: a["type"] for a in block["attribute"]}
    assert attributes == {a["AttributeName"]: a["AttributeType"] for a in properties["AttributeDefinitions"]}
    keys = [block["hash_key"]] + ([block["range_key"]] if "range_key" in block else [])
    assert keys == [k["AttributeName"] for k in properties["KeySchema"]], block
    assert block["billing_mode"] == properties["BillingMode"], block
    units = properties.get("ProvisionedThroughput", {})
    assert block.get("read_capacity") == units.get("ReadCapacityUnits"), block
    assert block.get("write_capacity") == units.get("WriteCapacityUnits"), block
    for kind, name in [
        ("global_secondary_index", "GlobalSecondaryIndexes"),
        ("local_secondary_index", "LocalSecondaryIndexes"),
    ]:
        indexes = {index["name"]: index for index in block.get(kind, [])}
        assert sorted(indexes) == sorted(i["IndexName"] for i in properties.get(name, [])), block
        for wanted in properties.get(name, []):
            index = indexes[wanted["IndexName"]]
            schema = [k["AttributeName"] for k in wanted["KeySchema"]]
            if "key_schema" in index:
                assert [k["attribute_name"] for k in index["key_schema"]] == schema, index
                assert [k["key_type"] for k in index["key_schema"]] == [k["KeyType"] for k in wanted["KeySchema"]]
            else:
                keys = [index[part] for part in ("hash_key", "range_key") if part in index]
                assert keys == (schema if kind.startswith("global") else schema[1:]), index
            assert index["projection_type"] == wanted["Projection"]["ProjectionType"], index
            assert index.get("non_key_attributes") == wanted["Projection"].get("NonKeyAttributes"), index
    recovery = properties["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"]
    assert one(block["point_in_time_recovery"])["enabled"] == recovery, block
    assert block.get("deletion_protection_enabled") == properties.get("DeletionProtectionEnabled"), block
    assert one(block["server_side_encryption"])["enabled"] == properties["SSESpecification"]["SSEEnabled"], block
    stream = properties.get("StreamSpecification", {}).get("StreamViewType")
    assert block.get("stream_view_type") == stream, block
    ttl = properties.get("TimeToLiveSpecification", {}).get("AttributeName")
    assert (one(block["ttl"])["attribute_name"] if "ttl" in block else None) == ttl, block
    assert block.get("tags", {}) == {t["Key"]: t["Value"] for t in properties.get("Tags", [])}, block


def check_workbench(document):
    """What AWS says of the format and a schema cannot say."""
    schema = json.loads((HERE / "workbench.schema.json").read_text())
    jsonschema.validate(document, schema, jsonschema.Draft202012Validator)
    facets = [facet["FacetName"] for table in document["DataModel"] for facet in table["TableFacets"]]
    assert len(facets) == len(set(facets)), "names of facets are unique across the model"
    for table in document["DataModel"]:
        keys = [key["AttributeName"] for key in table["KeyAttributes"].values()]
        types = {a["AttributeName"]: a["AttributeType"] for a in table["NonKeyAttributes"]}
        assert not set(keys) & set(types), "attributes of the key are no others"
        for facet in table["TableFacets"]:
            assert ("SortKeyAlias" in facet["KeyAttributeAlias"]) == ("SortKey" in table["KeyAttributes"])
            unknown = set(facet["NonKeyAttributes"]) - set(types)
            assert not unknown, f"{facet['FacetName']} has attributes that its table does not have: {unknown}"
        seen = set()
        for row in table["TableData"]:
            key = tuple(json.dumps(row[name]) for name in keys)
            assert key not in seen, f"two rows have the key {key}"
            seen.add(key)
            assert set(row) <= set(keys) | set(types), row
        inside = sum(len(facet["TableData"]) for facet in table["TableFacets"])
        assert inside <= len(table["TableData"])
    return sum(len(table["TableData"]) for table in document["DataModel"])


def policy_template(documents):
    """Policies as resources, so that cfn-lint looks at actions, ARNs and conditions."""
    policies = {
        f"Policy{number}": {"Type": "AWS::IAM::ManagedPolicy", "Properties": {"PolicyDocument": document}}
        for number, document in enumerate(documents)
    }
    return json.dumps({"AWSTemplateFormatVersion": "2010-09-09", "Resources": policies}, indent=1)


def check_model(binary, folder, model):
    name = pathlib.Path(model).parent.name
    text = export(binary, "cloudformation", model)
    template = json.loads(text)
    lint(folder, f"{name}.json", text)
    written = export(binary, "cloudformation", model, "--format", "yaml")
    assert yaml.safe_load(written) == template, "YAML and JSON say the same"
    lint(folder, f"{name}.yaml", written)
    arguments = ["--encryption", KEY, "--alarm-topic", TOPIC, "--table-prefix", "staging-"]
    lint(folder, f"{name}-key.json", export(binary, "cloudformation", model, *arguments))
    lint(folder, f"{name}-alarms.json", export(binary, "alarms", model, "--latency", "20"))
    check_terraform(export(binary, "terraform", model), template)
    hcl2.loads(export(binary, "alarms", model, "--form", "terraform"))
    rows = check_workbench(json.loads(export(binary, "workbench", model)))
    assert export(binary, "workbench", model) == export(binary, "workbench", model), "the same every time"
    scope = ["--region", "eu-west-1", "--account", "123456789012"]
    roles = ["reader", "program", "operator"]
    policies = [json.loads(export(binary, "iam-policy", model, "--role", role, *scope)) for role in roles]
    lint(folder, f"{name}-policies.json", policy_template(policies))
    print(f"ok {model}: {len(template['Resources'])} resources, {rows} sample rows")


def main():
    binary, *models = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for model in models:
            check_model(binary, pathlib.Path(folder), model)


main()

"""Every function, operator and clause of the expressions, from the cases that all clients share."""

import base64
import re

import pytest

from library import key


def used(expression, placeholders, sign):
    """Only the placeholders that occur: DynamoDB refuses any other."""
    found = set(re.findall(rf"{sign}\w+", expression))
    return {name: value for name, value in placeholders.items() if name in found}


def given(**members):
    """Without the members that are empty: DynamoDB refuses those, too."""
    return {name: value for name, value in members.items() if value}


def typed(value):
    """Bytes of a case are base64, as in JSON; the client takes and gives bytes."""
    ((kind, content),) = value.items()
    match kind:
        case "B":
            return {"B": base64.b64decode(content)}
        case "BS":
            return {"BS": [base64.b64decode(each) for each in content]}
        case "L":
            return {"L": [typed(each) for each in content]}
        case "M":
            return {"M": typed_item(content)}
        case _:
            return value


def typed_item(item):
    return {name: typed(value) for name, value in item.items()}


def unordered(value):
    """Sets have no order."""
    ((kind, content),) = value.items()
    match kind:
        case "SS" | "NS" | "BS":
            return {kind: sorted(content)}
        case "L":
            return {"L": [unordered(each) for each in content]}
        case "M":
            return {"M": unordered_item(content)}
        case _:
            return value


def unordered_item(item):
    return {name: unordered(value) for name, value in item.items()}


@pytest.fixture
def stored(client, library, expressions):
    item = typed_item(expressions["item"])
    client.put_item(TableName=library, Item=item)
    return item


def test_conditions(client, library, stored, expressions):
    wrong = []
    for case in expressions["conditions"]:
        expression = case["expression"]
        placeholders = given(
            ExpressionAttributeNames=used(expression, expressions["names"], "#"),
            ExpressionAttributeValues=used(expression, typed_item(expressions["values"]), ":"),
        )
        try:
            client.put_item(TableName=library, Item=stored, ConditionExpression=expression, **placeholders)
            held = True
        except client.exceptions.ConditionalCheckFailedException:
            held = False
        filtered = client.scan(TableName=library, FilterExpression=expression, **placeholders)
        if (held, filtered["Count"]) != (case["holds"], int(case["holds"])):
            wrong.append((expression, held, filtered["Count"]))
    assert wrong == []


def test_updates(client, library, stored, expressions):
    for case in expressions["updates"]:
        client.put_item(TableName=library, Item=stored)
        answer = client.update_item(
            TableName=library,
            Key=key("ada", 1),
            UpdateExpression=case["expression"],
            ReturnValues="ALL_NEW",
            **given(
                ExpressionAttributeNames=case.get("names"),
                ExpressionAttributeValues=typed_item(case.get("values", {})),
            ),
        )
        kept = {name: value for name, value in stored.items() if name not in case["changes"]}
        changed = {name: typed(value) for name, value in case["changes"].items() if value is not None}
        assert unordered_item(answer["Attributes"]) == unordered_item({**kept, **changed}), case["expression"]


def test_projections(client, library, stored, expressions):
    for case in expressions["projections"]:
        found = client.get_item(
            TableName=library,
            Key=key("ada", 1),
            ProjectionExpression=case["expression"],
            **given(ExpressionAttributeNames=case.get("names")),
        )
        assert found["Item"] == typed_item(case["item"]), case["expression"]


def test_wrong_expressions_are_refused_by_name(client, library, expressions):
    for case in expressions["refused"]:
        with pytest.raises(client.exceptions.ClientError) as refused:
            client.delete_item(TableName=library, Key=key("ada", 1), ConditionExpression=case["expression"])
        error = refused.value.response["Error"]
        assert error["Code"] == "ValidationException"
        assert error["Message"].startswith(f"Invalid ConditionExpression: {case['problem']}; "), case["expression"]

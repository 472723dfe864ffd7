"""Refusals: exceptions as classes, AWS's words, status codes, request ids."""

import zlib

import boto3
import pytest

from library import key


def test_answers_carry_a_request_id(client, library):
    metadata = client.describe_table(TableName=library)["ResponseMetadata"]
    assert metadata["HTTPStatusCode"] == 200
    assert len(metadata["RequestId"]) == 52
    assert metadata["HTTPHeaders"]["content-type"] == "application/x-amz-json-1.0"


def test_errors_carry_a_request_id(client):
    with pytest.raises(client.exceptions.ResourceNotFoundException) as refused:
        client.get_item(TableName="not-there", Key=key("ada", 1))
    answer = refused.value.response
    assert answer["Error"]["Message"] == "Requested resource not found"
    assert answer["ResponseMetadata"]["HTTPStatusCode"] == 400
    assert len(answer["ResponseMetadata"]["RequestId"]) == 52


def test_the_checksum_is_that_of_the_body():
    # Only some versions and settings of the client compare it, so that is done here.
    compared = []

    def compare(response_dict, **_):
        compared.append((response_dict["headers"]["x-amz-crc32"], str(zlib.crc32(response_dict["body"]))))

    client = boto3.client("dynamodb")
    client.meta.events.register("response-received.dynamodb", compare)
    client.list_tables()
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.describe_table(TableName="not-there")
    assert len(compared) == 2
    assert all(sent == computed for sent, computed in compared)


def test_a_missing_table_is_described_by_name(client):
    with pytest.raises(client.exceptions.ResourceNotFoundException) as refused:
        client.describe_table(TableName="not-there")
    message = refused.value.response["Error"]["Message"]
    assert message == "Requested resource not found: Table: not-there not found"


@pytest.mark.parametrize(
    ("call", "arguments", "problem"),
    [
        ("put_item", {"Item": {"PK": {"S": "a"}}}, "One or more parameter values were invalid: Missing the key SK in the item"),
        (
            "put_item",
            {"Item": {"PK": {"N": "1"}, "SK": {"S": "a"}}},
            "One or more parameter values were invalid: Type mismatch for key PK expected: S actual: N",
        ),
        ("get_item", {"Key": {"PK": {"S": "a"}}}, "The provided key element does not match the schema"),
        (
            "put_item",
            {"Item": {"PK": {"S": ""}, "SK": {"S": "a"}}},
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
            "empty string value. Key: PK",
        ),
        (
            "put_item",
            {"Item": {**key("ada", 1), "Large": {"S": "x" * 409_600}}},
            "Item size has exceeded the maximum allowed size",
        ),
        (
            "put_item",
            {"Item": {**key("ada", 1), "Set": {"SS": ["a", "a"]}}},
            "One or more parameter values were invalid: Input collection [a, a] contains duplicates.",
        ),
        (
            "query",
            {"KeyConditionExpression": "SK = :s", "ExpressionAttributeValues": {":s": {"S": "a"}}},
            "Query condition missed key schema element: PK",
        ),
        (
            "query",
            {
                "IndexName": "Nowhere",
                "KeyConditionExpression": "PK = :s",
                "ExpressionAttributeValues": {":s": {"S": "a"}},
            },
            "The table does not have the specified index: Nowhere",
        ),
        (
            "update_item",
            {"Key": key("ada", 1), "UpdateExpression": "SET SK = :s", "ExpressionAttributeValues": {":s": {"S": "a"}}},
            "One or more parameter values were invalid: Cannot update attribute SK. This attribute is part of the key",
        ),
        (
            "delete_item",
            {
                "Key": key("ada", 1),
                "ConditionExpression": "PK = :a",
                "ExpressionAttributeValues": {":a": {"S": "a"}, ":b": {"S": "b"}},
            },
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:b}",
        ),
    ],
    ids=[
        "missing key", "type of a key", "half a key", "empty key", "too large", "set with duplicates",
        "no partition", "unknown index", "changed key", "unused value",
    ],
)
def test_requests_that_are_refused(client, library, call, arguments, problem):
    with pytest.raises(client.exceptions.ClientError) as refused:
        getattr(client, call)(TableName=library, **arguments)
    error = refused.value.response["Error"]
    assert (error["Code"], error["Message"]) == ("ValidationException", problem)


def test_broken_constraints_are_counted(client):
    with pytest.raises(client.exceptions.ClientError) as refused:
        client.put_item(TableName="a b", Item=key("ada", 1), ReturnValues="EVERYTHING")
    message = refused.value.response["Error"]["Message"]
    assert message.startswith("2 validation errors detected: ")
    assert "Value 'a b' at 'tableName' failed to satisfy constraint: " in message
    assert "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+" in message
    assert "Value 'EVERYTHING' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: [" in message

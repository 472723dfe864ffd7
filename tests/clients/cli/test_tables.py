"""Tables, waiters and access keys."""

import json
import subprocess
import uuid

import pytest

from conftest import DEFINITION, aws, refusal, run


def test_a_table_comes_and_goes():
    name = f"cli-{uuid.uuid4().hex[:12]}"
    made = aws(
        "create-table",
        "--table-name", name,
        "--attribute-definitions", "AttributeName=PK,AttributeType=S", "AttributeName=SK,AttributeType=N",
        "--key-schema", "AttributeName=PK,KeyType=HASH", "AttributeName=SK,KeyType=RANGE",
        "--provisioned-throughput", "ReadCapacityUnits=5,WriteCapacityUnits=3",
    )
    assert made["TableDescription"]["TableName"] == name
    aws("wait", "table-exists", "--table-name", name)
    aws("update-table", "--table-name", name, "--billing-mode", "PAY_PER_REQUEST")
    aws("wait", "table-exists", "--table-name", name)
    query = "Table.[TableStatus, BillingModeSummary.BillingMode, KeySchema[1].AttributeName]"
    described = aws("describe-table", "--table-name", name, "--query", query)
    assert described == ["ACTIVE", "PAY_PER_REQUEST", "SK"]
    assert name in aws("list-tables", "--query", "TableNames[]", "--output", "text").split()
    aws("delete-table", "--table-name", name)
    aws("wait", "table-not-exists", "--table-name", name)
    said = refusal("describe-table", "--table-name", name)
    assert "(ResourceNotFoundException) when calling the DescribeTable operation: Requested resource not found" in said


def test_a_name_is_taken_once(table):
    said = refusal("create-table", "--table-name", table, "--cli-input-json", json.dumps(DEFINITION))
    assert f"(ResourceInUseException) when calling the CreateTable operation: Table already exists: {table}" in said


def test_tables_are_listed_in_pages(table):
    first = aws("list-tables", "--max-items", "1")
    assert len(first["TableNames"]) == 1
    names = aws("list-tables", "--page-size", "1", "--query", "TableNames[]")
    assert table in names
    assert names == sorted(names)


@pytest.fixture
def keys():
    def setting(name):
        command = ["aws", "configure", "get", name]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    return {
        "AWS_ACCESS_KEY_ID": setting("aws_access_key_id"),
        "AWS_SECRET_ACCESS_KEY": setting("aws_secret_access_key"),
    }


def test_the_right_secret_is_let_in(keys):
    assert "TableNames" in aws("list-tables", **keys)
    assert "TableNames" in aws("list-tables", AWS_PROFILE="temporary")


def test_a_wrong_secret_is_refused(keys):
    wrong = {**keys, "AWS_SECRET_ACCESS_KEY": "wrong"}
    assert "(InvalidSignatureException) when calling the ListTables operation" in refusal("list-tables", **wrong)


def test_an_unknown_key_is_refused(keys):
    unknown = {**keys, "AWS_ACCESS_KEY_ID": "AKIDNOBODY"}
    said = refusal("list-tables", **unknown)
    assert "(UnrecognizedClientException)" in said
    assert "The security token included in the request is invalid." in said


def test_an_unsigned_request_is_refused():
    assert "(MissingAuthenticationTokenException)" in refusal("list-tables", "--no-sign-request")


def test_a_waiter_gives_up_on_what_it_does_not_expect(keys):
    ended = run("wait", "table-exists", "--table-name", "any", **{**keys, "AWS_SECRET_ACCESS_KEY": "wrong"})
    assert ended.returncode == 255
    assert "InvalidSignatureException" in ended.stderr

"""The AWS CLI as a program: arguments in, JSON or text out, an exit code."""

import base64
import json
import os
import pathlib
import subprocess
import uuid

import pytest

DEFINITION = {
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
    "AttributeDefinitions": [
        {"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK", "Branch", "Due")
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "ByBranch",
            "KeySchema": [
                {"AttributeName": "Branch", "KeyType": "HASH"},
                {"AttributeName": "Due", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        }
    ],
    "BillingMode": "PAY_PER_REQUEST",
}

# `aws` of version 1 exits with this when the service has refused a request (version 2 with 254).
REFUSED = 255


def run(*arguments, service="dynamodb", **environment):
    return subprocess.run(
        ["aws", service, *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "AWS_MAX_ATTEMPTS": "1", **environment},
    )


def aws(*arguments, **environment):
    """What a command that succeeds prints."""
    ended = run(*arguments, **environment)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout) if ended.stdout.startswith(("{", "[")) else ended.stdout.strip()


def refusal(*arguments, **environment):
    """What a command that is refused says."""
    ended = run(*arguments, **environment)
    assert ended.returncode == REFUSED, (ended.returncode, ended.stdout, ended.stderr)
    assert ended.stdout == ""
    return ended.stderr


def argument(item):
    """An item as JSON for a command. `aws` of version 1 takes bytes as text, and prints them as base64."""

    def text(value):
        match value:
            case {"B": content}:
                return {"B": base64.b64decode(content).decode()}
            case {"BS": members}:
                return {"BS": [base64.b64decode(content).decode() for content in members]}
            case _:
                return value

    return {name: text(value) for name, value in item.items()}


def key(number):
    return json.dumps({"PK": {"S": "MEMBER#ada"}, "SK": {"S": f"LOAN#{number:04}"}})


def loan(number):
    return {
        "PK": {"S": "MEMBER#ada"},
        "SK": {"S": f"LOAN#{number:04}"},
        "Title": {"S": f"Volume {number}"},
        "Branch": {"S": "Hill" if number % 3 == 0 else "Harbour"},
        "Due": {"S": f"2031-01-{number:02}"},
    }


@pytest.fixture(scope="module")
def table():
    """The name of an empty table. Tests of one file share it, because every command is a process."""
    name = f"cli-{uuid.uuid4().hex[:12]}"
    aws("create-table", "--table-name", name, "--cli-input-json", json.dumps(DEFINITION))
    aws("wait", "table-exists", "--table-name", name)
    yield name
    aws("delete-table", "--table-name", name)


@pytest.fixture(scope="module")
def shelf(table):
    """The table with the loans 1 to 12."""
    writes = [{"PutRequest": {"Item": loan(number)}} for number in range(1, 13)]
    answer = aws("batch-write-item", "--request-items", json.dumps({table: writes}))
    assert answer == {"UnprocessedItems": {}}
    return table


@pytest.fixture(scope="session")
def expressions():
    return json.loads(pathlib.Path(os.environ["MONOTABLE_EXPRESSIONS"]).read_text())

"""The clients under test and the tables they work on.

`../run` sets the endpoint, the region and the file of access keys in the environment, as a user would:
nothing here names a server.
"""

import json
import pathlib
import uuid

import boto3
import botocore.config
import pytest

from library import LIBRARY


@pytest.fixture(scope="session")
def client():
    # Errors are to be seen at once, not after five attempts.
    return boto3.client("dynamodb", config=botocore.config.Config(retries={"total_max_attempts": 1}))


@pytest.fixture(scope="session")
def streams():
    return boto3.client("dynamodbstreams", config=botocore.config.Config(retries={"total_max_attempts": 1}))


@pytest.fixture(scope="session")
def resource():
    return boto3.resource("dynamodb")


@pytest.fixture
def new_table(client):
    """Makes tables with names of their own, and removes those that are left at the end."""
    made = []

    def make(definition=LIBRARY):
        name = f"python-{uuid.uuid4().hex[:12]}"
        client.create_table(TableName=name, **definition)
        client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 30})
        made.append(name)
        return name

    yield make
    for name in set(made) & set(all_tables(client)):
        client.delete_table(TableName=name)


@pytest.fixture
def library(new_table):
    """The name of an empty table of loans."""
    return new_table()


@pytest.fixture
def loans(resource, library):
    """The same as an object of the resource interface."""
    return resource.Table(library)


@pytest.fixture(scope="session")
def expressions():
    return json.loads((pathlib.Path(__file__).parent.parent / "expressions.json").read_text())


def all_tables(client):
    return [name for page in client.get_paginator("list_tables").paginate() for name in page["TableNames"]]

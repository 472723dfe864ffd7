"""Tables: made, described, listed, waited for, changed, removed."""

import datetime

import pytest

from library import LIBRARY

SOON = {"Delay": 1, "MaxAttempts": 30}


def test_a_new_table_is_described_as_it_was_asked_for(client, library):
    table = client.describe_table(TableName=library)["Table"]
    assert table["TableName"] == library
    assert table["TableStatus"] == "ACTIVE"
    assert table["KeySchema"] == LIBRARY["KeySchema"]
    by_name = lambda definition: definition["AttributeName"]
    assert sorted(table["AttributeDefinitions"], key=by_name) == sorted(LIBRARY["AttributeDefinitions"], key=by_name)
    assert table["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert table["TableArn"].endswith(f":table/{library}")
    assert isinstance(table["CreationDateTime"], datetime.datetime)
    assert table["ItemCount"] == 0
    (branches,) = table["GlobalSecondaryIndexes"]
    assert branches["IndexName"] == "ByBranch"
    assert branches["IndexStatus"] == "ACTIVE"
    assert branches["Projection"] == {"ProjectionType": "KEYS_ONLY"}
    (pages,) = table["LocalSecondaryIndexes"]
    assert pages["Projection"] == {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["Title"]}


def test_the_waiters_see_a_table_come_and_go(client, new_table):
    name = new_table()
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig=SOON)
    described = client.delete_table(TableName=name)["TableDescription"]
    assert described["TableName"] == name
    client.get_waiter("table_not_exists").wait(TableName=name, WaiterConfig=SOON)
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.describe_table(TableName=name)


def test_the_resource_waits_and_loads(resource, new_table):
    table = resource.Table(new_table())
    table.wait_until_exists()
    table.load()
    assert table.table_status == "ACTIVE"
    assert [element["AttributeName"] for element in table.key_schema] == ["PK", "SK"]
    table.delete()
    table.wait_until_not_exists()
    assert table.name not in [each.name for each in resource.tables.all()]


def test_tables_are_listed_in_pages(client, new_table):
    made = sorted(new_table() for _ in range(3))
    pages = list(client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 2}))
    assert all(len(page["TableNames"]) <= 2 for page in pages)
    listed = [name for page in pages for name in page["TableNames"]]
    assert listed == sorted(listed)
    assert set(made) <= set(listed)
    after = client.list_tables(ExclusiveStartTableName=made[0], Limit=1)
    assert after["TableNames"][0] > made[0]


def test_a_name_is_taken_once(client, library):
    with pytest.raises(client.exceptions.ResourceInUseException) as refused:
        client.create_table(TableName=library, **LIBRARY)
    assert f"Table already exists: {library}" in str(refused.value)


def test_provisioned_throughput_is_changed(client, new_table):
    definition = {
        "KeySchema": LIBRARY["KeySchema"],
        "AttributeDefinitions": LIBRARY["AttributeDefinitions"][:2],
        "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5},
    }
    name = new_table(definition)
    client.update_table(TableName=name, ProvisionedThroughput={"ReadCapacityUnits": 9, "WriteCapacityUnits": 7})
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig=SOON)
    throughput = client.describe_table(TableName=name)["Table"]["ProvisionedThroughput"]
    assert (throughput["ReadCapacityUnits"], throughput["WriteCapacityUnits"]) == (9, 7)


def test_a_protected_table_stays(client, new_table):
    name = new_table({**LIBRARY, "DeletionProtectionEnabled": True})
    with pytest.raises(client.exceptions.ClientError) as refused:
        client.delete_table(TableName=name)
    assert refused.value.response["Error"]["Code"] == "ValidationException"
    client.update_table(TableName=name, DeletionProtectionEnabled=False)
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig=SOON)
    client.delete_table(TableName=name)


def test_the_service_describes_itself(client):
    (endpoint,) = client.describe_endpoints()["Endpoints"]
    assert endpoint["Address"] and endpoint["CachePeriodInMinutes"] > 0
    assert client.describe_limits()["TableMaxReadCapacityUnits"] > 0

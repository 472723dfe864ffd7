"""Tables: made, described, listed, waited for, changed, removed."""

import datetime
import time

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


def test_an_index_is_added_and_removed(client, new_table):
    name = new_table({**LIBRARY, "GlobalSecondaryIndexes": LIBRARY["GlobalSecondaryIndexes"][:1]})
    for number in range(30):
        item = {"PK": {"S": str(number)}, "SK": {"S": "x"}, "Shelf": {"N": str(number % 3)}}
        client.put_item(TableName=name, Item=item)
    # An item that the index cannot take.
    client.put_item(TableName=name, Item={"PK": {"S": "odd"}, "SK": {"S": "x"}, "Shelf": {"S": "top"}})

    def index():
        indexes = client.describe_table(TableName=name)["Table"]["GlobalSecondaryIndexes"]
        return next((index for index in indexes if index["IndexName"] == "ByShelf"), None)

    def wait_until(is_reached):
        for _ in range(300):
            if is_reached(index()):
                return
            time.sleep(0.1)
        raise AssertionError(index())

    create = {
        "IndexName": "ByShelf",
        "KeySchema": [{"AttributeName": "Shelf", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "KEYS_ONLY"},
    }
    answer = client.update_table(
        TableName=name,
        AttributeDefinitions=[{"AttributeName": "Shelf", "AttributeType": "N"}],
        GlobalSecondaryIndexUpdates=[{"Create": create}],
    )
    statuses = {each["IndexName"]: each["IndexStatus"] for each in answer["TableDescription"]["GlobalSecondaryIndexes"]}
    assert statuses == {"ByBranch": "ACTIVE", "ByShelf": "CREATING"}
    wait_until(lambda index: index["IndexStatus"] == "ACTIVE")
    found = client.query(
        TableName=name,
        IndexName="ByShelf",
        KeyConditionExpression="Shelf = :one",
        ExpressionAttributeValues={":one": {"N": "1"}},
    )
    assert found["Count"] == 10
    client.update_table(TableName=name, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "ByShelf"}}])
    wait_until(lambda index: index is None)

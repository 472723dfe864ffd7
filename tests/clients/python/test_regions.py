"""Regions: a client that signs for another one gets other data.

`../run` starts a server with `--regions` beside the others, and says where.
"""

import os
import time
import uuid

import boto3
import botocore.config
import pytest

SONGS = {
    "KeySchema": [{"AttributeName": "Id", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "Id", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
}


def connect(region, service="dynamodb"):
    return boto3.client(
        service,
        region_name=region,
        endpoint_url=os.environ["MONOTABLE_REGIONS_ENDPOINT"],
        config=botocore.config.Config(retries={"total_max_attempts": 1}),
    )


@pytest.fixture
def name():
    """The name of a table that the regions have each, if they make it."""
    name = f"python-{uuid.uuid4().hex[:12]}"
    yield name
    for region in ["eu-central-1", "us-west-2"]:
        client = connect(region)
        if name in client.list_tables()["TableNames"]:
            client.delete_table(TableName=name)


def make(client, name):
    table = client.create_table(TableName=name, **SONGS)["TableDescription"]
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 30})
    return table


def songs(client, name):
    return {item["Id"]["S"] for item in client.scan(TableName=name)["Items"]}


def test_regions_have_tables_of_their_own(name):
    frankfurt, oregon = connect("eu-central-1"), connect("us-west-2")
    table = make(frankfurt, name)
    assert table["TableArn"] == f"arn:aws:dynamodb:eu-central-1:000000000000:table/{name}"
    frankfurt.put_item(TableName=name, Item={"Id": {"S": "here"}})
    with pytest.raises(oregon.exceptions.ResourceNotFoundException):
        oregon.get_item(TableName=name, Key={"Id": {"S": "here"}})

    assert ":us-west-2:" in make(oregon, name)["TableArn"]
    oregon.put_item(TableName=name, Item={"Id": {"S": "there"}})
    assert (songs(frankfurt, name), songs(oregon, name)) == ({"here"}, {"there"})
    oregon.delete_table(TableName=name)
    assert songs(frankfurt, name) == {"here"}


def test_streams_and_backups_name_their_region(name):
    client, streams = connect("us-west-2"), connect("us-west-2", "dynamodbstreams")
    make(client, name)
    client.put_item(TableName=name, Item={"Id": {"S": "one"}})
    (stream,) = streams.list_streams(TableName=name)["Streams"]
    begin = f"arn:aws:dynamodb:us-west-2:000000000000:table/{name}"
    assert stream["StreamArn"].startswith(f"{begin}/stream/")
    described = streams.describe_stream(StreamArn=stream["StreamArn"])["StreamDescription"]
    iterator = streams.get_shard_iterator(
        StreamArn=stream["StreamArn"], ShardId=described["Shards"][0]["ShardId"], ShardIteratorType="TRIM_HORIZON"
    )["ShardIterator"]
    (record,) = streams.get_records(ShardIterator=iterator)["Records"]
    assert record["awsRegion"] == "us-west-2"
    backup = client.create_backup(TableName=name, BackupName="kept")["BackupDetails"]["BackupArn"]
    assert backup.startswith(f"{begin}/backup/")
    # Another region knows nothing of either.
    other = connect("eu-central-1")
    assert connect("eu-central-1", "dynamodbstreams").list_streams(TableName=name)["Streams"] == []
    assert other.list_backups(TableName=name)["BackupSummaries"] == []
    for _ in range(600):
        description = client.describe_backup(BackupArn=backup)["BackupDescription"]
        if description["BackupDetails"]["BackupStatus"] == "AVAILABLE":
            break
        time.sleep(0.05)
    client.delete_backup(BackupArn=backup)


def test_what_is_no_region_is_said():
    client = connect("fakeRegion")
    with pytest.raises(client.exceptions.ClientError, match="scoped to a valid region, not 'fakeRegion'") as caught:
        client.list_tables()
    assert caught.value.response["Error"]["Code"] == "InvalidSignatureException"


def test_without_the_option_all_regions_are_one(client, library):
    other = boto3.client("dynamodb", region_name="ap-south-1")
    assert library in [name for page in other.get_paginator("list_tables").paginate() for name in page["TableNames"]]


def test_a_table_of_another_region_is_refused(name):
    frankfurt, oregon = connect("eu-central-1"), connect("us-west-2")
    arn = make(frankfurt, name)["TableArn"]
    make(oregon, name)
    frankfurt.put_item(TableName=arn, Item={"Id": {"S": "here"}})
    with pytest.raises(oregon.exceptions.ClientError, match="Invalid AWS region in"):
        oregon.put_item(TableName=arn, Item={"Id": {"S": "there"}})
    assert songs(frankfurt, name) == {"here"}
    assert songs(oregon, name) == set()

"""Time to live: items that go by themselves, and what is told of it."""

import time

import botocore.exceptions
import pytest

SESSIONS = {
    "KeySchema": [{"AttributeName": "Id", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "Id", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "OLD_IMAGE"},
}


@pytest.fixture
def sessions(resource, new_table):
    return resource.Table(new_table(SESSIONS))


def switch(client, table, enabled, attribute="Expires"):
    return client.update_time_to_live(
        TableName=table.name, TimeToLiveSpecification={"Enabled": enabled, "AttributeName": attribute}
    )["TimeToLiveSpecification"]


def ids(table):
    return {item["Id"] for item in table.scan(ConsistentRead=True)["Items"]}


def await_ids(table, wanted):
    for _ in range(600):
        found = ids(table)
        if found == wanted:
            return
        time.sleep(0.05)
    pytest.fail(f"{found} and never {wanted}")


def records(streams, table):
    arn = table.meta.client.describe_table(TableName=table.name)["Table"]["LatestStreamArn"]
    (shard,) = streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]
    iterator = streams.get_shard_iterator(
        StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON"
    )["ShardIterator"]
    return streams.get_records(ShardIterator=iterator)["Records"]


def test_expired_items_go_and_the_stream_says_who_removed_them(client, streams, sessions):
    now = int(time.time())
    for name, expires in {
        "past": now - 10,
        "far": now + 86_400,
        "text": str(now - 10),
        "six years ago": now - 6 * 31_557_600,
    }.items():
        sessions.put_item(Item={"Id": name, "Expires": expires})
    sessions.put_item(Item={"Id": "without"})
    sessions.put_item(Item={"Id": "deleted"})
    sessions.delete_item(Key={"Id": "deleted"})
    assert switch(client, sessions, True) == {"Enabled": True, "AttributeName": "Expires"}
    await_ids(sessions, {"far", "text", "six years ago", "without"})

    removed = [record for record in records(streams, sessions) if record["eventName"] == "REMOVE"]
    assert [record["dynamodb"]["Keys"]["Id"]["S"] for record in removed] == ["deleted", "past"]
    by_client, by_service = removed
    assert "userIdentity" not in by_client
    assert by_service["userIdentity"] == {"Type": "Service", "PrincipalId": "dynamodb.amazonaws.com"}
    assert by_service["dynamodb"]["OldImage"]["Expires"] == {"N": str(now - 10)}


def test_an_item_goes_when_its_time_comes(client, sessions):
    switch(client, sessions, True)
    sessions.put_item(Item={"Id": "soon", "Expires": int(time.time()) + 2})
    assert ids(sessions) == {"soon"}
    await_ids(sessions, set())


def test_a_table_that_says_nothing_keeps_its_items(client, sessions):
    described = client.describe_time_to_live(TableName=sessions.name)["TimeToLiveDescription"]
    assert described == {"TimeToLiveStatus": "DISABLED"}
    switch(client, sessions, True)
    described = client.describe_time_to_live(TableName=sessions.name)["TimeToLiveDescription"]
    assert described == {"TimeToLiveStatus": "ENABLED", "AttributeName": "Expires"}
    switch(client, sessions, False)
    sessions.put_item(Item={"Id": "past", "Expires": int(time.time()) - 10})
    # As long as the background takes to look at all tables, and longer.
    time.sleep(1.5)
    assert ids(sessions) == {"past"}


def test_what_is_wrong_is_said(client, sessions):
    with pytest.raises(botocore.exceptions.ClientError, match="TimeToLive is already disabled"):
        switch(client, sessions, False)
    switch(client, sessions, True)
    with pytest.raises(botocore.exceptions.ClientError, match="TimeToLive is already enabled"):
        switch(client, sessions, True)
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.describe_time_to_live(TableName="nobody-made-it")

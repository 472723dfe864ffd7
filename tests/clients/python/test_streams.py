"""Streams: read by consumers that stop and go on."""

import datetime
import time

import pytest

SONGS = {
    "KeySchema": [{"AttributeName": "Id", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "Id", "AttributeType": "N"}],
    "BillingMode": "PAY_PER_REQUEST",
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
}


class Consumer:
    """Reads a stream shard after shard, parents first, and notes how far it has come.

    All it needs to go on is the checkpoint: the shards that are read up, and the last number of those that are not.
    """

    def __init__(self, streams, arn, checkpoint=None):
        self.streams = streams
        self.arn = arn
        self.checkpoint = checkpoint or {"finished": [], "numbers": {}}

    def shards(self):
        found, start = [], {}
        while True:
            page = self.streams.describe_stream(StreamArn=self.arn, **start)["StreamDescription"]
            found += page["Shards"]
            if "LastEvaluatedShardId" not in page:
                return found
            start = {"ExclusiveStartShardId": page["LastEvaluatedShardId"]}

    def readable(self):
        """A shard that is not read up and whose parent is, or is gone."""
        shards = self.shards()
        known = {shard["ShardId"] for shard in shards}
        for shard in shards:
            parent = shard.get("ParentShardId")
            if shard["ShardId"] not in self.checkpoint["finished"] and (
                parent not in known or parent in self.checkpoint["finished"]
            ):
                return shard["ShardId"]
        return None

    def iterator(self, shard):
        number = self.checkpoint["numbers"].get(shard)
        where = (
            {"ShardIteratorType": "AFTER_SEQUENCE_NUMBER", "SequenceNumber": number}
            if number
            else {"ShardIteratorType": "TRIM_HORIZON"}
        )
        return self.streams.get_shard_iterator(StreamArn=self.arn, ShardId=shard, **where)["ShardIterator"]

    def read(self, limit=1000, most=None):
        """The records up to now, or about as many as are wanted."""
        records = []
        while shard := self.readable():
            iterator = self.iterator(shard)
            while iterator:
                page = self.streams.get_records(ShardIterator=iterator, Limit=limit)
                for record in page["Records"]:
                    records.append(record)
                    self.checkpoint["numbers"][shard] = record["dynamodb"]["SequenceNumber"]
                if most and len(records) >= most:
                    return records
                iterator = page.get("NextShardIterator")
                if iterator and not page["Records"]:
                    return records
            self.checkpoint["finished"].append(shard)
        return records


@pytest.fixture
def songs(client, new_table):
    """The name of a table with a stream, and the ARN of that."""
    name = new_table(SONGS)
    return name, client.describe_table(TableName=name)["Table"]["LatestStreamArn"]


def song(number, **attributes):
    return {"Id": {"N": str(number)}, **attributes}


def test_a_stream_tells_what_happened(client, streams, songs):
    name, arn = songs
    client.put_item(TableName=name, Item=song(101, Message={"S": "New item!"}))
    client.update_item(
        TableName=name,
        Key=song(101),
        UpdateExpression="SET Message = :m",
        ExpressionAttributeValues={":m": {"S": "This item has changed"}},
    )
    client.delete_item(TableName=name, Key=song(101))
    records = Consumer(streams, arn).read()
    assert [record["eventName"] for record in records] == ["INSERT", "MODIFY", "REMOVE"]
    assert [record["dynamodb"]["SizeBytes"] for record in records] == [26, 59, 38]
    inserted, modified, removed = (record["dynamodb"] for record in records)
    assert inserted["Keys"] == song(101)
    assert inserted["NewImage"] == song(101, Message={"S": "New item!"})
    assert "OldImage" not in inserted
    assert modified["OldImage"] == inserted["NewImage"]
    assert removed["OldImage"] == modified["NewImage"]
    assert "NewImage" not in removed
    made = inserted["ApproximateCreationDateTime"]
    assert abs(datetime.datetime.now(datetime.timezone.utc) - made) < datetime.timedelta(hours=1)
    assert records[0]["eventSource"] == "aws:dynamodb"
    assert len({record["eventID"] for record in records}) == 3


def test_streams_are_listed_and_described(client, streams, songs):
    name, arn = songs
    (listed,) = streams.list_streams(TableName=name)["Streams"]
    assert listed["StreamArn"] == arn
    assert arn.endswith(f":table/{name}/stream/{listed['StreamLabel']}")
    described = streams.describe_stream(StreamArn=arn)["StreamDescription"]
    assert described["StreamStatus"] == "ENABLED"
    assert described["StreamViewType"] == "NEW_AND_OLD_IMAGES"
    assert described["KeySchema"] == SONGS["KeySchema"]
    assert isinstance(described["CreationRequestDateTime"], datetime.datetime)


def test_a_consumer_goes_on_where_another_one_stopped(client, streams, songs):
    name, arn = songs
    # So many that the stream gets a second shard.
    for start in range(0, 10_050, 25):
        puts = [{"PutRequest": {"Item": song(number)}} for number in range(start, start + 25)]
        assert client.batch_write_item(RequestItems={name: puts})["UnprocessedItems"] == {}
    for _ in range(100):
        if len(Consumer(streams, arn).shards()) > 1:
            break
        time.sleep(0.1)
    client.put_item(TableName=name, Item=song(20_000))

    first = Consumer(streams, arn)
    told = first.read(limit=700, most=4_000)
    assert 4_000 <= len(told) < 10_051
    second = Consumer(streams, arn, checkpoint=first.checkpoint)
    told += second.read()
    client.put_item(TableName=name, Item=song(20_001))
    told += Consumer(streams, arn, checkpoint=second.checkpoint).read()

    ids = [int(record["dynamodb"]["Keys"]["Id"]["N"]) for record in told]
    assert sorted(ids) == [*range(10_050), 20_000, 20_001]
    assert ids[-2:] == [20_000, 20_001]
    numbers = [record["dynamodb"]["SequenceNumber"] for record in told]
    assert numbers == sorted(numbers)
    assert second.checkpoint["finished"], "the first shard is closed and read up"
    (parent, child, *_) = second.shards()
    assert child["ParentShardId"] == parent["ShardId"]
    filter = {"Type": "CHILD_SHARDS", "ShardId": parent["ShardId"]}
    described = streams.describe_stream(StreamArn=arn, ShardFilter=filter)["StreamDescription"]
    assert [shard["ShardId"] for shard in described["Shards"]] == [child["ShardId"]]


def test_a_stream_is_switched_off_and_on(client, streams, songs):
    name, arn = songs
    client.put_item(TableName=name, Item=song(1))
    client.update_table(TableName=name, StreamSpecification={"StreamEnabled": False})
    client.put_item(TableName=name, Item=song(2))
    consumer = Consumer(streams, arn)
    assert [record["dynamodb"]["Keys"] for record in consumer.read()] == [song(1)]
    assert consumer.readable() is None
    assert streams.describe_stream(StreamArn=arn)["StreamDescription"]["StreamStatus"] == "DISABLED"
    again = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
    table = client.update_table(TableName=name, StreamSpecification=again)["TableDescription"]
    assert table["LatestStreamArn"] != arn
    client.put_item(TableName=name, Item=song(3, Message={"S": "not shown"}))
    (record,) = Consumer(streams, table["LatestStreamArn"]).read()
    assert record["dynamodb"]["Keys"] == song(3)
    assert "NewImage" not in record["dynamodb"]
    assert len(streams.list_streams(TableName=name)["Streams"]) == 2


def test_what_is_wrong_is_said(client, streams, songs):
    name, arn = songs
    with pytest.raises(streams.exceptions.ResourceNotFoundException):
        streams.describe_stream(StreamArn=arn[:-1] + "X")
    with pytest.raises(client.exceptions.ClientError, match="Table already has an enabled stream"):
        client.update_table(TableName=name, StreamSpecification=SONGS["StreamSpecification"])
    with pytest.raises(streams.exceptions.ClientError, match="Invalid ShardIterator"):
        streams.get_records(ShardIterator="made up")

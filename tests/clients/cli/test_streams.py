"""Streams by the AWS CLI: `aws dynamodbstreams`."""

import json
import uuid

from conftest import DEFINITION, aws


def test_a_stream_is_read_command_by_command():
    name = f"cli-{uuid.uuid4().hex[:12]}"
    view = "StreamEnabled=true,StreamViewType=NEW_IMAGE"
    definition = json.dumps(DEFINITION)
    aws("create-table", "--table-name", name, "--cli-input-json", definition, "--stream-specification", view)
    aws("wait", "table-exists", "--table-name", name)
    item = {"PK": {"S": "a"}, "SK": {"S": "b"}, "Title": {"S": "c"}}
    aws("put-item", "--table-name", name, "--item", json.dumps(item))
    query = ("--query", "Streams[0].StreamArn", "--output", "text")
    arn = aws("list-streams", "--table-name", name, *query, service="dynamodbstreams")
    query = ("--query", "StreamDescription.Shards[0].ShardId", "--output", "text")
    shard = aws("describe-stream", "--stream-arn", arn, *query, service="dynamodbstreams")
    place = ("--stream-arn", arn, "--shard-id", shard, "--shard-iterator-type", "TRIM_HORIZON")
    iterator = aws("get-shard-iterator", *place, service="dynamodbstreams")["ShardIterator"]
    (record,) = aws("get-records", "--shard-iterator", iterator, service="dynamodbstreams")["Records"]
    assert record["eventName"] == "INSERT"
    assert record["dynamodb"]["NewImage"] == item
    aws("delete-table", "--table-name", name)

"""Tags and policies of a table."""

import json

import pytest

from library import LIBRARY


@pytest.fixture
def arn(client, library):
    return client.describe_table(TableName=library)["Table"]["TableArn"]


def tags(client, arn):
    pages = client.get_paginator("list_tags_of_resource").paginate(ResourceArn=arn)
    return {tag["Key"]: tag["Value"] for page in pages for tag in page["Tags"]}


def test_tags(client, arn):
    assert tags(client, arn) == {}
    client.tag_resource(ResourceArn=arn, Tags=[{"Key": "team", "Value": "a"}, {"Key": "stage", "Value": ""}])
    client.tag_resource(ResourceArn=arn, Tags=[{"Key": "team", "Value": "b"}])
    assert tags(client, arn) == {"team": "b", "stage": ""}
    client.untag_resource(ResourceArn=arn, TagKeys=["stage", "nobody"])
    assert tags(client, arn) == {"team": "b"}


def test_tags_of_no_table(client, arn):
    with pytest.raises(client.exceptions.ResourceNotFoundException, match="ResourceArn: .*gone not found"):
        client.list_tags_of_resource(ResourceArn=f"{arn}-gone")


def test_policies(client, arn):
    statement = {"Effect": "Deny", "Principal": "*", "Action": "dynamodb:DeleteItem", "Resource": arn}
    policy = {"Version": "2012-10-17", "Statement": [statement]}
    with pytest.raises(client.exceptions.PolicyNotFoundException):
        client.get_resource_policy(ResourceArn=arn)
    put = client.put_resource_policy(ResourceArn=arn, Policy=json.dumps(policy, indent=2), ExpectedRevisionId="NO_POLICY")
    found = client.get_resource_policy(ResourceArn=arn)
    assert json.loads(found["Policy"]) == policy and found["RevisionId"] == put["RevisionId"]
    with pytest.raises(client.exceptions.PolicyNotFoundException):
        client.delete_resource_policy(ResourceArn=arn, ExpectedRevisionId="1")
    assert client.delete_resource_policy(ResourceArn=arn)["RevisionId"] == put["RevisionId"]


def test_a_policy_comes_with_the_table(client, new_table):
    policy = {
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Deny", "Principal": "*", "Action": "dynamodb:DeleteTable", "Resource": "*"}],
    }
    name = new_table({**LIBRARY, "ResourcePolicy": json.dumps(policy)})
    arn = client.describe_table(TableName=name)["Table"]["TableArn"]
    assert json.loads(client.get_resource_policy(ResourceArn=arn)["Policy"]) == policy


def test_a_policy_that_is_none_is_refused(client, arn):
    statement = {"Effect": "Maybe", "Principal": "*", "Action": "dynamodb:DeleteItem", "Resource": arn}
    for wrong in [statement, {**statement, "Effect": "Deny", "Principal": None}]:
        policy = {"Version": "2012-10-17", "Statement": [{k: v for k, v in wrong.items() if v is not None}]}
        with pytest.raises(client.exceptions.ClientError, match="Invalid policy document"):
            client.put_resource_policy(ResourceArn=arn, Policy=json.dumps(policy))


def test_policies_of_streams(client, new_table):
    stream = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
    name = new_table({**LIBRARY, "StreamSpecification": stream})
    arn = client.describe_table(TableName=name)["Table"]["LatestStreamArn"]
    statement = {"Effect": "Deny", "Principal": "*", "Action": "dynamodb:GetRecords", "Resource": arn}
    policy = {"Version": "2012-10-17", "Statement": [statement]}
    client.put_resource_policy(ResourceArn=arn, Policy=json.dumps(policy))
    assert json.loads(client.get_resource_policy(ResourceArn=arn)["Policy"]) == policy


def test_a_table_of_another_account(client, arn):
    foreign = arn.replace(":000000000000:", ":123456789012:")
    with pytest.raises(client.exceptions.ClientError, match="AccessDenied.*no resource-based policy allows"):
        client.put_item(TableName=foreign, Item={"PK": {"S": "a"}, "SK": {"S": "b"}})
    with pytest.raises(client.exceptions.ClientError, match="AccessDenied"):
        client.describe_table(TableName=foreign)

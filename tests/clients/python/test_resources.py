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

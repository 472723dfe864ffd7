"""Transactions: all or nothing, reasons in the order of the actions, tokens."""

import uuid

import pytest

from library import key, loan, write_loans

ABSENT = "attribute_not_exists(PK)"


def titled(member, number, title):
    return {**key(member, number), "Title": {"S": title}}


def title_of(client, table, where):
    return client.get_item(TableName=table, Key=where, ConsistentRead=True).get("Item", {}).get("Title", {}).get("S")


def test_all_four_actions_take_effect(client, loans, library):
    write_loans(loans, "ada", [1, 2, 3])
    client.transact_write_items(
        TransactItems=[
            {"Put": {"TableName": library, "Item": titled("ada", 4, "Fourth"), "ConditionExpression": ABSENT}},
            {
                "Update": {
                    "TableName": library,
                    "Key": key("ada", 1),
                    "UpdateExpression": "SET Title = :t",
                    "ExpressionAttributeValues": {":t": {"S": "First"}},
                }
            },
            {"Delete": {"TableName": library, "Key": key("ada", 2)}},
            {"ConditionCheck": {"TableName": library, "Key": key("ada", 3), "ConditionExpression": "attribute_exists(PK)"}},
        ]
    )
    titles = [title_of(client, library, key("ada", number)) for number in range(1, 5)]
    assert titles == ["First", None, "Volume 3", "Fourth"]


def test_reasons_are_in_the_order_of_the_actions(client, loans, library):
    write_loans(loans, "ada", [1, 2])
    taken = {"TableName": library, "Item": titled("ada", 2, "Taken"), "ConditionExpression": ABSENT}
    with pytest.raises(client.exceptions.TransactionCanceledException) as canceled:
        client.transact_write_items(
            TransactItems=[
                {"Put": {"TableName": library, "Item": titled("ada", 9, "Lost")}},
                {"Put": {**taken, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}},
                {"Delete": {"TableName": library, "Key": key("ada", 1)}},
                {"ConditionCheck": {"TableName": library, "Key": key("ada", 8), "ConditionExpression": "attribute_exists(PK)"}},
            ]
        )
    answer = canceled.value.response
    reasons = answer["CancellationReasons"]
    failed = "ConditionalCheckFailed"
    assert [reason["Code"] for reason in reasons] == ["None", failed, "None", failed]
    assert [reason.get("Message") for reason in reasons] == [None, "The conditional request failed"] * 2
    assert reasons[1]["Item"]["Title"] == {"S": "Volume 2"}
    assert ["Item" in reason for reason in reasons] == [False, True, False, False]
    assert answer["Error"]["Message"] == (
        "Transaction cancelled, please refer cancellation reasons for specific reasons "
        "[None, ConditionalCheckFailed, None, ConditionalCheckFailed]"
    )
    titles = [title_of(client, library, key("ada", number)) for number in (1, 2, 9)]
    assert titles == ["Volume 1", "Volume 2", None]


def test_an_update_that_cannot_be_is_a_reason(client, loans, library):
    write_loans(loans, "ada", [1])
    with pytest.raises(client.exceptions.TransactionCanceledException) as canceled:
        client.transact_write_items(
            TransactItems=[
                {
                    "Update": {
                        "TableName": library,
                        "Key": key("ada", 1),
                        "UpdateExpression": "SET Title = Title + :one",
                        "ExpressionAttributeValues": {":one": {"N": "1"}},
                    }
                }
            ]
        )
    (reason,) = canceled.value.response["CancellationReasons"]
    assert reason["Code"] == "ValidationError"
    assert reason["Message"] == "An operand in the update expression has an incorrect data type"


def test_a_token_makes_a_retry_harmless(client, library):
    once = {
        "ClientRequestToken": str(uuid.uuid4()),
        "ReturnConsumedCapacity": "TOTAL",
        "TransactItems": [
            {
                "Update": {
                    "TableName": library,
                    "Key": key("ada", 1),
                    "UpdateExpression": "ADD Visits :one",
                    "ExpressionAttributeValues": {":one": {"N": "1"}},
                }
            }
        ],
    }
    first = client.transact_write_items(**once)
    again = client.transact_write_items(**once)
    assert client.get_item(TableName=library, Key=key("ada", 1))["Item"]["Visits"] == {"N": "1"}
    assert first["ConsumedCapacity"][0]["WriteCapacityUnits"] == 2
    assert again["ConsumedCapacity"][0]["ReadCapacityUnits"] == 2
    other = {**once, "TransactItems": [{"Delete": {"TableName": library, "Key": key("ada", 1)}}]}
    with pytest.raises(client.exceptions.IdempotentParameterMismatchException):
        client.transact_write_items(**other)


def test_reads_come_in_order_with_gaps(client, loans, library):
    write_loans(loans, "ada", [1, 3])
    answer = client.transact_get_items(
        TransactItems=[
            {"Get": {"TableName": library, "Key": key("ada", 3), "ProjectionExpression": "Title"}},
            {"Get": {"TableName": library, "Key": key("ada", 2)}},
            {"Get": {"TableName": library, "Key": key("ada", 1), "ProjectionExpression": "Pages"}},
        ],
        ReturnConsumedCapacity="TOTAL",
    )
    assert answer["Responses"] == [{"Item": {"Title": {"S": "Volume 3"}}}, {}, {"Item": {"Pages": {"N": "999"}}}]
    assert answer["ConsumedCapacity"] == [{"TableName": library, "CapacityUnits": 6.0, "ReadCapacityUnits": 6.0}]


def test_a_hundred_actions_and_no_more(client, library):
    puts = [{"Put": {"TableName": library, "Item": titled("ada", number, "x")}} for number in range(101)]
    client.transact_write_items(TransactItems=puts[:100])
    assert client.scan(TableName=library, Select="COUNT")["Count"] == 100
    with pytest.raises(client.exceptions.ClientError, match="less than or equal to 100"):
        client.transact_write_items(TransactItems=puts)


def test_two_actions_on_one_item_are_refused(client, library):
    with pytest.raises(client.exceptions.ClientError, match="cannot include multiple operations on one item"):
        client.transact_write_items(
            TransactItems=[
                {"Put": {"TableName": library, "Item": key("ada", 1)}},
                {"Delete": {"TableName": library, "Key": key("ada", 1)}},
            ]
        )


def test_the_resource_sends_plain_values(resource, loans, library):
    item = loan("ada", 1)
    resource.meta.client.transact_write_items(TransactItems=[{"Put": {"TableName": library, "Item": item}}])
    where = {"PK": item["PK"], "SK": item["SK"]}
    answer = resource.meta.client.transact_get_items(TransactItems=[{"Get": {"TableName": library, "Key": where}}])
    assert answer["Responses"] == [{"Item": item}]

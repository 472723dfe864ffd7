"""Single items: every type there and back, returned values, conditions, consumed capacity."""

from decimal import Decimal

import pytest
from boto3.dynamodb.conditions import Attr
from boto3.dynamodb.types import Binary, TypeDeserializer

from library import key, loan

EVERY_TYPE = {
    "Text": "Grüße, 世界 \U0001f4da",
    "Empty": "",
    "Digits": Decimal("12345678901234567890123456789012345678"),
    "Fraction": Decimal("-0.00000000000000000000000000000000000012345"),
    "Bytes": Binary(bytes(range(256))),
    "Yes": True,
    "No": False,
    "Nothing": None,
    "Words": {"one", "two"},
    "Numbers": {Decimal(1), Decimal("2.5")},
    "Blobs": {Binary(b"a"), Binary(b"b")},
    "List": ["a", Decimal(1), [None, {"deep": [True]}]],
    "Map": {"a.b": {"c d": []}, "empty": {}},
}


def test_every_type_comes_back_as_it_went(loans):
    item = {**loan("ada", 1), **EVERY_TYPE}
    loans.put_item(Item=item)
    found = loans.get_item(Key={"PK": item["PK"], "SK": item["SK"]}, ConsistentRead=True)["Item"]
    assert found == item


def test_bytes_come_back_as_they_went(client, library):
    client.put_item(TableName=library, Item={**key("ada", 1), "Bytes": {"B": bytes(range(256))}})
    assert client.get_item(TableName=library, Key=key("ada", 1))["Item"]["Bytes"] == {"B": bytes(range(256))}


@pytest.mark.parametrize("number", ["9.9999999999999999999999999999999999999E+125", "-1E-130", "1E+100", "-0"])
def test_the_ends_of_the_range_keep_their_value(client, library, number):
    client.put_item(TableName=library, Item={**key("ada", 1), "N": {"N": number}})
    found = client.get_item(TableName=library, Key=key("ada", 1))["Item"]["N"]["N"]
    assert Decimal(found) == Decimal(number)


def test_a_number_of_39_digits_is_refused(client, library):
    too_precise = {**key("ada", 1), "N": {"N": "1" * 39}}
    with pytest.raises(client.exceptions.ClientError, match="38 significant digits"):
        client.put_item(TableName=library, Item=too_precise)


def test_nothing_is_found_where_nothing_is(client, library):
    assert "Item" not in client.get_item(TableName=library, Key=key("nobody", 1))


def test_put_returns_what_it_replaced(loans):
    first, second = loan("ada", 1), loan("ada", 1, Title="Another")
    assert "Attributes" not in loans.put_item(Item=first, ReturnValues="ALL_OLD")
    assert loans.put_item(Item=second, ReturnValues="ALL_OLD")["Attributes"] == first


def test_delete_returns_what_it_removed(loans):
    item = loan("ada", 1)
    loans.put_item(Item=item)
    where = {"PK": item["PK"], "SK": item["SK"]}
    assert loans.delete_item(Key=where, ReturnValues="ALL_OLD")["Attributes"] == item
    assert "Attributes" not in loans.delete_item(Key=where, ReturnValues="ALL_OLD")


@pytest.mark.parametrize(
    ("returned", "attributes"),
    [
        ("NONE", None),
        ("ALL_OLD", loan("ada", 1)),
        ("UPDATED_OLD", {"Pages": 999}),
        ("ALL_NEW", loan("ada", 1, Pages=1001, Visits=1)),
        ("UPDATED_NEW", {"Pages": 1001, "Visits": 1}),
    ],
)
def test_update_returns_what_is_asked_for(loans, returned, attributes):
    item = loan("ada", 1)
    loans.put_item(Item=item)
    answer = loans.update_item(
        Key={"PK": item["PK"], "SK": item["SK"]},
        UpdateExpression="SET Pages = Pages + :two ADD Visits :one",
        ExpressionAttributeValues={":two": 2, ":one": 1},
        ReturnValues=returned,
    )
    assert answer.get("Attributes") == attributes


def test_update_makes_an_item_that_is_not_there(loans):
    where = {"PK": "MEMBER#new", "SK": "LOAN#0001"}
    loans.update_item(Key=where, UpdateExpression="SET Title = :t", ExpressionAttributeValues={":t": "First"})
    assert loans.get_item(Key=where)["Item"] == {**where, "Title": "First"}


def test_a_failed_condition_is_an_exception_with_the_item(client, loans, library):
    item = loan("ada", 1)
    loans.put_item(Item=item)
    with pytest.raises(client.exceptions.ConditionalCheckFailedException) as failed:
        client.put_item(
            TableName=library,
            Item=key("ada", 1),
            ConditionExpression="attribute_not_exists(PK)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    assert failed.value.response["Error"]["Message"] == "The conditional request failed"
    old = failed.value.response["Item"]
    assert {name: TypeDeserializer().deserialize(value) for name, value in old.items()} == item
    assert loans.get_item(Key={"PK": item["PK"], "SK": item["SK"]})["Item"] == item


def test_conditions_of_the_resource_interface(loans):
    item = loan("ada", 1)
    where = {"PK": item["PK"], "SK": item["SK"]}
    loans.put_item(Item=item, ConditionExpression=Attr("PK").not_exists())
    stale = Attr("Pages").eq(1) | Attr("Title").begins_with("Vol") & Attr("Branch").is_in(["Sea", "Hill"])
    failed = loans.meta.client.exceptions.ConditionalCheckFailedException
    with pytest.raises(failed):
        loans.delete_item(Key=where, ConditionExpression=stale)
    current = Attr("Pages").between(900, 999) & ~Attr("Lost").exists() & Attr("Title").size().eq(8)
    loans.delete_item(Key=where, ConditionExpression=current)
    assert "Item" not in loans.get_item(Key=where)


def test_consumed_capacity_counts_the_indexes(client, loans, library):
    written = loans.put_item(Item=loan("ada", 1), ReturnConsumedCapacity="INDEXES")["ConsumedCapacity"]
    assert written["TableName"] == library
    assert written["CapacityUnits"] == 3
    assert written["Table"] == {"CapacityUnits": 1}
    assert written["GlobalSecondaryIndexes"] == {"ByBranch": {"CapacityUnits": 1}}
    assert written["LocalSecondaryIndexes"] == {"ByPages": {"CapacityUnits": 1}}
    for consistent, units in ((False, 0.5), (True, 1)):
        read = client.get_item(
            TableName=library, Key=key("ada", 1), ConsistentRead=consistent, ReturnConsumedCapacity="TOTAL"
        )
        assert read["ConsumedCapacity"] == {"TableName": library, "CapacityUnits": units}

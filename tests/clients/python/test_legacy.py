"""The parameters from before expressions, in every operation that has them."""

from decimal import Decimal

import pytest

from library import loan, number_of, write_loans

LENT = {"PK": "MEMBER#ada", "SK": "LOAN#0001"}


def comparison(operator, *values):
    return {"ComparisonOperator": operator, "AttributeValueList": list(values)}


ADA = {"PK": comparison("EQ", "MEMBER#ada")}


@pytest.fixture
def shelf(loans):
    """Twelve loans of ada, two of which have notes."""
    write_loans(loans, "ada", range(1, 13))
    loans.put_item(Item=loan("ada", 2, Notes="late", Marks={"red", "blue"}, Pair=["a", Decimal(1)]))
    loans.put_item(Item=loan("ada", 3, Notes="lost", Marks={"red"}, Pair=[]))
    return loans


def numbers(answer):
    return [number_of(item) for item in answer["Items"]]


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        (comparison("EQ", "LOAN#0003"), [3]),
        (comparison("LT", "LOAN#0003"), [1, 2]),
        (comparison("LE", "LOAN#0003"), [1, 2, 3]),
        (comparison("GT", "LOAN#0010"), [11, 12]),
        (comparison("GE", "LOAN#0010"), [10, 11, 12]),
        (comparison("BETWEEN", "LOAN#0004", "LOAN#0006"), [4, 5, 6]),
        (comparison("BEGINS_WITH", "LOAN#001"), [10, 11, 12]),
    ],
)
def test_key_conditions(shelf, condition, found):
    assert numbers(shelf.query(KeyConditions={**ADA, "SK": condition})) == found


def test_key_conditions_on_an_index(shelf):
    hill = {"Branch": comparison("EQ", "Hill"), "Due": comparison("LE", "2031-01-06")}
    assert numbers(shelf.query(IndexName="ByBranch", KeyConditions=hill)) == [3, 6]


def test_key_conditions_beside_expressions(shelf):
    answer = shelf.query(
        KeyConditions=ADA,
        FilterExpression="Pages < :pages",
        ProjectionExpression="SK",
        ExpressionAttributeValues={":pages": 990},
    )
    assert answer["Items"] == [{"SK": "LOAN#0011"}, {"SK": "LOAN#0012"}]


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ({"Notes": comparison("EQ", "late")}, [2]),
        ({"Marks": comparison("EQ", {"blue", "red"})}, [2]),
        ({"Pair": comparison("EQ", ["a", 1])}, [2]),
        ({"Notes": comparison("NE", "late"), "Pages": comparison("GE", 997)}, [1, 3]),
        ({"Pages": comparison("LT", 990)}, [11, 12]),
        ({"Pages": comparison("LE", 989)}, [11, 12]),
        ({"Pages": comparison("GT", 998)}, [1]),
        ({"Pages": comparison("BETWEEN", 997, 998)}, [2, 3]),
        ({"Pages": comparison("IN", 999, 5, 996)}, [1, 4]),
        ({"Notes": comparison("BEGINS_WITH", "lo")}, [3]),
        ({"Notes": comparison("CONTAINS", "a")}, [2]),
        ({"Marks": comparison("CONTAINS", "red")}, [2, 3]),
        ({"Pair": comparison("CONTAINS", 1)}, [2]),
        # Unlike NE, it does not hold of what is not there.
        ({"Marks": comparison("NOT_CONTAINS", "blue")}, [3]),
        ({"Notes": comparison("NOT_NULL")}, [2, 3]),
        ({"Notes": comparison("NULL"), "Pages": comparison("GE", 996)}, [1, 4]),
    ],
)
def test_filters(shelf, condition, found):
    assert numbers(shelf.query(KeyConditions=ADA, QueryFilter=condition)) == found
    assert sorted(numbers(shelf.scan(ScanFilter=condition))) == found


def test_conditions_are_joined_by_and_or_or(shelf):
    either = {"Notes": comparison("EQ", "late"), "Pages": comparison("EQ", 999)}
    assert numbers(shelf.query(KeyConditions=ADA, QueryFilter=either, ConditionalOperator="OR")) == [1, 2]
    assert numbers(shelf.query(KeyConditions=ADA, QueryFilter=either, ConditionalOperator="AND")) == []
    assert sorted(numbers(shelf.scan(ScanFilter=either, ConditionalOperator="OR"))) == [1, 2]


def test_attributes_to_get(client, library, shelf):
    wanted = ["SK", "Notes"]
    expected = {"SK": "LOAN#0002", "Notes": "late"}
    key = {"PK": "MEMBER#ada", "SK": "LOAN#0002"}
    assert shelf.get_item(Key=key, AttributesToGet=wanted)["Item"] == expected
    assert shelf.query(KeyConditions={**ADA, "SK": comparison("EQ", "LOAN#0002")}, AttributesToGet=wanted)["Items"] == [expected]
    assert expected in shelf.scan(AttributesToGet=wanted, Select="SPECIFIC_ATTRIBUTES")["Items"]
    typed = {"PK": {"S": "MEMBER#ada"}, "SK": {"S": "LOAN#0002"}}
    answer = client.batch_get_item(RequestItems={library: {"Keys": [typed], "AttributesToGet": ["Notes"]}})
    assert answer["Responses"] == {library: [{"Notes": {"S": "late"}}]}


def test_expected_of_puts_and_deletes(loans):
    absent = {"PK": {"Exists": False}}
    loans.put_item(Item=loan("ada", 1), Expected=absent)
    failed = loans.meta.client.exceptions.ConditionalCheckFailedException
    with pytest.raises(failed):
        loans.put_item(Item=loan("ada", 1), Expected=absent)
    with pytest.raises(failed):
        loans.delete_item(Key=LENT, Expected={"Pages": {"Value": 1}})
    with pytest.raises(failed):
        loans.delete_item(Key=LENT, Expected={"Pages": comparison("LT", 999)})
    either = {"Pages": {"Value": 1}, "Title": {"ComparisonOperator": "BEGINS_WITH", "Value": "Vol"}}
    loans.delete_item(Key=LENT, Expected=either, ConditionalOperator="OR")
    assert "Item" not in loans.get_item(Key=LENT)


def test_attribute_updates(loans):
    def update(**updates):
        return loans.update_item(Key=LENT, AttributeUpdates=updates, ReturnValues="ALL_NEW").get("Attributes")

    # Nothing is made only to remove something from it.
    assert update(Notes={"Action": "DELETE"}) is None
    assert "Item" not in loans.get_item(Key=LENT)
    made = update(
        Notes={"Value": "new", "Action": "PUT"},
        Count={"Value": 1, "Action": "ADD"},
        Marks={"Value": {"red"}, "Action": "ADD"},
        Pair=({"Value": ["a"], "Action": "ADD"}),
    )
    assert made == {**LENT, "Notes": "new", "Count": 1, "Marks": {"red"}, "Pair": ["a"]}
    changed = update(
        Notes={"Action": "DELETE"},
        Count={"Value": Decimal("0.5"), "Action": "ADD"},
        Marks={"Value": {"blue"}, "Action": "ADD"},
        Pair={"Value": ["b", 2], "Action": "ADD"},
    )
    assert changed == {**LENT, "Count": Decimal("1.5"), "Marks": {"red", "blue"}, "Pair": ["a", "b", 2]}
    assert update(Marks={"Value": {"red", "blue"}, "Action": "DELETE"}) == {k: v for k, v in changed.items() if k != "Marks"}


def test_updates_that_are_expected(loans):
    loans.put_item(Item=loan("ada", 1))
    put = {"Title": {"Value": "Changed", "Action": "PUT"}}
    with pytest.raises(loans.meta.client.exceptions.ConditionalCheckFailedException):
        loans.update_item(Key=LENT, AttributeUpdates=put, Expected={"Pages": {"Value": 1}})
    loans.update_item(Key=LENT, AttributeUpdates=put, Expected={"Pages": {"Value": 999, "Exists": True}})
    assert loans.get_item(Key=LENT)["Item"]["Title"] == "Changed"


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"AttributeUpdates": {"Title": {"Value": 1, "Action": "ADD"}}}, "Type mismatch for attribute to update"),
        ({"AttributeUpdates": {"SK": {"Value": "x"}}}, "Cannot update attribute SK. This attribute is part of the key"),
        ({"AttributeUpdates": {"Due": {"Value": 1}}}, "Type mismatch for Index Key Due Expected: S Actual: N IndexName: ByBranch"),
        ({"Expected": {"Title": {"Exists": True}}}, "Value must be provided when Exists is true for Attribute: Title"),
        ({"Expected": {"Title": comparison("IN")}}, "Invalid number of argument.s. for the IN ComparisonOperator"),
        ({"Expected": {}, "ConditionExpression": "a = b"}, "Can not use both expression and non-expression parameters"),
        ({"Expected": {}, "ConditionalOperator": "OR"}, "ConditionalOperator cannot be used without Filter or Expected"),
    ],
)
def test_refused_updates(loans, request_, words):
    loans.put_item(Item=loan("ada", 1))
    with pytest.raises(loans.meta.client.exceptions.ClientError, match=words) as refused:
        loans.update_item(Key=LENT, **request_)
    assert refused.value.response["Error"]["Code"] == "ValidationException"


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"KeyConditions": {}}, "Conditions can be of length 1 or 2 only"),
        ({"KeyConditions": {"PK": comparison("CONTAINS", "x")}}, "Attempted conditional constraint is not an indexable operation"),
        ({"KeyConditions": ADA, "QueryFilter": {"SK": comparison("NULL")}}, "QueryFilter can only contain non-primary key attributes: Primary key attribute: SK"),
        ({"KeyConditions": ADA, "AttributesToGet": ["SK", "SK"]}, "Duplicate value in attribute name: SK"),
        ({"KeyConditions": ADA, "AttributesToGet": ["SK"], "Select": "COUNT"}, "Cannot specify the AttributesToGet when choosing to get only the Count"),
    ],
)
def test_refused_queries(loans, request_, words):
    with pytest.raises(loans.meta.client.exceptions.ClientError, match=words) as refused:
        loans.query(**request_)
    assert refused.value.response["Error"]["Code"] == "ValidationException"

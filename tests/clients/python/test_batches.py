"""Batches: 25 writes, 100 reads, and what was left over sent again."""

import pytest

from library import key, loan, number_of, write_loans


def test_the_batch_writer_cuts_and_deduplicates(loans):
    with loans.batch_writer(overwrite_by_pkeys=["PK", "SK"]) as batch:
        for number in range(1, 61):
            batch.put_item(Item=loan("ada", number, Due="2031-02-01"))
        batch.put_item(Item=loan("ada", 60, Title="Last word"))
        batch.delete_item(Key={"PK": "MEMBER#ada", "SK": "LOAN#0001"})
    items = loans.scan()["Items"]
    assert sorted(number_of(item) for item in items) == list(range(2, 61))
    assert [item["Title"] for item in items if number_of(item) == 60] == ["Last word"]


def test_writes_and_removals_in_one_batch(client, loans, library):
    write_loans(loans, "ada", [1, 2])
    answer = client.batch_write_item(
        RequestItems={
            library: [
                {"DeleteRequest": {"Key": key("ada", 1)}},
                {"PutRequest": {"Item": {**key("ada", 3), "Title": {"S": "Third"}}}},
            ]
        },
        ReturnConsumedCapacity="TOTAL",
    )
    assert answer["UnprocessedItems"] == {}
    assert answer["ConsumedCapacity"][0]["TableName"] == library
    assert sorted(number_of(item) for item in loans.scan()["Items"]) == [2, 3]


def read_all(client, requests):
    """As a careful program reads: whatever was not processed is asked for again."""
    found = {}
    for _ in range(100):
        answer = client.batch_get_item(RequestItems=requests)
        for table, items in answer["Responses"].items():
            found.setdefault(table, []).extend(items)
        requests = answer["UnprocessedKeys"]
        if not requests:
            return found
    raise AssertionError("keys are still unprocessed")


def test_reads_of_two_tables(client, resource, new_table):
    first, second = new_table(), new_table()
    write_loans(resource.Table(first), "ada", range(1, 25))
    write_loans(resource.Table(second), "bob", [7])
    found = read_all(
        client,
        {
            first: {"Keys": [key("ada", number) for number in range(1, 31)], "ProjectionExpression": "SK"},
            second: {"Keys": [key("bob", 7)], "ConsistentRead": True},
        },
    )
    assert sorted(number_of(item) for item in found[first]) == list(range(1, 25))
    assert all(set(item) == {"SK"} for item in found[first])
    assert [item["Title"] for item in found[second]] == [{"S": "Volume 7"}]


def test_sixteen_megabytes_leave_keys_unprocessed(client, library):
    for number in range(45):
        client.put_item(TableName=library, Item={**key("large", number), "Text": {"S": "x" * 399_000}})
    request = {library: {"Keys": [key("large", number) for number in range(45)]}}
    first = client.batch_get_item(RequestItems=request)
    left = first["UnprocessedKeys"][library]["Keys"]
    assert 0 < len(left) < 45
    assert len(first["Responses"][library]) + len(left) == 45
    found = read_all(client, request)
    assert sorted(number_of(item) for item in found[library]) == list(range(45))


def test_the_resource_reads_batches(resource, loans, library):
    write_loans(loans, "ada", [1, 2])
    where = [{"PK": "MEMBER#ada", "SK": f"LOAN#{number:04}"} for number in (1, 2)]
    answer = resource.batch_get_item(RequestItems={library: {"Keys": where}})
    assert sorted(item["Pages"] for item in answer["Responses"][library]) == [998, 999]


@pytest.mark.parametrize(
    ("writes", "problem"),
    [
        ([{"DeleteRequest": {"Key": key("ada", number)}} for number in range(26)], "less than or equal to 25"),
        ([{"DeleteRequest": {"Key": key("ada", 1)}}] * 2, "Provided list of item keys contains duplicates"),
    ],
)
def test_batches_that_are_refused(client, library, writes, problem):
    with pytest.raises(client.exceptions.ClientError, match=problem):
        client.batch_write_item(RequestItems={library: writes})

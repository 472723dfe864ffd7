"""Query and Scan: key conditions, order, indexes, pages, projections, counts, segments."""

import pytest
from boto3.dynamodb.conditions import Attr, Key

from library import key, number_of, write_loans

ADA = {":pk": {"S": "MEMBER#ada"}}


@pytest.fixture
def shelf(loans):
    """Twelve loans of ada and one of each of three neighbours."""
    write_loans(loans, "ada", range(1, 13))
    for neighbour in ("ad", "adam", "bob"):
        write_loans(loans, neighbour, [1])
    return loans


def numbers(answer):
    return [number_of(item) for item in answer["Items"]]


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        (Key("SK").eq("LOAN#0003"), [3]),
        (Key("SK").lt("LOAN#0003"), [1, 2]),
        (Key("SK").lte("LOAN#0003"), [1, 2, 3]),
        (Key("SK").gt("LOAN#0010"), [11, 12]),
        (Key("SK").gte("LOAN#0010"), [10, 11, 12]),
        (Key("SK").between("LOAN#0004", "LOAN#0006"), [4, 5, 6]),
        (Key("SK").begins_with("LOAN#001"), [10, 11, 12]),
        (Key("SK").begins_with("CARD#"), []),
    ],
)
def test_key_conditions(shelf, condition, found):
    assert numbers(shelf.query(KeyConditionExpression=Key("PK").eq("MEMBER#ada") & condition)) == found


def test_backwards(shelf):
    answer = shelf.query(KeyConditionExpression=Key("PK").eq("MEMBER#ada"), ScanIndexForward=False, Limit=3)
    assert numbers(answer) == [12, 11, 10]


def test_a_filter_counts_what_was_read(shelf):
    answer = shelf.query(KeyConditionExpression=Key("PK").eq("MEMBER#ada"), FilterExpression=Attr("Branch").eq("Hill"))
    assert numbers(answer) == [3, 6, 9, 12]
    assert (answer["Count"], answer["ScannedCount"]) == (4, 12)


def test_count_without_items(shelf):
    answer = shelf.query(KeyConditionExpression=Key("PK").eq("MEMBER#ada"), Select="COUNT")
    assert answer["Count"] == 12
    assert "Items" not in answer


def test_limit_and_last_evaluated_key(shelf):
    seen, start = [], {}
    for _ in range(6):
        page = shelf.query(KeyConditionExpression=Key("PK").eq("MEMBER#ada"), Limit=5, **start)
        seen.append(numbers(page))
        if "LastEvaluatedKey" not in page:
            break
        assert page["LastEvaluatedKey"] == {"PK": "MEMBER#ada", "SK": f"LOAN#{seen[-1][-1]:04}"}
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
    assert seen == [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12]]


def test_the_paginator_joins_pages(client, shelf, library):
    paginator = client.get_paginator("query")
    asked = {"TableName": library, "KeyConditionExpression": "PK = :pk", "ExpressionAttributeValues": ADA}
    pages = list(paginator.paginate(**asked, PaginationConfig={"PageSize": 5}))
    assert [len(page["Items"]) for page in pages] == [5, 5, 2]
    some = paginator.paginate(**asked, PaginationConfig={"PageSize": 4, "MaxItems": 6}).build_full_result()
    assert [number_of(item) for item in some["Items"]] == [1, 2, 3, 4, 5, 6]
    token = {"PageSize": 4, "StartingToken": some["NextToken"]}
    rest = paginator.paginate(**asked, PaginationConfig=token).build_full_result()
    assert [number_of(item) for item in rest["Items"]] == [7, 8, 9, 10, 11, 12]


def test_a_global_index(shelf):
    answer = shelf.query(
        IndexName="ByBranch",
        KeyConditionExpression=Key("Branch").eq("Hill") & Key("Due").gte("2031-01-06"),
        ScanIndexForward=False,
    )
    assert numbers(answer) == [12, 9, 6]
    assert all(set(item) == {"PK", "SK", "Branch", "Due"} for item in answer["Items"])


def test_pages_of_a_global_index_carry_both_keys(shelf):
    page = shelf.query(IndexName="ByBranch", KeyConditionExpression=Key("Branch").eq("Hill"), Limit=2)
    assert page["LastEvaluatedKey"] == {"PK": "MEMBER#ada", "SK": "LOAN#0006", "Branch": "Hill", "Due": "2031-01-06"}


def test_a_local_index(shelf):
    answer = shelf.query(
        IndexName="ByPages",
        KeyConditionExpression=Key("PK").eq("MEMBER#ada") & Key("Pages").between(990, 992),
        ConsistentRead=True,
    )
    assert numbers(answer) == [10, 9, 8]
    assert all(set(item) == {"PK", "SK", "Pages", "Title"} for item in answer["Items"])


def test_a_local_index_fetches_what_it_lacks(shelf):
    answer = shelf.query(
        IndexName="ByPages",
        KeyConditionExpression=Key("PK").eq("MEMBER#ada") & Key("Pages").eq(990),
        Select="ALL_ATTRIBUTES",
    )
    (item,) = answer["Items"]
    assert item["Due"] == "2031-01-10"


def test_a_global_index_is_never_consistent(client, shelf):
    with pytest.raises(client.exceptions.ClientError, match="Consistent reads are not supported on global"):
        shelf.query(IndexName="ByBranch", KeyConditionExpression=Key("Branch").eq("Hill"), ConsistentRead=True)


def test_an_index_follows_its_table(shelf):
    at_sea = {"IndexName": "ByBranch", "KeyConditionExpression": Key("Branch").eq("Sea")}
    where = {"PK": "MEMBER#ada", "SK": "LOAN#0001"}
    shelf.update_item(Key=where, UpdateExpression="SET Branch = :b", ExpressionAttributeValues={":b": "Sea"})
    assert numbers(shelf.query(**at_sea)) == [1]
    shelf.update_item(Key=where, UpdateExpression="REMOVE Branch")
    assert numbers(shelf.query(**at_sea)) == []


def test_projections_of_pages(shelf):
    answer = shelf.query(
        KeyConditionExpression=Key("PK").eq("MEMBER#ada"), ProjectionExpression="SK, Pages", Limit=1
    )
    assert answer["Items"] == [{"SK": "LOAN#0001", "Pages": 999}]


def test_scan_reads_everything_once(client, shelf, library):
    pages = client.get_paginator("scan").paginate(TableName=library, PaginationConfig={"PageSize": 4})
    keys = [(item["PK"]["S"], item["SK"]["S"]) for page in pages for item in page["Items"]]
    assert len(keys) == len(set(keys)) == 15


def test_segments_are_disjoint_and_complete(client, shelf, library):
    segments = [
        [
            (item["PK"]["S"], item["SK"]["S"])
            for page in client.get_paginator("scan").paginate(
                TableName=library, Segment=segment, TotalSegments=4, PaginationConfig={"PageSize": 2}
            )
            for item in page["Items"]
        ]
        for segment in range(4)
    ]
    keys = [key for segment in segments for key in segment]
    assert len(keys) == len(set(keys)) == 15
    # A partition is never divided between segments.
    assert sum(any(pk == "MEMBER#ada" for pk, _ in segment) for segment in segments) == 1


def test_scan_of_an_index_with_a_filter(shelf):
    answer = shelf.scan(IndexName="ByBranch", FilterExpression=Attr("SK").eq("LOAN#0001"))
    assert sorted(item["PK"] for item in answer["Items"]) == ["MEMBER#ad", "MEMBER#ada", "MEMBER#adam", "MEMBER#bob"]
    assert answer["ScannedCount"] == 15


def test_a_page_ends_at_one_megabyte(client, loans, library):
    for number in range(6):
        client.put_item(TableName=library, Item={**key("large", number), "Text": {"S": "x" * 300_000}})
    page = loans.query(KeyConditionExpression=Key("PK").eq("MEMBER#large"))
    assert (page["Count"], page["LastEvaluatedKey"]["SK"]) == (4, "LOAN#0003")
    rest = loans.query(
        KeyConditionExpression=Key("PK").eq("MEMBER#large"), ExclusiveStartKey=page["LastEvaluatedKey"]
    )
    assert rest["Count"] == 2
    assert "LastEvaluatedKey" not in rest

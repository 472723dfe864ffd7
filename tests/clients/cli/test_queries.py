"""Queries, scans, pages and batches."""

import json

from conftest import aws, key, loan, refusal

ADA = '{":pk": {"S": "MEMBER#ada"}}'
SORT_KEYS = ("--query", "Items[].SK.S")


def loans(*numbers):
    return [f"LOAN#{number:04}" for number in numbers]


def query(table, condition, values, *options):
    return aws(
        "query", "--table-name", table, "--key-condition-expression", condition,
        "--expression-attribute-values", values, *options,
    )


def test_key_conditions(shelf):
    between = '{":pk": {"S": "MEMBER#ada"}, ":a": {"S": "LOAN#0004"}, ":b": {"S": "LOAN#0006"}}'
    assert query(shelf, "PK = :pk AND SK BETWEEN :a AND :b", between, *SORT_KEYS) == loans(4, 5, 6)
    begins = '{":pk": {"S": "MEMBER#ada"}, ":a": {"S": "LOAN#001"}}'
    assert query(shelf, "PK = :pk AND begins_with(SK, :a)", begins, *SORT_KEYS, "--no-scan-index-forward") == loans(12, 11, 10)


def test_an_index_and_a_filter(shelf):
    values = '{":branch": {"S": "Hill"}, ":due": {"S": "2031-01-06"}, ":sk": {"S": "LOAN#0009"}}'
    answer = query(
        shelf, "Branch = :branch AND Due >= :due", values, "--index-name", "ByBranch", "--filter-expression", "SK <> :sk"
    )
    assert [item["SK"]["S"] for item in answer["Items"]] == loans(6, 12)
    assert (answer["Count"], answer["ScannedCount"]) == (2, 3)
    assert all(set(item) == {"PK", "SK", "Branch", "Due"} for item in answer["Items"])


def test_pages_by_hand(shelf):
    first = query(shelf, "PK = :pk", ADA, "--max-items", "5", "--page-size", "2")
    assert [item["SK"]["S"] for item in first["Items"]] == loans(1, 2, 3, 4, 5)
    rest = query(shelf, "PK = :pk", ADA, "--page-size", "4", "--starting-token", first["NextToken"])
    assert [item["SK"]["S"] for item in rest["Items"]] == loans(*range(6, 13))
    assert "NextToken" not in rest


def test_one_page_of_the_service(shelf):
    page = query(shelf, "PK = :pk", ADA, "--limit", "3", "--no-paginate")
    assert page["LastEvaluatedKey"] == json.loads(key(3))
    start = json.dumps(page["LastEvaluatedKey"])
    following = query(shelf, "PK = :pk", ADA, "--limit", "3", "--no-paginate", "--exclusive-start-key", start)
    assert [item["SK"]["S"] for item in following["Items"]] == loans(4, 5, 6)


def test_scan_and_its_segments(shelf):
    assert aws("scan", "--table-name", shelf, "--select", "COUNT", "--page-size", "5")["Count"] == 12
    found = []
    for segment in ("0", "1"):
        found += aws("scan", "--table-name", shelf, "--segment", segment, "--total-segments", "2", *SORT_KEYS)
    assert sorted(found) == loans(*range(1, 13))


def test_a_global_index_is_never_consistent(shelf):
    said = refusal(
        "query", "--table-name", shelf, "--index-name", "ByBranch", "--consistent-read",
        "--key-condition-expression", "Branch = :b", "--expression-attribute-values", '{":b": {"S": "Hill"}}',
    )
    assert "Consistent reads are not supported on global secondary indexes" in said


def test_batch_get(shelf):
    keys = [json.loads(key(number)) for number in (2, 7, 99)]
    answer = aws("batch-get-item", "--request-items", json.dumps({shelf: {"Keys": keys, "ProjectionExpression": "SK"}}))
    assert sorted(item["SK"]["S"] for item in answer["Responses"][shelf]) == loans(2, 7)
    assert answer["UnprocessedKeys"] == {}


def test_batch_write_from_a_file(shelf, tmp_path):
    other = {**loan(1), "PK": {"S": "MEMBER#bob"}}
    where = {name: other[name] for name in ("PK", "SK")}
    for write, count in (({"PutRequest": {"Item": other}}, "1"), ({"DeleteRequest": {"Key": where}}, "0")):
        (tmp_path / "batch.json").write_text(json.dumps({shelf: [write]}))
        aws("batch-write-item", "--request-items", f"file://{tmp_path}/batch.json")
        assert query(shelf, "PK = :pk", '{":pk": {"S": "MEMBER#bob"}}', "--query", "Count") == count
    twice = json.dumps({shelf: [{"DeleteRequest": {"Key": where}}] * 2})
    assert "Provided list of item keys contains duplicates" in refusal("batch-write-item", "--request-items", twice)

"""Items and expressions."""

import json

from conftest import argument, aws, key, loan, refusal


def unordered(item):
    """Sets have no order, and only tops of items are sets in the cases."""
    def sorted_sets(value):
        ((kind, content),) = value.items()
        return {kind: sorted(content)} if kind in ("SS", "NS", "BS") else value

    return {name: sorted_sets(value) for name, value in item.items()}


def test_an_item_from_a_file_comes_back(table, tmp_path):
    item = {**loan(1), "Digits": {"N": "12345678901234567890123456789012345678"}, "Bytes": {"B": "AQIDfw=="}}
    (tmp_path / "item.json").write_text(json.dumps(argument(item)))
    (tmp_path / "key.json").write_text(key(1))
    put = ("put-item", "--table-name", table, "--item", f"file://{tmp_path}/item.json")
    assert aws(*put) == ""
    found = aws("get-item", "--table-name", table, "--key", f"file://{tmp_path}/key.json", "--consistent-read")
    assert found == {"Item": item}
    capacity = aws(*put, "--return-consumed-capacity", "INDEXES", "--return-values", "ALL_OLD")
    assert capacity["Attributes"] == item
    # The entry in the index has not changed, so only the table is written.
    assert capacity["ConsumedCapacity"]["CapacityUnits"] == 1


def test_nothing_is_found_where_nothing_is(table):
    assert aws("get-item", "--table-name", table, "--key", key(404)) == ""


def test_update_and_delete_with_conditions(table):
    aws("put-item", "--table-name", table, "--item", json.dumps(loan(2)))
    where = ("--table-name", table, "--key", key(2))
    updated = aws(
        "update-item", *where,
        "--update-expression", "SET #t = :t ADD Visits :one REMOVE Due",
        "--condition-expression", "begins_with(#t, :v)",
        "--expression-attribute-names", '{"#t": "Title"}',
        "--expression-attribute-values", '{":t": {"S": "New"}, ":one": {"N": "1"}, ":v": {"S": "Volume"}}',
        "--return-values", "UPDATED_NEW",
    )
    assert updated == {"Attributes": {"Title": {"S": "New"}, "Visits": {"N": "1"}}}
    said = refusal("delete-item", *where, "--condition-expression", "attribute_not_exists(Visits)")
    assert "(ConditionalCheckFailedException) when calling the DeleteItem operation: The conditional request failed" in said
    removed = aws("delete-item", *where, "--condition-expression", "attribute_exists(Visits)", "--return-values", "ALL_OLD",
                  "--query", "Attributes.Title.S", "--output", "text")
    assert removed == "New"


def test_a_missing_key_is_refused(table):
    said = refusal("put-item", "--table-name", table, "--item", '{"PK": {"S": "a"}}')
    assert "(ValidationException) when calling the PutItem operation" in said
    assert "One or more parameter values were invalid: Missing the key SK in the item" in said


def test_all_conditions_as_one(table, expressions):
    """Every process takes a second, so the cases are joined: those that hold, and not those that do not."""
    aws("put-item", "--table-name", table, "--item", json.dumps(argument(expressions["item"])))
    cases = expressions["conditions"]
    joined = " AND ".join(f"({case['expression']})" if case["holds"] else f"(NOT ({case['expression']}))" for case in cases)
    placeholders = (
        "--expression-attribute-names", json.dumps(expressions["names"]),
        "--expression-attribute-values", json.dumps(argument(expressions["values"])),
    )
    put = ("put-item", "--table-name", table, "--item", json.dumps(argument(expressions["item"])), *placeholders)
    aws(*put, "--condition-expression", joined)
    assert "ConditionalCheckFailedException" in refusal(*put, "--condition-expression", f"NOT ({joined})")
    count = aws("scan", "--table-name", table, "--filter-expression", joined, *placeholders, "--query", "Count")
    assert count == "1"


def test_all_updates_as_one_transaction(table, expressions):
    """One item for each case, and every case on its own item."""
    cases = expressions["updates"]
    member = {"PK": {"S": "MEMBER#updates"}}
    keys = [{**member, "SK": {"S": f"LOAN#{number:04}"}} for number in range(len(cases))]
    puts = [{"PutRequest": {"Item": {**argument(expressions["item"]), **where}}} for where in keys]
    aws("batch-write-item", "--request-items", json.dumps({table: puts}))
    updates = [
        {
            "TableName": table,
            "Key": where,
            "UpdateExpression": case["expression"],
            **({"ExpressionAttributeNames": case["names"]} if "names" in case else {}),
            **({"ExpressionAttributeValues": argument(case["values"])} if "values" in case else {}),
        }
        for where, case in zip(keys, cases)
    ]
    aws("transact-write-items", "--transact-items", json.dumps([{"Update": update} for update in updates]))
    found = aws("query", "--table-name", table, "--key-condition-expression", "PK = :pk",
                "--expression-attribute-values", json.dumps({":pk": member["PK"]}), "--query", "Items")
    for item, where, case in zip(found, keys, cases, strict=True):
        expected = {**expressions["item"], **where, **case["changes"]}
        expected = {name: value for name, value in expected.items() if value is not None}
        assert unordered(item) == unordered(expected), case["expression"]


def test_all_projections_as_one_transaction(table, expressions):
    """Again one item for each case: a transaction reads no item twice."""
    cases = expressions["projections"]
    keys = [{"PK": {"S": "MEMBER#projections"}, "SK": {"S": f"LOAN#{number:04}"}} for number in range(len(cases))]
    puts = [{"PutRequest": {"Item": {**argument(expressions["item"]), **where}}} for where in keys]
    aws("batch-write-item", "--request-items", json.dumps({table: puts}))
    gets = [
        {
            "TableName": table,
            "Key": where,
            "ProjectionExpression": case["expression"],
            **({"ExpressionAttributeNames": case["names"]} if "names" in case else {}),
        }
        for where, case in zip(keys, cases)
    ]
    found = aws("transact-get-items", "--transact-items", json.dumps([{"Get": get} for get in gets]))
    assert found["Responses"] == [{"Item": case["item"]} for case in cases]


def test_a_wrong_expression_is_refused(table):
    said = refusal("delete-item", "--table-name", table, "--key", key(1), "--condition-expression", "Title = :v")
    assert "An expression attribute value used in expression is not defined; attribute value: :v" in said

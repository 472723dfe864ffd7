"""Transactions."""

import json

from conftest import aws, key, loan, refusal


def transact(actions, *options):
    return ("transact-write-items", "--transact-items", json.dumps(actions), *options)


def titles(table, *numbers):
    gets = [{"Get": {"TableName": table, "Key": json.loads(key(number))}} for number in numbers]
    return aws("transact-get-items", "--transact-items", json.dumps(gets), "--query", "Responses[].Item.Title.S")


def test_reads_come_in_order_with_gaps(shelf):
    gets = [{"Get": {"TableName": shelf, "Key": json.loads(key(number))}} for number in (3, 99, 1)]
    answer = aws("transact-get-items", "--transact-items", json.dumps(gets))
    assert answer["Responses"] == [{"Item": loan(3)}, {}, {"Item": loan(1)}]


def test_all_or_nothing_with_the_reasons_in_order(shelf, tmp_path):
    def visit(number):
        return {
            "Update": {
                "TableName": shelf,
                "Key": json.loads(key(number)),
                "UpdateExpression": "SET Title = :t",
                "ExpressionAttributeValues": {":t": {"S": "Changed"}},
            }
        }

    check = {"TableName": shelf, "Key": json.loads(key(99)), "ConditionExpression": "attribute_exists(PK)"}
    said = refusal(*transact([visit(4), {"ConditionCheck": check}, visit(5)]))
    assert "(TransactionCanceledException) when calling the TransactWriteItems operation" in said
    assert "specific reasons [None, ConditionalCheckFailed, None]" in said
    assert titles(shelf, 4, 5) == ["Volume 4", "Volume 5"]
    absent = {**check, "ConditionExpression": "attribute_not_exists(PK)"}
    actions = [
        visit(4),
        {"ConditionCheck": absent},
        {"Delete": {"TableName": shelf, "Key": json.loads(key(5))}},
        {"Put": {"TableName": shelf, "Item": {**loan(13), "Title": {"S": "Made"}}}},
    ]
    (tmp_path / "actions.json").write_text(json.dumps(actions))
    aws("transact-write-items", "--transact-items", f"file://{tmp_path}/actions.json")
    assert titles(shelf, 4, 5, 13) == ["Changed", "Made"]


def test_a_token_makes_a_retry_harmless(shelf):
    visit = {
        "Update": {
            "TableName": shelf,
            "Key": json.loads(key(8)),
            "UpdateExpression": "ADD Visits :one",
            "ExpressionAttributeValues": {":one": {"N": "1"}},
        }
    }
    token = ("--client-request-token", f"{shelf}-visit")
    aws(*transact([visit], *token))
    aws(*transact([visit], *token))
    found = aws("get-item", "--table-name", shelf, "--key", key(8), "--query", "Item.Visits.N", "--output", "text")
    assert found == "1"
    other = {"Delete": {"TableName": shelf, "Key": json.loads(key(8))}}
    assert "IdempotentParameterMismatchException" in refusal(*transact([other], *token))

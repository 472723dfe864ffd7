"""PartiQL: statements, batches and transactions of them."""

from decimal import Decimal

import botocore.exceptions
import pytest
from boto3.dynamodb.types import TypeDeserializer, TypeSerializer

from library import loan, number_of, write_loans

KEY = "PK = ? AND SK = ?"


def typed(*values):
    return [TypeSerializer().serialize(value) for value in values]


def plain(item):
    return {name: TypeDeserializer().deserialize(value) for name, value in item.items()}


def key(number):
    return ["MEMBER#ada", f"LOAN#{number:04}"]


@pytest.fixture
def execute(client, loans):
    """Executes a statement, in which {} stands for the table, on twelve loans of ada."""
    write_loans(loans, "ada", range(1, 13))

    def execute(statement, *values, **more):
        parameters = {"Parameters": typed(*values)} if values else {}
        return client.execute_statement(Statement=statement.format(f'"{loans.name}"'), **parameters, **more)

    return execute


def numbers(answer):
    return [number_of(item) for item in answer["Items"]]


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("SK = 'LOAN#0003'", [3]),
        ("SK < 'LOAN#0003'", [1, 2]),
        ("SK BETWEEN 'LOAN#0004' AND 'LOAN#0006'", [4, 5, 6]),
        ("begins_with(\"SK\", 'LOAN#001')", [10, 11, 12]),
        ("SK IN ['LOAN#0012', 'LOAN#0001']", [1, 12]),
        ("Branch = 'Hill' AND Pages < 995", [6, 9, 12]),
        ("NOT Pages > 989", [11, 12]),
        ("Notes IS NOT MISSING", []),
        ("contains(Title, '2')", [2, 12]),
        ("SK > 'LOAN#0010' ORDER BY SK DESC", [12, 11]),
    ],
)
def test_select(execute, condition, found):
    assert numbers(execute("SELECT * FROM {} WHERE PK = ? AND " + condition, "MEMBER#ada")) == found


def test_select_from_indexes(execute, loans):
    by_branch = f'SELECT SK FROM "{loans.name}"."ByBranch" WHERE Branch = ? AND Due <= ?'
    assert numbers(execute(by_branch, "Hill", "2031-01-06")) == [3, 6]
    by_pages = f'SELECT SK, Due FROM "{loans.name}"."ByPages" WHERE PK = ? AND Pages < 990'
    assert numbers(execute(by_pages, "MEMBER#ada", ConsistentRead=True)) == [12, 11]


def test_pages(execute):
    found, more = [], {}
    while True:
        answer = execute("SELECT * FROM {} WHERE PK = 'MEMBER#ada'", Limit=5, **more)
        found += numbers(answer)
        if "NextToken" not in answer:
            break
        assert number_of(answer["LastEvaluatedKey"]) == found[-1]
        more = {"NextToken": answer["NextToken"]}
    assert found == list(range(1, 13))


def test_insert_and_duplicate(client, execute, loans):
    assert execute("INSERT INTO {} VALUE {{'PK': ?, 'SK': ?, 'Marks': <<'a', 'b'>>, 'Pair': [1, null]}}", *key(50))["Items"] == []
    item = loans.get_item(Key={"PK": "MEMBER#ada", "SK": "LOAN#0050"})["Item"]
    assert item["Marks"] == {"a", "b"} and item["Pair"] == [Decimal(1), None]
    with pytest.raises(client.exceptions.DuplicateItemException, match="Duplicate primary key exists in table"):
        execute("INSERT INTO {} VALUE {{'PK': ?, 'SK': ?}}", *key(50))


def test_update_and_returning(client, execute):
    change = "SET Pages = Pages + ?, Notes = list_append(['late'], [])"
    answer = execute(f"UPDATE {{}} {change} WHERE {KEY} RETURNING MODIFIED NEW *", 1, *key(1))
    assert [plain(item) for item in answer["Items"]] == [{"Pages": Decimal(1000), "Notes": ["late"]}]
    answer = execute(f"UPDATE {{}} REMOVE Notes WHERE {KEY} AND size(Notes) = 1 RETURNING ALL OLD *", *key(1))
    assert plain(answer["Items"][0]) == loan("ada", 1, Pages=1000, Notes=["late"])
    with pytest.raises(client.exceptions.ConditionalCheckFailedException) as refused:
        execute(f"UPDATE {{}} SET Notes = 1 WHERE {KEY} AND Pages = 5", *key(1), ReturnValuesOnConditionCheckFailure="ALL_OLD")
    assert plain(refused.value.response["Item"]) == loan("ada", 1, Pages=1000)
    with pytest.raises(client.exceptions.ConditionalCheckFailedException):
        execute(f"UPDATE {{}} SET Notes = 1 WHERE {KEY}", *key(99))


def test_delete(execute):
    answer = execute(f"DELETE FROM {{}} WHERE {KEY} RETURNING ALL OLD *", *key(1))
    assert [plain(item) for item in answer["Items"]] == [loan("ada", 1)]
    assert execute(f"DELETE FROM {{}} WHERE {KEY} RETURNING ALL OLD *", *key(1))["Items"] == []


def test_batch(client, execute, library):
    select = f'SELECT Title FROM "{library}" WHERE {KEY}'
    answers = client.batch_execute_statement(
        Statements=[
            {"Statement": select, "Parameters": typed(*key(1)), "ConsistentRead": True},
            {"Statement": select, "Parameters": typed(*key(99))},
            {"Statement": f'SELECT * FROM "{library}" WHERE PK = ?', "Parameters": typed("MEMBER#ada")},
            {"Statement": "SLECT"},
        ],
        ReturnConsumedCapacity="TOTAL",
    )
    found, absent, partial, malformed = answers["Responses"]
    assert found == {"TableName": library, "Item": {"Title": {"S": "Volume 1"}}}
    assert absent == {"TableName": library}
    assert partial["Error"]["Code"] == malformed["Error"]["Code"] == "ValidationError"
    assert [capacity["CapacityUnits"] for capacity in answers["ConsumedCapacity"]] == [1, 0.5]


def test_transactions(client, execute, library):
    def transact(*statements, **more):
        statements = [{"Statement": text.format(f'"{library}"'), "Parameters": typed(*values)} for text, *values in statements]
        return client.execute_transaction(TransactStatements=statements, **more)

    exists = (f"EXISTS(SELECT * FROM {{}} WHERE {KEY} AND Pages = 999)", *key(1))
    insert = ("INSERT INTO {} VALUE {{'PK': ?, 'SK': ?}}", *key(60))
    update = (f"UPDATE {{}} SET Pages = Pages + 1 WHERE {KEY}", *key(2))
    for _ in range(2):
        assert transact(exists, insert, update, ClientRequestToken="once")["Responses"] == []
    read = transact(*((f"SELECT Pages FROM {{}} WHERE {KEY}", *key(number)) for number in (2, 99)))
    assert read["Responses"] == [{"Item": {"Pages": {"N": "999"}}}, {}]
    with pytest.raises(client.exceptions.TransactionCanceledException) as cancelled:
        transact(update, insert)
    reasons = cancelled.value.response["CancellationReasons"]
    assert [reason["Code"] for reason in reasons] == ["None", "DuplicateItem"]


def test_refusals(execute):
    for statement, message in [
        ("SELECT * FROM {} WHERE", "Statement wasn't well formed, can't be processed: Unexpected term"),
        ("DELETE FROM {} WHERE PK = 'x'", "Where clause does not contain a mandatory equality on all key attributes"),
        ("SELECT * FROM {} LIMIT 5", "Unsupported clause: LIMIT"),
    ]:
        with pytest.raises(botocore.exceptions.ClientError, match=message) as refused:
            execute(statement)
        assert refused.value.response["Error"]["Code"] == "ValidationException"

"""The table of loans that most tests use, and what they put into it."""

LIBRARY = {
    "KeySchema": [
        {"AttributeName": "PK", "KeyType": "HASH"},
        {"AttributeName": "SK", "KeyType": "RANGE"},
    ],
    "AttributeDefinitions": [
        {"AttributeName": "PK", "AttributeType": "S"},
        {"AttributeName": "SK", "AttributeType": "S"},
        {"AttributeName": "Branch", "AttributeType": "S"},
        {"AttributeName": "Due", "AttributeType": "S"},
        {"AttributeName": "Pages", "AttributeType": "N"},
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "ByBranch",
            "KeySchema": [
                {"AttributeName": "Branch", "KeyType": "HASH"},
                {"AttributeName": "Due", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        }
    ],
    "LocalSecondaryIndexes": [
        {
            "IndexName": "ByPages",
            "KeySchema": [
                {"AttributeName": "PK", "KeyType": "HASH"},
                {"AttributeName": "Pages", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["Title"]},
        }
    ],
    "BillingMode": "PAY_PER_REQUEST",
}


def key(member, loan):
    """The key of a loan, typed."""
    return {"PK": {"S": f"MEMBER#{member}"}, "SK": {"S": f"LOAN#{loan:04}"}}


def loan(member, number, **attributes):
    """A loan as plain Python values: every third one is at the branch Hill, the others at Harbour.

    Due dates go up with the number, pages go down.
    """
    return {
        "PK": f"MEMBER#{member}",
        "SK": f"LOAN#{number:04}",
        "Title": f"Volume {number}",
        "Branch": "Hill" if number % 3 == 0 else "Harbour",
        "Due": f"2031-01-{number:02}",
        "Pages": 1000 - number,
        **attributes,
    }


def number_of(item):
    """The number of the loan in an item of either interface."""
    sort = item["SK"]
    return int((sort["S"] if isinstance(sort, dict) else sort).removeprefix("LOAN#"))


def write_loans(loans, member, numbers):
    with loans.batch_writer() as batch:
        for number in numbers:
            batch.put_item(Item=loan(member, number))

"""Vector indexes, as boto3 knows them."""

import time

import botocore
import pytest

PRODUCTS = {
    "AttributeDefinitions": [
        {"AttributeName": "id", "AttributeType": "S"},
        {"AttributeName": "category", "AttributeType": "S"},
    ],
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
    "VectorIndexes": [
        {
            "IndexName": "by-category",
            "VectorAttribute": {"AttributeName": "embedding"},
            "SearchSchema": [{"AttributeName": "category", "SearchSchemaElementType": "HASH"}],
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["title"]},
            "Dimensions": 2,
            "DistanceFunction": "COSINE",
        }
    ],
}


def vector(*elements):
    return [{"N": str(element)} for element in elements]


@pytest.fixture
def products(client, new_table):
    table = new_table(PRODUCTS)
    for id, category, embedding in [
        ("a", "audio", vector(1, 0)),
        ("b", "audio", vector(0, 1)),
        ("c", "audio", vector(0.9, 0.1)),
        ("d", "video", vector(1, 0)),
    ]:
        item = {"id": {"S": id}, "category": {"S": category}, "title": {"S": f"product {id}"}}
        client.put_item(TableName=table, Item=item | {"embedding": {"L": embedding}})
    return table


def search(client, table, **parameters):
    found = client.search_vectors(TableName=table, SearchVector=vector(1, 0), **parameters)
    return found["SearchResults"]


def test_the_nearest_items_are_found(client, products):
    found = search(
        client,
        products,
        IndexName="by-category",
        TopK=2,
        SearchConditionExpression="category = :c",
        ExpressionAttributeValues={":c": {"S": "audio"}},
    )
    assert [result["Item"]["id"]["S"] for result in found] == ["a", "c"]
    assert found[0]["Score"] == 0
    assert set(found[0]["Item"]) == {"id", "category", "title"}


def test_an_index_is_added_and_removed(client, products):
    create = {
        "IndexName": "all",
        "VectorAttribute": {"AttributeName": "embedding"},
        "Projection": {"ProjectionType": "KEYS_ONLY"},
        "Dimensions": 2,
        "DistanceFunction": "EUCLIDEAN",
    }
    answer = client.update_table(TableName=products, VectorIndexUpdates=[{"Create": create}])
    added = answer["TableDescription"]["VectorIndexes"][1]
    assert (added["IndexName"], added["IndexStatus"]) == ("all", "CREATING")

    def indexes():
        table = client.describe_table(TableName=products)["Table"]
        return {index["IndexName"]: index["IndexStatus"] for index in table.get("VectorIndexes", [])}

    for _ in range(200):
        if indexes()["all"] == "ACTIVE":
            break
        time.sleep(0.05)
    found = search(client, products, IndexName="all", TopK=10)
    assert len(found) == 4
    client.update_table(TableName=products, VectorIndexUpdates=[{"Delete": {"IndexName": "all"}}])
    for _ in range(200):
        if "all" not in indexes():
            break
        time.sleep(0.05)
    assert indexes() == {"by-category": "ACTIVE"}


def test_what_does_not_fit_is_refused(client, products):
    with pytest.raises(botocore.exceptions.ClientError) as refused:
        search(client, products, IndexName="by-category", TopK=1)
    message = "SearchConditionExpression must be provided when SearchSchema has a HASH key"
    assert refused.value.response["Error"]["Message"] == message
    with pytest.raises(botocore.exceptions.ClientError) as refused:
        client.put_item(TableName=products, Item={"id": {"S": "x"}, "embedding": {"L": vector(1)}})
    assert refused.value.response["Error"]["Code"] == "ValidationException"

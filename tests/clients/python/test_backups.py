"""Backups, point-in-time recovery, exports and imports."""

import gzip
import json
import os
import pathlib
import time
import uuid

import botocore.exceptions
import pytest

from library import loan, write_loans


def until(ask, wanted):
    """Asks until the answer is the wanted one."""
    for _ in range(600):
        answer = ask()
        if answer == wanted:
            return
        time.sleep(0.05)
    pytest.fail(f"{answer} and never {wanted}")


@pytest.fixture
def restored(client):
    """Names for restored tables, which are removed at the end."""
    names = []

    def name():
        names.append(f"python-{uuid.uuid4().hex[:12]}")
        return names[-1]

    yield name
    for name in names:
        try:
            client.delete_table(TableName=name)
        except client.exceptions.ResourceNotFoundException:
            pass


def items_of(client, table):
    pages = client.get_paginator("scan").paginate(TableName=table, ConsistentRead=True)
    return sorted((item for page in pages for item in page["Items"]), key=json.dumps)


def await_table(client, table):
    client.get_waiter("table_exists").wait(TableName=table, WaiterConfig={"Delay": 1, "MaxAttempts": 60})


def test_a_backup_is_restored(client, loans, library, restored):
    write_loans(loans, "ada", range(1, 20))
    before = items_of(client, library)
    backup = client.create_backup(TableName=library, BackupName="nightly")["BackupDetails"]
    assert backup["BackupStatus"] == "CREATING"
    arn = backup["BackupArn"]
    loans.put_item(Item=loan("ada", 25))
    until(
        lambda: client.describe_backup(BackupArn=arn)["BackupDescription"]["BackupDetails"]["BackupStatus"],
        "AVAILABLE",
    )
    listed = [
        summary["BackupName"]
        for page in client.get_paginator("list_backups").paginate(TableName=library)
        for summary in page["BackupSummaries"]
    ]
    assert listed == ["nightly"]
    target = restored()
    answer = client.restore_table_from_backup(TargetTableName=target, BackupArn=arn)
    assert answer["TableDescription"]["TableStatus"] == "CREATING"
    assert answer["TableDescription"]["RestoreSummary"]["SourceBackupArn"] == arn
    await_table(client, target)
    assert items_of(client, target) == before
    by_branch = client.scan(TableName=target, IndexName="ByBranch", Select="COUNT")
    assert by_branch["Count"] == len(before)
    with pytest.raises(client.exceptions.TableAlreadyExistsException):
        client.restore_table_from_backup(TargetTableName=library, BackupArn=arn)
    deleted = client.delete_backup(BackupArn=arn)["BackupDescription"]
    assert deleted["BackupDetails"]["BackupStatus"] == "DELETED"
    with pytest.raises(client.exceptions.BackupNotFoundException):
        client.describe_backup(BackupArn=arn)


def test_a_table_is_restored_to_a_point_in_time(client, loans, library, restored):
    with pytest.raises(client.exceptions.PointInTimeRecoveryUnavailableException):
        client.restore_table_to_point_in_time(
            SourceTableName=library, TargetTableName=restored(), UseLatestRestorableTime=True
        )
    client.update_continuous_backups(
        TableName=library,
        PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True, "RecoveryPeriodInDays": 7},
    )
    write_loans(loans, "ada", range(1, 6))
    before = items_of(client, library)
    recovery = client.describe_continuous_backups(TableName=library)["ContinuousBackupsDescription"]
    recovery = recovery["PointInTimeRecoveryDescription"]
    assert recovery["PointInTimeRecoveryStatus"] == "ENABLED"
    assert recovery["RecoveryPeriodInDays"] == 7
    # Times go over the wire as whole seconds.
    time.sleep(1.1)
    moment = int(time.time())
    time.sleep(1.1)
    loans.delete_item(Key={"PK": "MEMBER#ada", "SK": "LOAN#0001"})
    loans.put_item(Item=loan("ada", 2, Title="Changed"))
    target = restored()
    client.restore_table_to_point_in_time(
        SourceTableName=library, TargetTableName=target, RestoreDateTime=moment
    )
    await_table(client, target)
    assert items_of(client, target) == before
    latest = restored()
    client.restore_table_to_point_in_time(
        SourceTableName=library, TargetTableName=latest, UseLatestRestorableTime=True
    )
    await_table(client, latest)
    assert items_of(client, latest) == items_of(client, library)
    with pytest.raises(client.exceptions.InvalidRestoreTimeException):
        client.restore_table_to_point_in_time(
            SourceTableName=library, TargetTableName=restored(), RestoreDateTime=moment + 3600
        )


def test_a_table_goes_to_a_bucket_and_comes_back(client, loans, library, restored):
    buckets = os.environ.get("MONOTABLE_BUCKETS")
    if buckets is None:
        pytest.skip("there is no folder in the place of S3")
    bucket = f"bucket-{uuid.uuid4().hex[:12]}"
    folder = pathlib.Path(buckets) / bucket
    folder.mkdir()
    write_loans(loans, "ada", range(1, 20))
    client.update_continuous_backups(
        TableName=library, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True}
    )
    table_arn = client.describe_table(TableName=library)["Table"]["TableArn"]
    export = client.export_table_to_point_in_time(TableArn=table_arn, S3Bucket=bucket, S3Prefix="out")
    arn = export["ExportDescription"]["ExportArn"]
    until(lambda: client.describe_export(ExportArn=arn)["ExportDescription"]["ExportStatus"], "COMPLETED")
    manifest = client.describe_export(ExportArn=arn)["ExportDescription"]["ExportManifest"]
    summary = json.loads((folder / manifest).read_text())
    assert summary["itemCount"] == 19
    files = (folder / summary["manifestFilesS3Key"]).read_text().splitlines()
    data = [json.loads(line)["dataFileS3Key"] for line in files]
    lines = [line for key in data for line in gzip.decompress((folder / key).read_bytes()).splitlines()]
    exported = sorted((json.loads(line)["Item"] for line in lines), key=lambda item: item["SK"]["S"])
    assert [item["SK"]["S"] for item in exported] == [f"LOAN#{number:04}" for number in range(1, 20)]
    target = restored()
    imported = client.import_table(
        S3BucketSource={"S3Bucket": bucket, "S3KeyPrefix": manifest.replace("manifest-summary.json", "data/")},
        InputFormat="DYNAMODB_JSON",
        InputCompressionType="GZIP",
        TableCreationParameters={
            "TableName": target,
            "KeySchema": [
                {"AttributeName": "PK", "KeyType": "HASH"},
                {"AttributeName": "SK", "KeyType": "RANGE"},
            ],
            "AttributeDefinitions": [
                {"AttributeName": "PK", "AttributeType": "S"},
                {"AttributeName": "SK", "AttributeType": "S"},
            ],
            "BillingMode": "PAY_PER_REQUEST",
        },
    )["ImportTableDescription"]["ImportArn"]
    until(
        lambda: client.describe_import(ImportArn=imported)["ImportTableDescription"]["ImportStatus"], "COMPLETED"
    )
    assert items_of(client, target) == items_of(client, library)
    assert client.list_exports(TableArn=table_arn)["ExportSummaries"][0]["ExportArn"] == arn
    with pytest.raises(client.exceptions.ExportNotFoundException):
        client.describe_export(ExportArn=f"{table_arn}/export/01489602797149-73d8d5bc")


def test_an_export_can_be_filtered(client, loans, library):
    buckets = os.environ.get("MONOTABLE_BUCKETS")
    if buckets is None:
        pytest.skip("there is no folder in the place of S3")
    bucket = f"bucket-{uuid.uuid4().hex[:12]}"
    folder = pathlib.Path(buckets) / bucket
    folder.mkdir()
    write_loans(loans, "ada", range(1, 10))
    write_loans(loans, "bob", range(1, 10))
    client.update_continuous_backups(
        TableName=library, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True}
    )
    table_arn = client.describe_table(TableName=library)["Table"]["TableArn"]
    partition = client.scan(TableName=library)["Items"][0]["PK"]
    filter = {
        "KeyConditionExpression": "PK = :pk AND SK <= :sk",
        "ProjectionExpression": "PK, SK",
        "ExpressionAttributeValues": {":pk": partition, ":sk": {"S": "LOAN#0003"}},
    }
    export = client.export_table_to_point_in_time(
        TableArn=table_arn, S3Bucket=bucket, FilterSpecification=filter
    )["ExportDescription"]
    assert export["FilterSpecification"] == filter
    arn = export["ExportArn"]
    until(lambda: client.describe_export(ExportArn=arn)["ExportDescription"]["ExportStatus"], "COMPLETED")
    files = [path for path in folder.rglob("*.json.gz")]
    lines = [line for file in files for line in gzip.decompress(file.read_bytes()).splitlines()]
    items = sorted((json.loads(line)["Item"] for line in lines), key=lambda item: item["SK"]["S"])
    assert items == [{"PK": partition, "SK": {"S": f"LOAN#{number:04}"}} for number in range(1, 4)]


def test_items_of_a_bucket_are_put_in_bulk(client, library):
    buckets = os.environ.get("MONOTABLE_BUCKETS")
    if buckets is None:
        pytest.skip("there is no folder in the place of S3")
    bucket = f"bucket-{uuid.uuid4().hex[:12]}"
    folder = pathlib.Path(buckets) / bucket
    (folder / "in").mkdir(parents=True)

    def item(number):
        return {"PK": {"S": "BULK"}, "SK": {"S": f"ITEM#{number}"}}

    client.put_item(TableName=library, Item=item(1))
    lines = [
        {"Item": item(1), "ConditionExpression": "attribute_not_exists(PK)"},
        {"Item": item(2), "ConditionExpression": "attribute_not_exists(PK)"},
        {"Item": {"PK": {"S": "no sort key"}}},
    ]
    (folder / "in" / "items.json").write_text("".join(json.dumps(line) + "\n" for line in lines))
    arn = client.start_bulk_put_items(
        TableName=library,
        InputS3Configuration={"S3Bucket": bucket, "S3KeyPrefix": "in/", "InputFormat": "DYNAMODB_JSON"},
        OutputS3Configuration={
            "S3Bucket": bucket,
            "S3KeyPrefix": "reports",
            "OutputType": ["ERROR", "CONDITION_CHECK_FAILURE"],
        },
    )["BulkOperationDescription"]["BulkOperationArn"]

    def describe():
        return client.describe_bulk_operation(BulkOperationArn=arn)["BulkOperationDescription"]

    until(lambda: describe()["BulkOperationStatus"], "COMPLETED_WITH_ERRORS")
    assert (describe()["ProcessedItemCount"], describe()["FailedItemCount"]) == (3, 1)
    keys = client.query(
        TableName=library,
        KeyConditionExpression="PK = :pk",
        ExpressionAttributeValues={":pk": {"S": "BULK"}},
    )["Items"]
    assert keys == [item(1), item(2)]
    (failures,) = folder.rglob("condition-check-failures/*.json")
    assert json.loads(failures.read_text())["ExistingItem"] == item(1)
    listed = client.list_bulk_operations()["BulkOperationsSummaryList"]
    assert arn in [summary["BulkOperationArn"] for summary in listed]
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.cancel_bulk_operation(BulkOperationArn=arn[:-8] + "00000000")


def test_a_name_that_is_no_arn_is_refused(client):
    with pytest.raises(botocore.exceptions.ClientError) as refused:
        client.describe_backup(BackupArn="x" * 40)
    assert refused.value.response["Error"]["Message"] == "Invalid Backup ARN"

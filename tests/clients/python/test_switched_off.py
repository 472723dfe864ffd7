"""Features of AWS that are not here: answered as for a table that does not use them."""

import pytest


def test_contributor_insights(client, library):
    described = client.describe_contributor_insights(TableName=library)
    assert described["ContributorInsightsStatus"] == "DISABLED"
    assert client.list_contributor_insights()["ContributorInsightsSummaries"] == []
    disabled = client.update_contributor_insights(TableName=library, ContributorInsightsAction="DISABLE")
    assert disabled["ContributorInsightsStatus"] == "DISABLED"


def test_kinesis(client, library):
    described = client.describe_kinesis_streaming_destination(TableName=library)
    assert described["KinesisDataStreamDestinations"] == []


def test_global_tables(client, library):
    assert client.list_global_tables()["GlobalTables"] == []
    with pytest.raises(client.exceptions.GlobalTableNotFoundException):
        client.describe_global_table(GlobalTableName=library)
    with pytest.raises(client.exceptions.GlobalTableNotFoundException):
        client.describe_global_table_settings(GlobalTableName=library)
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.describe_table_replica_auto_scaling(TableName=library)

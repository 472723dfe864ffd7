"""Signatures: known keys are let in, wrong secrets, unknown keys and wrong tokens are not."""

import boto3
import botocore.config
import pytest

INVALID_TOKEN = "The security token included in the request is invalid."


def client_with(access_key, secret, token=None):
    return boto3.client(
        "dynamodb",
        aws_access_key_id=access_key,
        aws_secret_access_key=secret,
        aws_session_token=token,
        config=botocore.config.Config(retries={"total_max_attempts": 1}),
    )


@pytest.fixture
def keys():
    return boto3.Session().get_credentials().get_frozen_credentials()


@pytest.fixture
def temporary_keys():
    return boto3.Session(profile_name="temporary").get_credentials().get_frozen_credentials()


def refusal(client):
    with pytest.raises(client.exceptions.ClientError) as refused:
        client.list_tables()
    assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == 400
    error = refused.value.response["Error"]
    return error["Code"], error["Message"]


def test_the_right_secret_is_let_in(keys):
    assert "TableNames" in client_with(keys.access_key, keys.secret_key).list_tables()


def test_a_wrong_secret_is_refused(keys):
    code, message = refusal(client_with(keys.access_key, keys.secret_key + "x"))
    assert code == "InvalidSignatureException"
    assert message.startswith(
        "The request signature we calculated does not match the signature you provided."
    )
    assert keys.secret_key not in message


def test_an_unknown_key_is_refused(keys):
    assert refusal(client_with("AKIDNOBODY", keys.secret_key)) == ("UnrecognizedClientException", INVALID_TOKEN)


def test_a_temporary_key_needs_its_token(temporary_keys):
    access_key, secret, token = temporary_keys[:3]
    assert "TableNames" in client_with(access_key, secret, token).list_tables()
    for wrong in (None, token + "x"):
        assert refusal(client_with(access_key, secret, wrong)) == ("UnrecognizedClientException", INVALID_TOKEN)


def test_an_unsigned_request_is_refused():
    unsigned = boto3.client("dynamodb", config=botocore.config.Config(signature_version=botocore.UNSIGNED))
    code, _ = refusal(unsigned)
    assert code == "MissingAuthenticationTokenException"


def test_the_secret_is_checked_before_the_request(client, keys):
    wrong = client_with(keys.access_key, "wrong")
    with pytest.raises(client.exceptions.ClientError) as refused:
        wrong.delete_table(TableName="not-there")
    assert refused.value.response["Error"]["Code"] == "InvalidSignatureException"


def test_any_region_will_do(keys):
    elsewhere = boto3.client("dynamodb", region_name="ap-southeast-2")
    assert "TableNames" in elsewhere.list_tables()

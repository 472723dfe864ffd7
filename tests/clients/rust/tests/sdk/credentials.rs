//! Signatures: known keys are let in, wrong secrets, unknown keys and wrong tokens are not.

use crate::library::{config, config_of};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{Builder, Credentials, ProvideCredentials};
use aws_sdk_dynamodb::error::ProvideErrorMetadata;

async fn list(credentials: Credentials) -> Result<(), (String, String)> {
    let config = Builder::from(&config().await)
        .credentials_provider(credentials)
        .build();
    let listed = Client::from_conf(config).list_tables().send().await;
    listed.map(drop).map_err(|error| {
        let text = |part: Option<&str>| part.unwrap().to_owned();
        let error = error.into_service_error();
        (text(error.code()), text(error.message()))
    })
}

async fn keys(profile: &str) -> Credentials {
    let provider = config_of(profile).await.credentials_provider().unwrap();
    provider.provide_credentials().await.unwrap()
}

fn without_token(id: &str, secret: &str) -> Credentials {
    Credentials::new(id, secret, None, None, "test")
}

fn with_secret(keys: &Credentials, secret: &str) -> Credentials {
    without_token(keys.access_key_id(), secret)
}

#[tokio::test]
async fn the_right_secret_is_let_in() {
    let keys = keys("default").await;
    assert_eq!(
        list(with_secret(&keys, keys.secret_access_key())).await,
        Ok(())
    );
}

#[tokio::test]
async fn a_wrong_secret_is_refused() {
    let keys = keys("default").await;
    let (code, message) = list(with_secret(&keys, "wrong")).await.unwrap_err();
    assert_eq!(code, "InvalidSignatureException");
    let expected = "The request signature we calculated does not match the signature you provided.";
    assert!(message.starts_with(expected), "{message}");
    assert!(!message.contains(keys.secret_access_key()));
}

#[tokio::test]
async fn an_unknown_key_is_refused() {
    let keys = keys("default").await;
    let unknown = without_token("AKIDNOBODY", keys.secret_access_key());
    let invalid = "The security token included in the request is invalid.";
    assert_eq!(
        list(unknown).await,
        Err(("UnrecognizedClientException".to_owned(), invalid.to_owned()))
    );
}

#[tokio::test]
async fn a_temporary_key_needs_its_token() {
    let keys = keys("temporary").await;
    assert!(keys.session_token().is_some());
    assert_eq!(list(keys.clone()).await, Ok(()));
    let (code, _) = list(with_secret(&keys, keys.secret_access_key()))
        .await
        .unwrap_err();
    assert_eq!(code, "UnrecognizedClientException");
}

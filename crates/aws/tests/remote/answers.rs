//! What comes back.

use crate::scripted::{Answer, Scripted};
use flate2::Compression;
use flate2::write::GzEncoder;
use monotable_api::{DynamoExt, Error, GetItemInput, ListTablesInput};
use monotable_aws::RemoteOptions;
use monotable_item::Item;
use std::io::Write;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const TABLES: &[u8] = br#"{"TableNames":["Music"]}"#;

fn zipped(body: &[u8]) -> Vec<u8> {
    let mut writer = GzEncoder::new(Vec::new(), Compression::default());
    writer.write_all(body).unwrap();
    writer.finish().unwrap()
}

fn with_checksum(headers: &[(&'static str, &str)], checksum: u32, body: Vec<u8>) -> Answer {
    let headers = headers
        .iter()
        .map(|(name, value)| (*name, (*value).to_owned()));
    let checksum = ("x-amz-crc32", checksum.to_string());
    Answer::Send(200, headers.chain([checksum]).collect(), body)
}

async fn tables(script: impl IntoIterator<Item = Answer>) -> (Vec<String>, usize) {
    let server = Scripted::start(script).await;
    let answer = server
        .client()
        .await
        .list_tables(ListTablesInput::default())
        .await;
    (answer.unwrap().table_names, server.seen().len())
}

#[tokio::test]
async fn a_right_checksum_passes_and_a_wrong_one_is_asked_again() {
    let right = || with_checksum(&[], crc32fast::hash(TABLES), TABLES.to_vec());
    assert_eq!(tables([right()]).await, (vec!["Music".to_owned()], 1));
    let wrong = with_checksum(&[], crc32fast::hash(TABLES) ^ 1, TABLES.to_vec());
    assert_eq!(
        tables([wrong, right()]).await,
        (vec!["Music".to_owned()], 2)
    );
}

#[tokio::test]
async fn a_damaged_answer_is_never_handed_on() {
    let damaged = || with_checksum(&[], 17, TABLES.to_vec());
    let server = Scripted::start([damaged(), damaged(), damaged()]).await;
    let answer = server
        .client()
        .await
        .list_tables(ListTablesInput::default())
        .await;
    let error = answer.unwrap_err();
    assert!(error.message().contains("x-amz-crc32"), "{error}");
}

#[tokio::test]
async fn packed_answers_are_unpacked() {
    let packed = zipped(TABLES);
    let gzip = [("content-encoding", "gzip")];
    let right = || with_checksum(&gzip, crc32fast::hash(&packed), packed.clone());
    assert_eq!(tables([right()]).await, (vec!["Music".to_owned()], 1));
    let half = packed[..packed.len() / 2].to_vec();
    let broken = with_checksum(&gzip, crc32fast::hash(&half), half);
    assert_eq!(
        tables([broken, right()]).await,
        (vec!["Music".to_owned()], 2)
    );
}

#[tokio::test]
async fn exceptions_come_with_their_payload() {
    let body = br#"{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",
        "message":"The conditional request failed","Item":{"pk":{"S":"a"}}}"#;
    let server = Scripted::start([Answer::Send(400, vec![], body.to_vec())]).await;
    let key = Item::new().with("pk", "a");
    let answer = server
        .client()
        .await
        .get_item(GetItemInput::new("Music", key))
        .await;
    match answer.unwrap_err() {
        Error::ConditionalCheckFailedException {
            item: Some(item), ..
        } => {
            assert_eq!(serde_json::to_string(&item).unwrap(), r#"{"pk":{"S":"a"}}"#);
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_answer_of_something_else_is_named_and_not_asked_for_again() {
    let page = b"<html>hello</html>";
    for status in [200, 204, 302, 400, 403, 404, 405, 501] {
        let answer = Answer::Send(status, vec![("server", "Web/1".to_owned())], page.to_vec());
        let server = Scripted::start([answer]).await;
        let remote = server.client().await;
        let answer = remote.list_tables(ListTablesInput::default()).await;
        let error = answer.unwrap_err();
        assert!(!error.retryable(), "{status}: {error}");
        let told = format!(
            "{} is not a DynamoDB: it answered ListTables with HTTP status {status} and",
            server.url
        );
        assert!(error.message().starts_with(&told), "{error}");
        assert!(
            error.message().ends_with("(its server is Web/1)"),
            "{error}"
        );
        assert_eq!(server.seen().len(), 1, "{status}");
    }
}

#[tokio::test]
async fn a_port_that_does_not_speak_http_is_asked_once() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let server = tokio::spawn(async move {
        let mut connections = Vec::new();
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            // As a key-value store does to a command that it does not know.
            stream.read_exact(&mut [0; 4]).await.unwrap();
            stream
                .write_all(b"-ERR unknown command 'POST'\r\n")
                .await
                .unwrap();
            connections.push(stream);
            assert_eq!(connections.len(), 1, "it was asked again");
        }
    });
    let remote = RemoteOptions::new()
        .endpoint_url(&url)
        .region("eu-central-1")
        .credentials("AKID", "SECRET", None)
        .connect()
        .await
        .unwrap();
    let answer = remote.list_tables(ListTablesInput::default()).await;
    let error = answer.unwrap_err();
    assert!(!error.retryable(), "{error}");
    let told = format!("{url} is not a DynamoDB: it does not answer in HTTP");
    assert!(error.message().starts_with(&told), "{error}");
    assert!(!server.is_finished());
}

//! What is tried again, and what is not.

use crate::requests::amz_date;
use crate::scripted::{Answer, Scripted};
use monotable_api::{DynamoExt, Error, ListTablesInput, ListTablesOutput};
use monotable_aws::{Remote, RemoteOptions};
use std::time::{Duration, SystemTime};

async fn list(remote: &Remote) -> Result<ListTablesOutput, Error> {
    remote.list_tables(ListTablesInput::default()).await
}

/// Runs one call against the script and says how often it was tried.
async fn tried(
    script: impl IntoIterator<Item = Answer>,
) -> (Result<ListTablesOutput, Error>, usize) {
    let server = Scripted::start(script).await;
    let answer = list(&server.client().await).await;
    (answer, server.seen().len())
}

#[tokio::test]
async fn what_may_pass_is_tried_again() {
    for (status, name) in [
        (400, "ProvisionedThroughputExceededException"),
        (400, "RequestLimitExceeded"),
        (400, "ThrottlingException"),
        (400, "TransactionInProgressException"),
        (500, "InternalServerError"),
        (500, "InternalFailure"),
        (503, "ServiceUnavailableException"),
        (502, "SomethingUnheardOf"),
    ] {
        let (answer, tries) = tried([Answer::exception(status, name)]).await;
        assert!(answer.is_ok(), "{name}: {answer:?}");
        assert_eq!(tries, 2, "{name}");
    }
}

#[tokio::test]
async fn a_page_of_a_proxy_is_tried_again_by_its_status() {
    for status in [500, 502, 503, 504, 429] {
        let page = Answer::Send(status, vec![], b"<html>busy</html>".to_vec());
        let (answer, tries) = tried([page]).await;
        assert!(answer.is_ok(), "{status}: {answer:?}");
        assert_eq!(tries, 2, "{status}");
    }
}

#[tokio::test]
async fn what_is_final_is_not_tried_again() {
    for name in [
        "ConditionalCheckFailedException",
        "ValidationException",
        "ResourceNotFoundException",
        "TransactionConflictException",
        "TransactionCanceledException",
        "AccessDeniedException",
        "UnrecognizedClientException",
        "InvalidSignatureException",
        "ExpiredTokenException",
        "SomethingUnheardOf",
    ] {
        let (answer, tries) = tried([Answer::exception(400, name)]).await;
        assert_eq!(tries, 1, "{name}");
        assert!(answer.is_err(), "{name}");
    }
}

#[tokio::test]
async fn three_times_and_no_more() {
    let script = || (0..4).map(|_| Answer::exception(400, "ThrottlingException"));
    let (answer, tries) = tried(script()).await;
    assert_eq!(answer.unwrap_err().code(), "ThrottlingException");
    assert_eq!(tries, 3);

    let server = Scripted::start(script()).await;
    let once = server.options().max_attempts(1).connect().await.unwrap();
    assert_eq!(list(&once).await.unwrap_err().code(), "ThrottlingException");
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn a_lost_answer_is_asked_for_again() {
    for broken in [Answer::Hang, Answer::Cut] {
        let (answer, tries) = tried([broken]).await;
        assert!(answer.unwrap().table_names.is_empty());
        assert_eq!(tries, 2);
    }
    let (answer, tries) = tried([Answer::Cut, Answer::Cut, Answer::Cut]).await;
    assert_eq!(tries, 3);
    let error = answer.unwrap_err();
    assert!(matches!(error, Error::ServiceUnavailable { .. }));
    assert!(
        error.message().contains("may have carried out the request"),
        "{error}"
    );
}

#[tokio::test]
async fn a_silent_server_is_given_up() {
    let server = Scripted::start([Answer::Silence, Answer::Silence, Answer::Silence]).await;
    let patience = Duration::from_millis(100);
    let remote = server.options().attempt_timeout(patience).max_attempts(2);
    let remote = remote.connect().await.unwrap();
    let error = list(&remote).await.unwrap_err();
    assert!(
        error.message().contains("did not answer within 100ms"),
        "{error}"
    );
    assert!(error.message().contains(&server.url), "{error}");
    assert_eq!(server.seen().len(), 2);
}

#[tokio::test]
async fn nobody_there_is_said_with_the_endpoint() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let options = RemoteOptions::new().endpoint_url(&url).region("us-east-1");
    let remote = options.credentials("a", "b", None).connect().await.unwrap();
    let error = list(&remote).await.unwrap_err();
    assert!(matches!(error, Error::ServiceUnavailable { .. }));
    assert!(
        error
            .message()
            .starts_with(&format!("{url} cannot be reached")),
        "{error}"
    );
    assert!(error.message().contains("onnection refused"), "{error}");
}

#[tokio::test]
async fn a_wrong_clock_is_put_right_from_the_refusal() {
    let hour = Duration::from_secs(3600);
    for service in [SystemTime::now() + hour, SystemTime::now() - hour] {
        let body = br#"{"__type":"com.amazon.coral.service#InvalidSignatureException","message":"Signature expired"}"#;
        let date = vec![("date", httpdate::fmt_http_date(service))];
        let server = Scripted::start([Answer::Send(400, date, body.to_vec())]).await;
        let remote = server.client().await;
        list(&remote).await.unwrap();
        list(&remote).await.unwrap();
        let seen = server.seen();
        assert_eq!(seen.len(), 3, "the correction is kept");
        for corrected in &seen[1..] {
            let signed = amz_date(&corrected.headers["x-amz-date"]);
            let off = signed
                .duration_since(service)
                .unwrap_or_else(|error| error.duration());
            assert!(off < Duration::from_secs(600), "{off:?}");
        }
    }
}

#[tokio::test]
async fn a_wrong_secret_is_not_mistaken_for_a_wrong_clock() {
    let body = br#"{"__type":"com.amazon.coral.service#InvalidSignatureException","message":"does not match"}"#;
    let date = vec![("date", httpdate::fmt_http_date(SystemTime::now()))];
    let (answer, tries) = tried([Answer::Send(400, date, body.to_vec())]).await;
    assert_eq!(answer.unwrap_err().code(), "InvalidSignatureException");
    assert_eq!(tries, 1);
}

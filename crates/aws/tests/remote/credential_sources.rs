//! Sources of credentials that are asked over HTTP. One server stands for all of Amazon's, another one
//! for DynamoDB, which shows the key that requests are signed with.

use crate::scripted::{Answer, Scripted, Seen};
use crate::surroundings::{found, home, key_of};
use tempfile::TempDir;

/// What the client said, what the sources were asked, and the key that came of it.
struct Outcome {
    said: String,
    asked: Vec<Seen>,
    key: Option<String>,
}

/// Connects with the credentials of this home to a DynamoDB while the sources answer as the script says.
async fn connect(script: impl IntoIterator<Item = Answer>, home: &TempDir) -> Outcome {
    let sources = Scripted::start(script).await;
    let dynamo = Scripted::start([]).await;
    let container = format!("{}/keys", sources.url);
    let environment = [
        ("OPTION_ENDPOINT", dynamo.url.as_str()),
        ("CALLS", "1"),
        ("AWS_EC2_METADATA_DISABLED", "false"),
        ("AWS_EC2_METADATA_SERVICE_ENDPOINT", sources.url.as_str()),
        ("AWS_CONTAINER_CREDENTIALS_FULL_URI", container.as_str()),
        ("AWS_CONTAINER_AUTHORIZATION_TOKEN", "pod"),
        ("AWS_ENDPOINT_URL_STS", sources.url.as_str()),
        ("AWS_ENDPOINT_URL_SSO", sources.url.as_str()),
        ("AWS_ENDPOINT_URL_SSO_OIDC", sources.url.as_str()),
    ];
    Outcome {
        said: found(home.path(), &environment),
        asked: sources.seen(),
        key: dynamo.seen().first().map(key_of),
    }
}

/// A home whose profile has these lines.
fn home_with(profile: &str) -> TempDir {
    home(&format!("[default]\nregion = eu-north-1\n{profile}"))
}

/// A home whose profile takes a role with the credentials of this source.
fn home_with_role(source: &str) -> TempDir {
    home_with(&format!("{ROLE}credential_source = {source}\n"))
}

const ROLE: &str = "role_arn = arn:aws:iam::123456789012:role/reader\n";

/// The answer of a container or of a machine.
fn keys(key: &str) -> Answer {
    Answer::ok(&format!(
        r#"{{"Code":"Success","Type":"AWS-HMAC","LastUpdated":"2026-01-01T00:00:00Z",
            "AccessKeyId":"{key}","SecretAccessKey":"s","Token":"t","Expiration":"2099-01-01T00:00:00Z"}}"#
    ))
}

/// The answer of the service that gives out roles.
fn role(operation: &str, key: &str) -> Answer {
    Answer::ok(&format!(
        r#"<{operation}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><{operation}Result>
            <AssumedRoleUser><AssumedRoleId>A:b</AssumedRoleId><Arn>arn:aws:sts::1:assumed-role/r/b</Arn></AssumedRoleUser>
            <Credentials><AccessKeyId>{key}</AccessKeyId><SecretAccessKey>s</SecretAccessKey>
            <SessionToken>t</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials>
            </{operation}Result></{operation}Response>"#
    ))
}

fn body(seen: &Seen) -> String {
    String::from_utf8(seen.body.clone()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_is_assumed_with_the_keys_of_a_container() {
    let script = [keys("CONTAINER"), role("AssumeRole", "ROLE")];
    let outcome = connect(script, &home_with_role("EcsContainer")).await;
    assert_eq!(outcome.key.as_deref(), Some("ROLE"), "{}", outcome.said);
    let [container, sts] = &outcome.asked[..] else {
        panic!("{:?}", outcome.asked)
    };
    assert_eq!(container.head, "GET /keys HTTP/1.1\r\n");
    assert_eq!(container.headers["authorization"], "pod");
    assert_eq!(key_of(sts), "CONTAINER");
    assert!(body(sts).contains("Action=AssumeRole&"), "{}", body(sts));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_is_assumed_with_the_keys_of_the_machine() {
    let ttl = vec![("x-aws-ec2-metadata-token-ttl-seconds", "21600".to_owned())];
    let script = [
        Answer::Send(200, ttl, b"SESSION".to_vec()),
        Answer::ok("machine-role"),
        keys("MACHINE"),
        role("AssumeRole", "ROLE"),
    ];
    let outcome = connect(script, &home_with_role("Ec2InstanceMetadata")).await;
    assert_eq!(outcome.key.as_deref(), Some("ROLE"), "{}", outcome.said);
    let [token, _, machine, sts] = &outcome.asked[..] else {
        panic!("{:?}", outcome.asked)
    };
    assert_eq!(token.head, "PUT /latest/api/token HTTP/1.1\r\n");
    assert_eq!(machine.headers["x-aws-ec2-metadata-token"], "SESSION");
    assert!(machine.head.contains("machine-role"), "{}", machine.head);
    assert_eq!(key_of(sts), "MACHINE");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_is_assumed_with_a_web_identity() {
    let directory = tempfile::tempdir().unwrap();
    let token = directory.path().join("token");
    std::fs::write(&token, "identity").unwrap();
    let home = home_with(&format!(
        "{ROLE}web_identity_token_file = {}\n",
        token.display()
    ));
    let script = [role("AssumeRoleWithWebIdentity", "WEB")];
    let outcome = connect(script, &home).await;
    assert_eq!(outcome.key.as_deref(), Some("WEB"), "{}", outcome.said);
    let text = body(&outcome.asked[0]);
    assert!(text.contains("WebIdentityToken=identity"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn single_sign_on_refreshes_its_token() {
    let home = home_with(
        "sso_session = mine\nsso_account_id = 123456789012\nsso_role_name = reader\n\
         [sso-session mine]\nsso_region = eu-north-1\nsso_start_url = https://example.org/start\n",
    );
    let expired = r#"{"accessToken":"old","expiresAt":"2020-01-01T00:00:00Z","refreshToken":"again",
        "clientId":"client","clientSecret":"s","registrationExpiresAt":"2099-01-01T00:00:00Z",
        "region":"eu-north-1","startUrl":"https://example.org/start"}"#;
    // Named after the SHA-1 of the session's name.
    let token = "8034c43d15bb7ef42e2cc24255217acfc5f4b2f4.json";
    let cache = home.path().join(".aws/sso/cache");
    std::fs::create_dir_all(&cache).unwrap();
    std::fs::write(cache.join(token), expired).unwrap();
    let script = [
        Answer::ok(r#"{"accessToken":"fresh","expiresIn":3600,"refreshToken":"next"}"#),
        Answer::ok(
            r#"{"roleCredentials":{"accessKeyId":"SSO","secretAccessKey":"s","sessionToken":"t",
                "expiration":4070908800000}}"#,
        ),
    ];
    let outcome = connect(script, &home).await;
    assert_eq!(outcome.key.as_deref(), Some("SSO"), "{}", outcome.said);
    let [refresh, credentials] = &outcome.asked[..] else {
        panic!("{:?}", outcome.asked)
    };
    assert!(body(refresh).contains(r#""refreshToken":"again""#));
    assert_eq!(credentials.headers["x-amz-sso_bearer_token"], "fresh");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_source_that_fails_is_asked_again_over_another_connection() {
    let script = [
        keys("CONTAINER"),
        Answer::Send(500, vec![], b"<no/>".to_vec()),
        Answer::Hang,
        role("AssumeRole", "ROLE"),
    ];
    let outcome = connect(script, &home_with_role("EcsContainer")).await;
    assert_eq!(outcome.key.as_deref(), Some("ROLE"), "{}", outcome.said);
    let connections: Vec<_> = outcome.asked.iter().map(|seen| seen.connection).collect();
    assert_eq!(connections.len(), 4);
    assert!(
        connections[1..].is_sorted_by(|one, next| one < next),
        "{connections:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_source_is_given_up() {
    let script = std::iter::repeat_with(|| Answer::Silence).take(10);
    let outcome = connect(script, &home_with_role("Ec2InstanceMetadata")).await;
    assert_eq!(outcome.key, None);
    let expected = "the source of credentials did not answer within 1s";
    assert!(outcome.said.contains(expected), "{}", outcome.said);
}

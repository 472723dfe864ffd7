//! `serve` for others: TLS, the access log, probes, and SIGHUP for what was renewed.

use crate::http::{get, post};
#[cfg(feature = "aws")]
use crate::sandbox::Outcome;
use crate::sandbox::{GUARD, Sandbox, Served};
use std::path::Path;
use std::time::Instant;

pub(crate) const FIRST: [&str; 2] = [
    include_str!("../../../server/tests/http/certificates/first.pem"),
    include_str!("../../../server/tests/http/certificates/first.key"),
];
const SECOND: [&str; 2] = [
    include_str!("../../../server/tests/http/certificates/second.pem"),
    include_str!("../../../server/tests/http/certificates/second.key"),
];

fn eventually(mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + GUARD;
    while !holds() {
        assert!(Instant::now() < deadline, "waited in vain");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

fn install(sandbox: &Sandbox, [certificate, key]: [&str; 2]) {
    sandbox.write("server.pem", certificate);
    sandbox.write("server.key", key);
}

/// Lists tables through TLS, believing this certificate only.
#[cfg(feature = "aws")]
fn list(sandbox: &Sandbox, url: &str, trusted: &str) -> Outcome {
    sandbox.write("trusted.pem", trusted);
    let mut command = sandbox.command();
    command.env("SSL_CERT_FILE", sandbox.path().join("trusted.pem"));
    command
        .env("AWS_ACCESS_KEY_ID", "k")
        .env("AWS_SECRET_ACCESS_KEY", "s");
    command.env("AWS_MAX_ATTEMPTS", "1");
    Outcome::of(
        command
            .args(["tables", "--endpoint-url", url])
            .output()
            .unwrap(),
    )
}

#[test]
#[cfg(feature = "aws")]
fn tls_is_spoken_and_certificates_are_read_again() {
    let sandbox = Sandbox::new();
    install(&sandbox, FIRST);
    let tls = ["--tls-cert", "server.pem", "--tls-key", "server.key"];
    let served = Served::start(&sandbox, &[&["--in-memory"], &tls[..]].concat());
    assert!(
        served.url.starts_with("https://127.0.0.1:"),
        "{}",
        served.url
    );
    assert_eq!(
        list(&sandbox, &served.url, FIRST[0]).succeeded().stdout,
        "[]\n"
    );
    let plain = get(&served.url.replace("https", "http"), "/healthz");
    assert!(
        plain.starts_with("HTTP/1.1 400") && plain.contains("https://"),
        "{plain}"
    );
    // What cannot be used changes nothing.
    sandbox.write("server.key", SECOND[1]);
    served.signal("HUP");
    assert_eq!(
        list(&sandbox, &served.url, FIRST[0]).succeeded().stdout,
        "[]\n"
    );
    install(&sandbox, SECOND);
    served.signal("HUP");
    eventually(|| list(&sandbox, &served.url, SECOND[0]).code == Some(0));
    assert_ne!(list(&sandbox, &served.url, FIRST[0]).code, Some(0));
    let outcome = served.stop();
    assert!(
        outcome.stderr.contains("the certificate stays as it was"),
        "{outcome:?}"
    );
    assert!(!outcome.stderr.contains("BEGIN"), "{outcome:?}");
}

#[test]
fn certificates_are_refused_in_words() {
    let sandbox = Sandbox::new();
    install(&sandbox, [FIRST[0], SECOND[1]]);
    let serve = |arguments: &[&str]| {
        let all = [&["serve", "--in-memory", "--port", "0"], arguments].concat();
        sandbox.run(&all)
    };
    serve(&["--tls-cert", "server.pem"]).failed(2, "--tls-key");
    serve(&["--tls-cert", "nowhere", "--tls-key", "server.key"]).failed(253, "cannot read nowhere");
    serve(&["--tls-cert", "server.pem", "--tls-key", "server.key"])
        .failed(253, "cannot be used together");
    let outcome = serve(&["--tls-cert", "server.pem", "--tls-key", "server.pem"]);
    outcome.failed(253, "no private key could be read");
}

fn lines(path: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn requests_are_in_the_access_log_also_after_it_was_moved_away() {
    let sandbox = Sandbox::with_music();
    let served = Served::start(&sandbox, &["--access-log", "access.log"]);
    let item = r#"{"TableName":"Music","Item":{"Artist":{"S":"secret"},"Song":{"S":"b"}}}"#;
    assert!(post(&served.url, "PutItem", item).starts_with("HTTP/1.1 200"));
    let (path, moved) = (
        sandbox.path().join("access.log"),
        sandbox.path().join("moved"),
    );
    eventually(|| lines(&path).len() == 1);
    std::fs::rename(&path, &moved).unwrap();
    served.signal("HUP");
    eventually(|| path.exists());
    assert!(post(&served.url, "ListTables", "{}").starts_with("HTTP/1.1 200"));
    served.stop();
    assert_eq!(lines(&moved)[0]["tables"], serde_json::json!(["Music"]));
    // Stopping has written what was left.
    assert_eq!(lines(&path)[0]["operation"], "ListTables");
    assert!(!std::fs::read_to_string(&moved).unwrap().contains("secret"));
    let outcome = sandbox.run(&["serve", "--in-memory", "--access-log", "nowhere/access.log"]);
    outcome.failed(253, "cannot write the access log nowhere/access.log");
    sandbox
        .run(&["serve", "--in-memory", "--access-log-max-mb", "5"])
        .failed(2, "--access-log <FILE>");
}

#[test]
fn an_access_log_on_standard_error_and_on_a_full_disk() {
    let sandbox = Sandbox::new();
    let served = Served::start(
        &sandbox,
        &["--in-memory", "--log", "off", "--access-log", "-"],
    );
    get(&served.url, "/readyz");
    let outcome = served.stop();
    assert!(
        outcome.stderr.contains(r#""operation":"/readyz""#),
        "{outcome:?}"
    );
    let served = Served::start(&sandbox, &["--in-memory", "--access-log", "/dev/full"]);
    for _ in 0..10 {
        assert!(get(&served.url, "/healthz").starts_with("HTTP/1.1 200"));
    }
    let outcome = served.stop();
    assert!(outcome.stderr.contains("disk full"), "{outcome:?}");
}

#[test]
fn a_server_with_room_is_ready() {
    let sandbox = Sandbox::new();
    let served = Served::start(&sandbox, &[]);
    assert!(get(&served.url, "/readyz").starts_with("HTTP/1.1 200"));
    // The folder is gone: whatever is written now is lost to the next start.
    std::fs::remove_dir_all(sandbox.path().join("data")).unwrap();
    let answer = get(&served.url, "/readyz");
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    assert!(answer.contains("./data"), "{answer}");
    assert!(get(&served.url, "/healthz").starts_with("HTTP/1.1 200"));
}

#[test]
fn the_limit_of_connections_is_an_option() {
    let sandbox = Sandbox::new();
    let served = Served::start(&sandbox, &["--in-memory", "--max-connections", "3"]);
    let address = served.url.strip_prefix("http://").unwrap();
    let idle: Vec<_> = (0..20)
        .map(|_| {
            use std::io::{Read, Write};
            let mut socket = std::net::TcpStream::connect(address).unwrap();
            let request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
            socket.write_all(request).unwrap();
            let mut answer = [0; 12];
            socket.read_exact(&mut answer).unwrap();
            assert_eq!(&answer, b"HTTP/1.1 200");
            socket
        })
        .collect();
    let metrics = get(&served.url, "/metrics");
    assert!(
        metrics.contains("monotable_connections_dismissed_total 18"),
        "{metrics}"
    );
    drop(idle);
    served.stop();
    sandbox
        .run(&["serve", "--max-connections", "0"])
        .failed(2, "--max-connections");
}

#[test]
fn the_tables_below_models_are_closed_where_callers_need_a_proof() {
    let sandbox = Sandbox::new();
    sandbox.write("model.toml", crate::rows::MODEL);
    sandbox.write("auth.toml", crate::examples::AUTH);
    let served = Served::start(
        &sandbox,
        &["model.toml", "--in-memory", "--auth", "auth.toml"],
    );
    let refused = post(&served.url, "ListTables", "{}");
    assert!(refused.starts_with("HTTP/1.1 400"), "{refused}");
    assert!(!refused.contains("TableNames"), "{refused}");
}

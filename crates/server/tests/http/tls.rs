//! TLS: requests through it, clients without it, and a certificate that is replaced.

use crate::client::{Client, get, request};
use crate::policies::{EVE, credentials};
use crate::running::{Running, eventually};
use crate::signed::{Signed, now};
use monotable_server::{Certificate, CertificateError, Limits, ServerOptions};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

pub(crate) const FIRST: (&[u8], &[u8]) = (
    include_bytes!("certificates/first.pem"),
    include_bytes!("certificates/first.key"),
);
const SECOND: (&[u8], &[u8]) = (
    include_bytes!("certificates/second.pem"),
    include_bytes!("certificates/second.key"),
);

fn certificate(files: (&[u8], &[u8])) -> Certificate {
    Certificate::parse(files.0, files.1).unwrap()
}

fn server(limits: Limits) -> Running {
    Running::with(
        ServerOptions::new()
            .certificate(certificate(FIRST))
            .limits(limits),
    )
}

/// Asks through TLS, believing this certificate only.
fn ask(address: SocketAddr, trusted: &[u8], request: &[u8]) -> std::io::Result<String> {
    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_slice(trusted).unwrap())
        .unwrap();
    let config = ClientConfig::builder()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    let session = ClientConnection::new(Arc::new(config), name).unwrap();
    let mut stream = StreamOwned::new(session, TcpStream::connect(address)?);
    stream.write_all(request)?;
    let mut answer = Vec::new();
    let mut piece = [0; 65536];
    loop {
        let read = stream.read(&mut piece)?;
        answer.extend_from_slice(&piece[..read]);
        let text = String::from_utf8_lossy(&answer);
        let whole = text.split_once("\r\n\r\n").is_some_and(|(head, body)| {
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            length.is_some_and(|length| body.len() >= length.parse::<usize>().unwrap())
        });
        if whole || read == 0 {
            return Ok(text.into_owned());
        }
    }
}

#[test]
fn policies_can_ask_for_tls() {
    let policy = r#"{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "dynamodb:ListTables", "Resource": "*",
        "Condition": {"Bool": {"aws:SecureTransport": "true"}}}]}"#;
    let plain = || {
        ServerOptions::new()
            .credentials(credentials(policy, policy))
            .clock(now)
    };
    let mut signed = Signed::by(EVE);
    signed.headers[2].1 = "DynamoDB_20120810.ListTables".to_owned();
    signed.body = "{}";
    let message = signed.sign();
    let server = Running::with(plain().certificate(certificate(FIRST)));
    let answer = ask(server.address, FIRST.0, &message.to_bytes()).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let reply = message.send(&Running::with(plain()));
    assert_eq!(reply.exception(), "AccessDeniedException");
}

#[test]
fn requests_go_through_tls() {
    let server = server(Limits::default());
    let answer = ask(server.address, FIRST.0, &request("ListTables", "{}")).unwrap();
    assert!(answer.ends_with(r#"{"TableNames":[]}"#), "{answer}");
    let page = ask(server.address, FIRST.0, get("/").as_bytes()).unwrap();
    assert!(
        page.contains("AWS_ENDPOINT_URL_DYNAMODB=https://localhost"),
        "{page}"
    );
    // A page of this server itself has its address with https.
    let own = |scheme: &str| {
        let request = format!(
            "GET /healthz HTTP/1.1\r\nhost: localhost\r\norigin: {scheme}://localhost\r\n\r\n"
        );
        ask(server.address, FIRST.0, request.as_bytes()).unwrap()
    };
    assert!(own("https").starts_with("HTTP/1.1 200"));
    assert!(own("http").starts_with("HTTP/1.1 403"));
}

#[test]
fn a_client_without_tls_is_told_what_to_do() {
    let server = server(Limits::default());
    let reply = Client::connect(server.address).ask(request("ListTables", "{}"));
    assert_eq!(reply.status, 400);
    assert!(reply.text().contains("https://"), "{}", reply.text());
    assert!(!reply.text().contains("TableNames"));
}

#[test]
fn a_handshake_has_a_deadline() {
    let server = server(Limits {
        header_timeout: Duration::from_millis(300),
        ..Limits::default()
    });
    // Nothing, and the beginning of a handshake.
    assert!(Client::connect(server.address).is_closed());
    let mut client = Client::connect(server.address);
    client.send([0x16, 3, 1, 2, 0]);
    assert!(client.is_closed());
    let text = || ask(server.address, FIRST.0, get("/metrics").as_bytes()).unwrap();
    eventually(|| text().contains("reason=\"tls_timeout\"} 2"));
}

#[test]
fn handshakes_count_as_connections() {
    let server = server(Limits {
        connections: 3,
        ..Limits::default()
    });
    let shaking: Vec<Client> = (0..3)
        .map(|_| {
            let mut client = Client::connect(server.address);
            client.send([0x16, 3, 1, 2, 0]);
            client
        })
        .collect();
    // All places are taken by them, and none of them is idle.
    let mut fourth = Client::connect(server.address);
    fourth.try_send(get("/healthz"));
    assert_eq!(fourth.reply().unwrap().status, 503);
    drop(shaking);
    eventually(|| ask(server.address, FIRST.0, get("/healthz").as_bytes()).is_ok());
}

#[test]
fn a_replaced_certificate_is_shown_to_new_connections() {
    let server = server(Limits::default());
    let healthy = |trusted| ask(server.address, trusted, get("/healthz").as_bytes());
    assert!(healthy(FIRST.0).is_ok());
    assert!(healthy(SECOND.0).is_err());
    server.keys.replace_certificate(certificate(SECOND));
    assert!(healthy(FIRST.0).is_err());
    assert!(healthy(SECOND.0).is_ok());
}

#[test]
fn certificates_that_cannot_be_used_are_refused_in_words() {
    let refuse = |certificate: &[u8], key: &[u8]| Certificate::parse(certificate, key).unwrap_err();
    let none = refuse(b"", FIRST.1);
    assert!(matches!(none, CertificateError::Certificate(_)), "{none}");
    let no_key = refuse(FIRST.0, FIRST.0);
    assert!(matches!(no_key, CertificateError::Key(_)), "{no_key}");
    let foreign = refuse(FIRST.0, SECOND.1);
    assert!(
        matches!(foreign, CertificateError::Unusable(_)),
        "{foreign}"
    );
    assert!(!format!("{:?}", certificate(FIRST)).contains("BEGIN"));
}

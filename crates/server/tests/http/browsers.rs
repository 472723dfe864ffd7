//! Requests that a browser may have sent for a foreign page.

use crate::client::{Client, SIGNED_BY_ANYONE};
use crate::running::Running;
use monotable_server::{BindError, Credentials, ServerOptions};
use std::net::{IpAddr, Ipv4Addr};

fn ask(server: &Running, host: &str, headers: &str) -> (u16, String) {
    let reply = Client::connect(server.address).ask(format!(
        "POST / HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/x-amz-json-1.0\r\n\
         x-amz-target: DynamoDB_20120810.ListTables\r\n{SIGNED_BY_ANYONE}{headers}\
         content-length: 2\r\n\r\n{{}}"
    ));
    (reply.status, reply.text().to_owned())
}

#[test]
fn only_our_own_names_are_served() {
    let server = Running::with(ServerOptions::new().allow_host("Dynamo.Internal"));
    let port = server.address.port();
    for host in [
        "localhost".to_owned(),
        format!("localhost:{port}"),
        "LOCALHOST".to_owned(),
        "db.localhost:8000".to_owned(),
        format!("127.0.0.1:{port}"),
        "127.0.0.2".to_owned(),
        "[::1]".to_owned(),
        "[::1]:8000".to_owned(),
        "192.168.1.7:8000".to_owned(),
        "dynamo.internal:8000".to_owned(),
    ] {
        assert_eq!(ask(&server, &host, "").0, 200, "{host}");
    }
    for host in [
        "evil.example",
        "evil.example:8000",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "notlocalhost",
        "127.0.0.1@evil.example",
        "[::1].evil.example",
        "",
    ] {
        let (status, body) = ask(&server, host, "");
        assert_eq!(status, 403, "{host}");
        assert!(body.contains("--allow-host"), "{body}");
    }
}

#[test]
fn pages_are_guarded_too_but_for_probes() {
    let server = Running::with(ServerOptions::new());
    let status = |path: &str| {
        let request = format!("GET {path} HTTP/1.1\r\nhost: evil.example\r\n\r\n");
        Client::connect(server.address).ask(request).status
    };
    assert_eq!(status("/"), 403);
    assert_eq!(status("/metrics"), 403);
    assert_eq!(status("/healthz"), 200);
}

#[test]
fn any_host_can_be_allowed() {
    let server = Running::with(ServerOptions::new().allow_host("*"));
    assert_eq!(ask(&server, "whatever.example", "").0, 200);
}

#[test]
fn foreign_origins_are_refused() {
    let server = Running::with(ServerOptions::new());
    for headers in [
        "origin: https://evil.example\r\n",
        "origin: null\r\n",
        "origin: http://localhost:3000\r\n",
        "origin: https://localhost:8000\r\n",
        "sec-fetch-site: cross-site\r\n",
        "sec-fetch-site: same-site\r\n",
    ] {
        let (status, body) = ask(&server, "localhost:8000", headers);
        assert_eq!(status, 403, "{headers}");
        assert!(body.contains("--allow-origin"), "{body}");
    }
    for headers in [
        "origin: http://localhost:8000\r\nsec-fetch-site: same-origin\r\n",
        "sec-fetch-site: none\r\n",
    ] {
        assert_eq!(ask(&server, "localhost:8000", headers).0, 200, "{headers}");
    }
}

#[test]
fn a_preflight_of_a_foreign_origin_allows_nothing() {
    let server = Running::with(ServerOptions::new());
    let reply = Client::connect(server.address).ask(
        "OPTIONS / HTTP/1.1\r\nhost: localhost\r\norigin: https://evil.example\r\n\
         access-control-request-method: POST\r\n\r\n",
    );
    assert_eq!(reply.status, 403);
    assert!(!reply.head.contains("access-control"), "{}", reply.head);
}

#[test]
fn every_origin_can_be_allowed() {
    let server = Running::with(ServerOptions::new().allow_origin("*"));
    let reply = Client::connect(server.address)
        .ask("OPTIONS / HTTP/1.1\r\nhost: localhost\r\norigin: https://any.example\r\n\r\n");
    assert_eq!(
        reply.header("access-control-allow-origin"),
        Some("https://any.example")
    );
}

fn bind(options: ServerOptions) -> Result<(), BindError> {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let engine = crate::running::engine();
    runtime.block_on(options.bind(engine)).map(drop)
}

#[test]
fn a_public_address_needs_credentials_or_a_word() {
    let all = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
    let public = ServerOptions::new().host(all).port(0);
    let refused = bind(public.clone()).unwrap_err();
    assert!(matches!(refused, BindError::Public(_)));
    assert!(
        refused.to_string().contains("give credentials"),
        "{refused}"
    );
    bind(public.clone().insecure()).unwrap();
    let credentials = "[a]\naws_access_key_id=A\naws_secret_access_key=B\n";
    bind(public.credentials(Credentials::parse(credentials).unwrap())).unwrap();
    bind(ServerOptions::new().host("::1".parse().unwrap()).port(0)).ok();
    bind(
        ServerOptions::new()
            .host("127.0.0.9".parse().unwrap())
            .port(0),
    )
    .unwrap();
    let mapped = "::ffff:10.0.0.1".parse().unwrap();
    assert!(matches!(
        bind(ServerOptions::new().host(mapped).port(0)),
        Err(BindError::Public(_))
    ));
}

#[test]
fn a_taken_port_is_named() {
    let server = Running::with(ServerOptions::new());
    let taken = ServerOptions::new().port(server.address.port());
    let error = bind(taken).unwrap_err();
    assert!(matches!(error, BindError::PortTaken(address) if address == server.address));
    assert!(error.to_string().contains("choose another port"), "{error}");
}

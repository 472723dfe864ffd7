//! What is mounted beside the protocol: the server's own checks hold for it, and its answers reach the client.
#![allow(clippy::unwrap_used, reason = "tests")]

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use hyper::http::request::Parts;
use hyper::{Response, StatusCode};
use monotable_engine::Engine;
use monotable_server::{
    AnswerForecast, Limits, Mount, MountBody, MountRequest, Screening, ServerOptions,
};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Barrier;

/// So many callers of `/echo/together` are answered at once, and none of them before.
const TOGETHER: usize = 24;

/// Says what it was asked.
struct Echo {
    together: Barrier,
}

impl Mount for Echo {
    fn handles(&self, path: &str) -> bool {
        path.starts_with("/echo")
    }

    fn forecast(&self, head: &Parts) -> AnswerForecast {
        if head.uri.path() == "/echo/together" {
            AnswerForecast::Row
        } else {
            AnswerForecast::Page
        }
    }

    fn answer(
        &self,
        request: MountRequest,
    ) -> Pin<Box<dyn Future<Output = Response<MountBody>> + Send + '_>> {
        Box::pin(async move {
            if request.parts.uri.path() == "/echo/together" {
                self.together.wait().await;
            }
            assert!(
                request.parts.uri.path() != "/echo/panic",
                "as the test wants"
            );
            let body = if request.parts.uri.path() == "/echo/pieces" {
                let pieces = futures_util::stream::iter(["one\n", "two\n"]);
                MountBody::Pieces(
                    pieces
                        .map(|piece| Bytes::from_static(piece.as_bytes()))
                        .boxed(),
                )
            } else {
                let text = format!("{} {:?}", request.parts.method, request.body);
                MountBody::Whole(text.into())
            };
            Response::new(body)
        })
    }

    fn screen<'a>(
        &'a self,
        head: &'a Parts,
        _: SocketAddr,
    ) -> Pin<Box<dyn Future<Output = Screening> + Send + 'a>> {
        let screening = if head.uri.path() == "/echo/strangers" {
            let mut response = Response::new(MountBody::Whole("a stranger".into()));
            *response.status_mut() = StatusCode::UNAUTHORIZED;
            Screening::Refused(response)
        } else {
            Screening::Admitted
        };
        Box::pin(std::future::ready(screening))
    }

    fn refuse(&self, status: StatusCode, detail: &str) -> Response<MountBody> {
        let mut response = Response::new(MountBody::Whole(format!("refused: {detail}").into()));
        *response.status_mut() = status;
        response
    }
}

async fn serve() -> SocketAddr {
    let limits = Limits {
        body_bytes: 1000,
        ..Limits::default()
    };
    let options = ServerOptions::new()
        .port(0)
        .limits(limits)
        .mount(Arc::new(Echo {
            together: Barrier::new(TOGETHER),
        }));
    let server = options
        .bind(Arc::new(Engine::in_memory().unwrap()))
        .await
        .unwrap();
    let address = server.address();
    tokio::spawn(server.run(std::future::pending()));
    address
}

async fn send(address: SocketAddr, head: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let length = body.len();
    let request = format!("{head}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8(answer).unwrap()
}

#[tokio::test]
async fn whole_answers_and_pieces_arrive() {
    let address = serve().await;
    let whole = send(address, "PATCH /echo HTTP/1.1\r\nHost: localhost", "abc").await;
    assert!(whole.starts_with("HTTP/1.1 200"), "{whole}");
    assert!(whole.ends_with("PATCH b\"abc\""), "{whole}");
    let pieces = send(address, "GET /echo/pieces HTTP/1.1\r\nHost: localhost", "").await;
    assert!(pieces.contains("transfer-encoding: chunked"), "{pieces}");
    assert!(
        pieces.contains("one\n") && pieces.contains("two\n"),
        "{pieces}"
    );
    let health = send(address, "GET /healthz HTTP/1.1\r\nHost: localhost", "").await;
    assert!(health.starts_with("HTTP/1.1 200"), "{health}");
}

/// A page is much more than a row. If as much were set aside for each, some would be refused after a while because there is no memory.
#[tokio::test]
async fn many_callers_can_be_answered_with_a_row_at_a_time() {
    let address = serve().await;
    let head = "GET /echo/together HTTP/1.1\r\nHost: localhost";
    let calls = (0..TOGETHER).map(|_| send(address, head, ""));
    let mut answers: FuturesUnordered<_> = calls.collect();
    while let Some(answer) = answers.next().await {
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

#[tokio::test]
async fn strangers_are_refused_before_a_long_body_gets_memory() {
    let address = serve().await;
    let head = "POST /echo/strangers HTTP/1.1\r\nHost: localhost";
    // Longer than any body that is read here, so that only the head can have been looked at.
    let long = send(address, head, &"x".repeat(20_000)).await;
    assert!(long.starts_with("HTTP/1.1 401"), "{long}");
    assert!(long.ends_with("a stranger"), "{long}");
    let short = send(address, head, "abc").await;
    assert!(short.starts_with("HTTP/1.1 200"), "{short}");
}

#[tokio::test]
async fn the_servers_own_checks_hold() {
    let address = serve().await;
    let long = "x".repeat(2000);
    let cases = [
        ("GET /echo HTTP/1.1\r\nHost: evil.example", "", "403"),
        (
            "POST /echo HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example",
            "",
            "403",
        ),
        (
            "DELETE /echo HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site",
            "",
            "403",
        ),
        (
            "POST /echo HTTP/1.1\r\nHost: localhost",
            long.as_str(),
            "413",
        ),
        ("GET /echo/panic HTTP/1.1\r\nHost: localhost", "", "500"),
    ];
    for (head, body, status) in cases {
        let answer = send(address, head, body).await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{head}: {answer}"
        );
        assert!(answer.contains("refused: "), "{head}: {answer}");
    }
}

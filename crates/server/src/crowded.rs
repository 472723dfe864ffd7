//! Telling a client that there are too many connections.
//!
//! It is told, and not left waiting in the system's queue, so that it knows what is wrong; SDKs take the
//! answer as a reason to try again after a pause.

use monotable_api::Error;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// How many clients are told at once. Beyond that, connections are closed without a word.
pub(crate) const AT_ONCE: usize = 64;

/// For how long, and how much, is read of what the client sends meanwhile. Closing a socket with unread
/// bytes resets it, and the client might lose the answer.
const LINGER: Duration = Duration::from_secs(1);
const LINGER_BYTES: u64 = 1 << 20;

pub(crate) async fn turn_away(stream: TcpStream) {
    // A client that does not even read its answer is none of our concern.
    drop(tokio::time::timeout(LINGER, tell(stream)).await);
}

async fn tell(mut stream: TcpStream) -> std::io::Result<()> {
    stream.write_all(answer().as_bytes()).await?;
    stream.shutdown().await?;
    let mut rest = stream.take(LINGER_BYTES);
    tokio::io::copy(&mut rest, &mut tokio::io::sink()).await?;
    rest.read_u8().await.map(drop)
}

fn answer() -> String {
    let body = Error::ServiceUnavailable {
        message: "The server has too many connections at the moment: try again later".to_owned(),
    }
    .to_body();
    format!(
        "HTTP/1.1 503 Service Unavailable\r\nserver: {}\r\ncontent-type: {}\r\ncontent-length: {}\r\n\
         retry-after: 1\r\nconnection: close\r\n\r\n{}",
        crate::answer::SERVER,
        crate::answer::AMZ_JSON,
        body.len(),
        String::from_utf8_lossy(&body),
    )
}

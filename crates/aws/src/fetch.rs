//! A document at an address, such as the public keys of an issuer of tokens.

use crate::connections::Connections;
use bytes::Bytes;
use http::Request;
use http_body_util::Full;
use std::time::Duration;

/// Whoever does not answer within this time is taken for absent.
const TIMEOUT: Duration = Duration::from_secs(10);
/// A document of this kind is small.
const LARGEST: usize = 1 << 20;

/// Fetches a document over `https`, or over `http` from this machine. Redirects are not followed: they would lead to whoever
/// the answer names.
pub async fn fetch_document(url: &str) -> Result<Vec<u8>, String> {
    let uri: http::Uri = url
        .parse()
        .map_err(|error| format!("{url} is no address: {error}"))?;
    let is_local = matches!(uri.host(), Some("127.0.0.1" | "[::1]" | "localhost"));
    let connections = match uri.scheme_str() {
        Some("https") => Connections::with_trusted_certificates(Some(TIMEOUT)),
        Some("http") if is_local => Connections::without_tls(Some(TIMEOUT)),
        _ => {
            return Err(format!(
                "{url} is fetched over https, or over http from this machine alone"
            ));
        }
    };
    let connections = connections.map_err(|error| error.to_string())?;
    let request = Request::get(uri)
        .header(http::header::ACCEPT, "application/json")
        .body(Full::new(Bytes::new()))
        .map_err(|error| error.to_string())?;
    let answer = tokio::time::timeout(TIMEOUT, connections.exchange(request)).await;
    let answer = answer.map_err(|_| format!("{url} has not answered within {TIMEOUT:?}"))?;
    let answer = answer.map_err(|broken| format!("{url}: {broken}"))?;
    if !answer.status.is_success() {
        return Err(format!("{url} answered {}", answer.status));
    }
    if answer.body.len() > LARGEST {
        return Err(format!("{url} has more than {LARGEST} bytes"));
    }
    Ok(answer.body.into())
}

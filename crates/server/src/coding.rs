//! Content codings: requests packed with gzip or deflate, answers with gzip.

use crate::refusal::Refusal;
use bytes::Bytes;
use flate2::Compression;
use flate2::read::{DeflateDecoder, GzEncoder, MultiGzDecoder, ZlibDecoder};
use hyper::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderMap, HeaderValue};
use std::io::Read;

/// Answers below this size are not worth packing: they fit in one or two packets anyway.
const WORTH_PACKING: usize = 1024;

/// From this size on, packing or unpacking is moved off the thread that serves connections.
const LONG_WORK: usize = 256 << 10;

/// How a request is packed.
#[derive(Clone, Copy)]
enum Coding {
    Gzip,
    Deflate,
}

/// Undoes the coding of a request. The unpacked body has the same limit as one that came unpacked, and
/// no more than that is ever unpacked.
pub(crate) async fn unpack(
    headers: &HeaderMap,
    body: Bytes,
    limit: usize,
) -> Result<Bytes, Refusal> {
    let Some(coding) = requested(headers)? else {
        return Ok(body);
    };
    // How much it becomes is not known before.
    off_thread(body.len() >= LONG_WORK / 16, move || {
        unpack_as(coding, &body, limit)
    })
    .await?
}

fn requested(headers: &HeaderMap) -> Result<Option<Coding>, Refusal> {
    let Some(value) = headers.get(CONTENT_ENCODING) else {
        return Ok(None);
    };
    let coding = String::from_utf8_lossy(value.as_bytes());
    match coding.trim().to_ascii_lowercase().as_str() {
        "" | "identity" => Ok(None),
        "gzip" | "x-gzip" => Ok(Some(Coding::Gzip)),
        "deflate" => Ok(Some(Coding::Deflate)),
        _ => Err(Refusal::UnknownCoding {
            coding: coding.into_owned(),
        }),
    }
}

fn unpack_as(coding: Coding, body: &[u8], limit: usize) -> Result<Bytes, Refusal> {
    match coding {
        Coding::Gzip => bounded(MultiGzDecoder::new(body), limit),
        // The standard means zlib, many clients send the bare stream.
        Coding::Deflate => match bounded(ZlibDecoder::new(body), limit) {
            Err(Refusal::BrokenCoding) => bounded(DeflateDecoder::new(body), limit),
            unpacked => unpacked,
        },
    }
}

fn bounded(decoder: impl Read, limit: usize) -> Result<Bytes, Refusal> {
    let mut unpacked = Vec::new();
    let read = decoder
        .take(limit as u64 + 1)
        .read_to_end(&mut unpacked)
        .map_err(|_| Refusal::BrokenCoding)?;
    if read > limit {
        return Err(Refusal::TooLarge { limit });
    }
    Ok(Bytes::from(unpacked))
}

/// Packs an answer, if the client understands it and it is worth the work.
pub(crate) async fn pack(accepts_gzip: bool, body: Vec<u8>) -> (Vec<u8>, Packed) {
    if !accepts_gzip || body.len() < WORTH_PACKING {
        return (body, Packed::No);
    }
    let packed = off_thread(body.len() >= LONG_WORK, move || {
        let packed = gzip(&body);
        packed.map_or((body, Packed::No), |packed| (packed, Packed::Gzip))
    });
    packed.await.unwrap_or_default()
}

/// Whether an answer is packed.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Packed {
    #[default]
    No,
    Gzip,
}

/// Fast rather than small: most clients are near.
fn gzip(body: &[u8]) -> Option<Vec<u8>> {
    let mut packed = Vec::with_capacity(body.len() / 4);
    let mut encoder = GzEncoder::new(body, Compression::fast());
    encoder.read_to_end(&mut packed).ok()?;
    Some(packed)
}

/// Whether `Accept-Encoding` names gzip with a weight above zero.
pub(crate) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(ACCEPT_ENCODING).iter();
    values.any(|value| {
        value
            .to_str()
            .is_ok_and(|list| list.split(',').any(is_gzip))
    })
}

fn is_gzip(choice: &str) -> bool {
    let (coding, weight) = choice.split_once(';').unwrap_or((choice, ""));
    let coding = coding.trim();
    let wanted = coding.eq_ignore_ascii_case("gzip") || coding.eq_ignore_ascii_case("x-gzip");
    let weight = weight.trim().strip_prefix("q=");
    let never = weight.is_some_and(|weight| weight.trim().parse() == Ok(0.0));
    wanted && !never
}

/// The header of a packed answer.
pub(crate) const GZIP: HeaderValue = HeaderValue::from_static("gzip");

async fn off_thread<T: Send + 'static>(
    long: bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    if !long {
        return Ok(work());
    }
    let worked = tokio::task::spawn_blocking(work).await;
    worked.map_err(|_| Refusal::Panicked)
}

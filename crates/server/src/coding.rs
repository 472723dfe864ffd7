//! Content codings: requests and answers packed with gzip or deflate.

use crate::refusal::Refusal;
use bytes::Bytes;
use flate2::Compression;
use flate2::read::{DeflateDecoder, GzEncoder, MultiGzDecoder, ZlibDecoder, ZlibEncoder};
use hyper::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderMap, HeaderValue};
use std::io::Read;

/// Answers below this size are not packed, as Amazon's service does it: they fit in a few packets anyway.
const WORTH_PACKING: usize = 4 << 10;

/// From this size on, packing or unpacking is moved off the thread that serves connections.
const LONG_WORK: usize = 256 << 10;

/// How a body is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    Gzip,
    Deflate,
}

impl Coding {
    fn named(name: &str) -> Option<Self> {
        match name.trim().to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => Some(Self::Gzip),
            "deflate" => Some(Self::Deflate),
            _ => None,
        }
    }

    /// The header of an answer that is packed so.
    pub(crate) const fn header(self) -> HeaderValue {
        match self {
            Self::Gzip => HeaderValue::from_static("gzip"),
            Self::Deflate => HeaderValue::from_static("deflate"),
        }
    }
}

/// Undoes the coding of a request, which may become so long. No more than that is ever unpacked.
pub(crate) async fn unpack(coding: Coding, body: Bytes, limit: usize) -> Result<Bytes, Refusal> {
    // How much it becomes is not known before.
    off_thread(body.len() >= LONG_WORK / 16, move || {
        unpack_as(coding, &body, limit)
    })
    .await?
}

/// The coding that a request says its body has.
pub(crate) fn requested(headers: &HeaderMap) -> Result<Option<Coding>, Refusal> {
    let Some(value) = headers.get(CONTENT_ENCODING) else {
        return Ok(None);
    };
    let coding = String::from_utf8_lossy(value.as_bytes());
    let name = coding.trim();
    if name.is_empty() || name.eq_ignore_ascii_case("identity") {
        return Ok(None);
    }
    match Coding::named(name) {
        Some(coding) => Ok(Some(coding)),
        None => Err(Refusal::UnknownCoding {
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

/// Packs an answer, if the client understands it and it is worth the work. Says how it is packed.
pub(crate) async fn pack(accepted: Option<Coding>, body: Vec<u8>) -> (Vec<u8>, Option<Coding>) {
    let Some(coding) = accepted.filter(|_| body.len() >= WORTH_PACKING) else {
        return (body, None);
    };
    let packed = off_thread(body.len() >= LONG_WORK, move || {
        let packed = pack_as(coding, &body);
        packed.map_or((body, None), |packed| (packed, Some(coding)))
    });
    packed.await.unwrap_or_default()
}

/// Fast rather than small: most clients are near.
fn pack_as(coding: Coding, body: &[u8]) -> Option<Vec<u8>> {
    let mut packed = Vec::with_capacity(body.len() / 4);
    match coding {
        Coding::Gzip => GzEncoder::new(body, Compression::fast()).read_to_end(&mut packed),
        Coding::Deflate => ZlibEncoder::new(body, Compression::fast()).read_to_end(&mut packed),
    }
    .ok()?;
    Some(packed)
}

/// The coding that `Accept-Encoding` gives the greatest weight, above zero; of equals gzip.
pub(crate) fn accepted(headers: &HeaderMap) -> Option<Coding> {
    let values = headers.get_all(ACCEPT_ENCODING).iter();
    let lists = values.filter_map(|value| value.to_str().ok());
    let mut best: Option<(f32, Coding)> = None;
    for (weight, coding) in lists.flat_map(|list| list.split(',')).filter_map(choice) {
        let is_better = best.is_none_or(|(before, _)| {
            weight > before || (weight == before && coding == Coding::Gzip)
        });
        if weight > 0.0 && is_better {
            best = Some((weight, coding));
        }
    }
    best.map(|(_, coding)| coding)
}

/// One choice of the header, if it is one of ours; without weight it has the greatest.
fn choice(text: &str) -> Option<(f32, Coding)> {
    let (name, weight) = text.split_once(';').unwrap_or((text, ""));
    let weight = weight.trim().strip_prefix("q=");
    let weight = weight.and_then(|weight| weight.trim().parse().ok());
    Some((weight.unwrap_or(1.0), Coding::named(name)?))
}

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

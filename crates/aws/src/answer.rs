//! From the bytes of an answer to a response or an exception.

use crate::connections::{LARGEST_ANSWER, RawAnswer};
use crate::transport::Broken;
use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, DATE};
use monotable_api::{Error, OperationName, Response};
use std::io::Read;
use std::time::SystemTime;

const CHECKSUM: &str = "x-amz-crc32";

/// An answer whose bytes are those that were sent.
pub(crate) struct Answer {
    status: u16,
    body: Bytes,
    /// The service's time, if it said it.
    pub(crate) date: Option<SystemTime>,
}

impl Answer {
    /// Checks and unpacks what came.
    pub(crate) fn unpack(raw: RawAnswer) -> Result<Self, Broken> {
        // The checksum is that of the bytes on the wire, before they are unpacked.
        if checksum(&raw.headers).is_some_and(|sent| sent != crc32fast::hash(&raw.body)) {
            return Err(Broken::Damaged("its x-amz-crc32 differs"));
        }
        let body = match encoding(&raw.headers) {
            Some("gzip") => unzip(&raw.body).ok_or(Broken::Damaged("its gzip cannot be read"))?,
            _ => raw.body,
        };
        Ok(Self {
            status: raw.status.as_u16(),
            body,
            date: date(&raw.headers),
        })
    }

    /// Whether it is an exception, and not an answer that cannot be understood.
    pub(crate) const fn is_exception(&self) -> bool {
        self.status >= 400
    }

    /// What it says.
    pub(crate) fn read(&self, operation: OperationName) -> Result<Response, Error> {
        match self.status {
            200 => Response::decode(operation, &self.body).map_err(|error| {
                Error::internal(format_args!(
                    "the answer to {operation} is not one of DynamoDB: {}",
                    error.message()
                ))
            }),
            // A proxy or another server: what DynamoDB refuses, it explains.
            status @ 400.. if self.body.trim_ascii().is_empty() => {
                let text = format!(
                    "HTTP status {status} without a body is not an answer of DynamoDB; is the endpoint right?"
                );
                Err(Error::from_body(status, text.as_bytes()))
            }
            400.. => Err(Error::from_body(self.status, &self.body)),
            other => Err(Error::internal(format_args!(
                "HTTP status {other} is not an answer of DynamoDB; is the endpoint right?"
            ))),
        }
    }
}

fn checksum(headers: &HeaderMap) -> Option<u32> {
    headers.get(CHECKSUM)?.to_str().ok()?.parse().ok()
}

fn encoding(headers: &HeaderMap) -> Option<&str> {
    headers.get(CONTENT_ENCODING)?.to_str().ok()
}

fn date(headers: &HeaderMap) -> Option<SystemTime> {
    httpdate::parse_http_date(headers.get(DATE)?.to_str().ok()?).ok()
}

/// Bounded: a small body can unpack to a huge one.
fn unzip(packed: &[u8]) -> Option<Bytes> {
    let mut body = Vec::new();
    let most = u64::try_from(LARGEST_ANSWER).ok()?;
    let mut reader = MultiGzDecoder::new(packed).take(most + 1);
    reader.read_to_end(&mut body).ok()?;
    (body.len() <= LARGEST_ANSWER).then(|| body.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::StatusCode;
    use std::io::Write;

    fn raw(status: u16, headers: &[(&'static str, &str)], body: &[u8]) -> RawAnswer {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, value.parse().unwrap());
        }
        RawAnswer {
            status: StatusCode::from_u16(status).unwrap(),
            headers: map,
            body: Bytes::copy_from_slice(body),
        }
    }

    fn zip(body: &[u8]) -> Vec<u8> {
        let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        writer.write_all(body).unwrap();
        writer.finish().unwrap()
    }

    #[test]
    fn a_bomb_is_refused() {
        let bomb = zip(&vec![b' '; LARGEST_ANSWER + 1]);
        let answer = raw(200, &[("content-encoding", "gzip")], &bomb);
        assert!(matches!(Answer::unpack(answer), Err(Broken::Damaged(_))));
    }

    #[test]
    fn the_checksum_is_that_of_the_packed_bytes() {
        let packed = zip(br#"{"TableNames":["a"]}"#);
        let checksum = crc32fast::hash(&packed).to_string();
        let headers = [
            ("content-encoding", "gzip"),
            ("x-amz-crc32", checksum.as_str()),
        ];
        let answer = Answer::unpack(raw(200, &headers, &packed)).ok().unwrap();
        assert!(answer.read(OperationName::ListTables).is_ok());
    }

    #[test]
    fn what_is_not_dynamodb_is_said_to_be_that() {
        let page = Answer::unpack(raw(200, &[], b"<html>")).ok().unwrap();
        let error = page.read(OperationName::ListTables).unwrap_err();
        assert!(error.message().contains("is not one of DynamoDB"));
        let moved = Answer::unpack(raw(301, &[], b"")).ok().unwrap();
        let error = moved.read(OperationName::ListTables).unwrap_err();
        assert!(error.message().contains("HTTP status 301"));
        let refused = Answer::unpack(raw(405, &[], b"")).ok().unwrap();
        let error = refused.read(OperationName::ListTables).unwrap_err();
        assert!(error.message().contains("HTTP status 405"));
    }
}

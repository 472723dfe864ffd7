//! From the bytes of an answer to a response or an exception.

use crate::connections::{LARGEST_ANSWER, RawAnswer};
use crate::foreign::{ForeignAnswer, Sender};
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
    sender: Sender,
    body: Bytes,
    /// The service's time, if it said it.
    pub(crate) date: Option<SystemTime>,
}

/// An answer that is not a response.
#[derive(Debug)]
pub(crate) enum Unanswered {
    /// An exception of DynamoDB.
    Exception(Error),
    /// DynamoDB has carried out the request, and its response cannot be read.
    Unreadable(Error),
    /// Something on the way to DynamoDB has failed, as far as its status tells.
    Gateway(Error),
    /// Whoever answered is not a DynamoDB. This is what it said.
    Foreign(String),
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
            sender: Sender::new(&raw.headers),
            body,
            date: date(&raw.headers),
        })
    }

    /// What it says.
    pub(crate) fn read(&self, operation: OperationName) -> Result<Response, Unanswered> {
        match self.status {
            200 => Response::decode(operation, &self.body)
                .map_err(|error| self.refuse_response(operation, &error)),
            400.. => Err(self.read_exception()),
            _ => Err(self.refuse_foreign()),
        }
    }

    fn refuse_response(&self, operation: OperationName, error: &Error) -> Unanswered {
        if !self.sender.is_dynamodb() {
            return self.refuse_foreign();
        }
        Unanswered::Unreadable(Error::internal(format_args!(
            "the answer to {operation} is not one of DynamoDB: {}",
            error.message()
        )))
    }

    /// What DynamoDB refuses, it explains with the name of an exception. Statuses without one that a proxy in front of a
    /// DynamoDB has for failures of its own may pass; all others come from something else.
    fn read_exception(&self) -> Unanswered {
        if let Some(error) = Error::read_body(self.status, &self.body) {
            return Unanswered::Exception(error);
        }
        let message = || {
            let said = self.describe_foreign();
            format!("{said}, which is not an exception of DynamoDB; a proxy may have failed")
        };
        match self.status {
            429 => Unanswered::Gateway(Error::ThrottlingException { message: message() }),
            500 | 502..=504 => {
                Unanswered::Gateway(Error::ServiceUnavailable { message: message() })
            }
            _ => self.refuse_foreign(),
        }
    }

    fn refuse_foreign(&self) -> Unanswered {
        Unanswered::Foreign(self.describe_foreign())
    }

    fn describe_foreign(&self) -> String {
        let answer = ForeignAnswer {
            status: self.status,
            sender: &self.sender,
            body: &self.body,
        };
        answer.to_string()
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

    fn read(status: u16, headers: &[(&'static str, &str)], body: &[u8]) -> Unanswered {
        let answer = Answer::unpack(raw(status, headers, body)).ok().unwrap();
        answer.read(OperationName::ListTables).unwrap_err()
    }

    #[test]
    fn what_is_not_dynamodb_is_said_to_be_that() {
        for status in [200, 204, 301, 400, 403, 404, 405, 501] {
            for body in ["", "<html>", "[]", r#"{"message":"Forbidden"}"#] {
                let is_response = status == 200 && body.starts_with('{');
                if is_response {
                    continue;
                }
                let refused = read(status, &[], body.as_bytes());
                let Unanswered::Foreign(said) = refused else {
                    panic!("{status} {body}: {refused:?}");
                };
                assert!(said.contains(&status.to_string()), "{said}");
            }
        }
        for status in [429, 500, 502, 503, 504] {
            let refused = read(status, &[], b"<html>busy</html>");
            assert!(matches!(refused, Unanswered::Gateway(_)), "{refused:?}");
        }
    }

    /// Nobody may take it for a request that was not carried out.
    #[test]
    fn a_response_of_dynamodb_that_cannot_be_read_is_no_foreign_answer() {
        for head in [
            ("x-amzn-requestid", "ABC"),
            ("content-type", "application/x-amz-json-1.0"),
        ] {
            let refused = read(200, &[head], b"{\"TableNames\":[");
            assert!(matches!(refused, Unanswered::Unreadable(_)), "{refused:?}");
        }
    }
}

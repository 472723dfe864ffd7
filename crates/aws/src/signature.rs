//! A request as it goes over the wire, signed.

use crate::endpoint::Endpoint;
use aws_credential_types::Credentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use bytes::Bytes;
use http::header::{ACCEPT_ENCODING, CONTENT_TYPE, HOST, USER_AGENT};
use http::{HeaderValue, Request};
use http_body_util::Full;
use monotable_api::OperationName;
use std::error::Error as StdError;
use std::time::SystemTime;

const SERVICE: &str = "dynamodb";
const JSON: &str = "application/x-amz-json-1.0";
const TARGET: &str = "x-amz-target";
const AGENT: &str = concat!("monotable/", env!("CARGO_PKG_VERSION"));

/// Who signs, for where, and when.
pub(crate) struct Signer<'a> {
    pub(crate) credentials: Credentials,
    pub(crate) region: &'a str,
    pub(crate) time: SystemTime,
}

/// The request of an operation. It can fail only over credentials that no header can hold.
pub(crate) fn signed(
    signer: Signer<'_>,
    endpoint: &Endpoint,
    operation: OperationName,
    body: Bytes,
) -> Result<Request<Full<Bytes>>, Box<dyn StdError + Send + Sync>> {
    let target = operation.target();
    let signed_headers = [
        (HOST.as_str(), endpoint.host()),
        (CONTENT_TYPE.as_str(), JSON),
        (TARGET, target.as_str()),
    ];
    let uri = endpoint.uri().to_string();
    let signable = SignableRequest::new(
        "POST",
        &uri,
        signed_headers.into_iter(),
        SignableBody::Bytes(&body),
    )?;
    let identity = signer.credentials.into();
    let parameters = v4::SigningParams::builder()
        .identity(&identity)
        .region(signer.region)
        .name(SERVICE)
        .time(signer.time)
        .settings(SigningSettings::default())
        .build()?;
    let (signature, _) = sign(signable, &parameters.into())?.into_parts();
    let mut request = Request::post(endpoint.uri())
        .header(USER_AGENT, AGENT)
        .header(ACCEPT_ENCODING, encoding(endpoint));
    for (name, value) in signed_headers.into_iter().chain(signature.headers()) {
        request = request.header(name, HeaderValue::from_str(value)?);
    }
    Ok(request.body(Full::new(body))?)
}

/// Compression saves time on a network and costs it on one machine.
fn encoding(endpoint: &Endpoint) -> &'static str {
    if endpoint.is_loopback() {
        "identity"
    } else {
        "gzip"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request_to(url: &str) -> Request<Full<Bytes>> {
        let signer = Signer {
            credentials: Credentials::new("key", "secret", Some("token".to_owned()), None, "test"),
            region: "eu-west-1",
            time: SystemTime::UNIX_EPOCH,
        };
        let endpoint = Endpoint::parse(url).unwrap();
        signed(
            signer,
            &endpoint,
            OperationName::ListTables,
            Bytes::from_static(b"{}"),
        )
        .unwrap()
    }

    #[test]
    fn what_identifies_the_request_is_signed() {
        let request = request_to("https://example.org:443");
        let authorization = request.headers()["authorization"].to_str().unwrap();
        assert!(authorization.starts_with(
            "AWS4-HMAC-SHA256 Credential=key/19700101/eu-west-1/dynamodb/aws4_request, \
             SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, Signature="
        ));
        assert_eq!(request.headers()["host"], "example.org");
        assert_eq!(request.headers()["x-amz-date"], "19700101T000000Z");
        assert_eq!(
            request.headers()["x-amz-target"],
            "DynamoDB_20120810.ListTables"
        );
    }

    #[test]
    fn only_a_distant_service_is_asked_to_compress() {
        assert_eq!(
            request_to("http://example.org").headers()["accept-encoding"],
            "gzip"
        );
        assert_eq!(
            request_to("http://[::1]:8000").headers()["accept-encoding"],
            "identity"
        );
    }

    #[test]
    fn a_token_that_is_no_header_is_an_error_not_a_panic() {
        let signer = Signer {
            credentials: Credentials::new("key", "secret", Some("a\nb".to_owned()), None, "test"),
            region: "eu-west-1",
            time: SystemTime::UNIX_EPOCH,
        };
        let endpoint = Endpoint::parse("http://example.org").unwrap();
        assert!(signed(signer, &endpoint, OperationName::ListTables, Bytes::new()).is_err());
    }
}

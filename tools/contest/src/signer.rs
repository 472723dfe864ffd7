//! Requests as an AWS SDK sends them: signed, with all their headers.

use crate::failure::Failure;
use aws_credential_types::Credentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use std::io::Write;
use std::net::SocketAddr;
use std::time::SystemTime;

/// AWS's documented example pair. Most servers take any; ExtendDB knows just this one.
pub(crate) const ACCESS_KEY: &str = "AKIAIOSFODNN7EXAMPLE";
pub(crate) const SECRET_KEY: &str = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const REGION: &str = "us-east-1";

/// Signs requests to one server.
#[derive(Clone, Debug)]
pub(crate) struct Signer {
    host: String,
    credentials: Credentials,
}

impl Signer {
    pub(crate) fn new(address: SocketAddr) -> Self {
        Self {
            host: address.to_string(),
            credentials: Credentials::new(ACCESS_KEY, SECRET_KEY, None, None, "contest"),
        }
    }

    /// All bytes of a request that is valid for some minutes from now.
    pub(crate) fn request(&self, operation: &str, body: &str) -> Result<Vec<u8>, Failure> {
        let target = format!("DynamoDB_20120810.{operation}");
        let headers = [
            ("content-type", "application/x-amz-json-1.0"),
            ("host", self.host.as_str()),
            ("x-amz-target", target.as_str()),
        ];
        let identity = self.credentials.clone().into();
        let parameters = v4::SigningParams::builder()
            .identity(&identity)
            .region(REGION)
            .name("dynamodb")
            .time(SystemTime::now())
            .settings(SigningSettings::default())
            .build()?
            .into();
        let signable = SignableRequest::new(
            "POST",
            format!("http://{}/", self.host),
            headers.into_iter(),
            SignableBody::Bytes(body.as_bytes()),
        )?;
        let (added, _signature) = sign(signable, &parameters)?.into_parts();
        let (added, _query) = added.into_parts();

        let mut request = Vec::with_capacity(body.len() + 600);
        write!(request, "POST / HTTP/1.1\r\n")?;
        for (name, value) in headers {
            write!(request, "{name}: {value}\r\n")?;
        }
        for header in &added {
            write!(request, "{}: {}\r\n", header.name(), header.value())?;
        }
        write!(request, "content-length: {}\r\n\r\n{body}", body.len())?;
        Ok(request)
    }
}

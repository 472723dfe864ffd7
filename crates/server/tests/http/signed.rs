//! Requests signed by an independent implementation.

use crate::client::{Client, Reply};
use crate::running::Running;
use aws_credential_types::Credentials as Identity;
use aws_sigv4::http_request::{
    PayloadChecksumKind, SignableBody, SignableRequest, SignatureLocation, SigningSettings, sign,
};
use aws_sigv4::sign::v4;
use monotable_server::{Credentials, ServerOptions};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub(crate) const KEYS: &str = "\
# people
[alice]
aws_access_key_id = AKIDALICE
aws_secret_access_key = wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY   ; kept since 2020
region = eu-west-1

[bob]
AWS_ACCESS_KEY_ID=AKIDBOB
aws_secret_access_key=bobs=secret==
aws_session_token=tok/en+of==bob
";

pub(crate) const ALICE: (&str, &str) = ("AKIDALICE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY");
pub(crate) const BOB: (&str, &str) = ("AKIDBOB", "bobs=secret==");

/// What a client signs and sends.
#[derive(Clone)]
pub(crate) struct Signed {
    pub(crate) key: (&'static str, &'static str),
    pub(crate) token: Option<&'static str>,
    pub(crate) region: &'static str,
    pub(crate) service: &'static str,
    pub(crate) time: SystemTime,
    pub(crate) presigned: Option<Duration>,
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) query: &'static str,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) excluded: Vec<&'static str>,
    pub(crate) body: &'static str,
    pub(crate) checksum_header: bool,
}

pub(crate) fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(1_370_772_015)
}

pub(crate) fn server() -> Running {
    let credentials = Credentials::parse(KEYS).unwrap();
    Running::with(ServerOptions::new().credentials(credentials).clock(now))
}

impl Signed {
    pub(crate) fn by(key: (&'static str, &'static str)) -> Self {
        Self {
            key,
            token: None,
            region: "us-east-1",
            service: "dynamodb",
            time: now(),
            presigned: None,
            method: "POST",
            path: "/",
            query: "",
            headers: vec![
                ("host", "db.example:8000".to_owned()),
                ("content-type", "application/x-amz-json-1.0".to_owned()),
                ("x-amz-target", "DynamoDB_20120810.ListTables".to_owned()),
            ],
            excluded: vec![],
            body: r#"{"Limit":3}"#,
            checksum_header: false,
        }
    }

    /// The line, headers and body, ready to be spoiled.
    pub(crate) fn sign(&self) -> Message {
        let token = self.token.map(ToOwned::to_owned);
        let identity = Identity::new(self.key.0, self.key.1, token, None, "test").into();
        let mut settings = SigningSettings::default();
        if let Some(expires) = self.presigned {
            settings.signature_location = SignatureLocation::QueryParams;
            settings.expires_in = Some(expires);
        }
        if self.checksum_header {
            settings.payload_checksum_kind = PayloadChecksumKind::XAmzSha256;
        }
        let excluded = self.excluded.iter().map(|name| (*name).into()).collect();
        settings.excluded_headers = Some(excluded);
        let params = v4::SigningParams::builder()
            .identity(&identity)
            .region(self.region)
            .name(self.service)
            .time(self.time)
            .settings(settings)
            .build()
            .unwrap()
            .into();
        let url = format!("http://db.example:8000{}{}", self.path, self.query);
        let headers = self
            .headers
            .iter()
            .map(|(name, value)| (*name, value.as_str()));
        let body = SignableBody::Bytes(self.body.as_bytes());
        let request = SignableRequest::new(self.method, url, headers, body).unwrap();
        let (added, parameters) = sign(request, &params).unwrap().into_parts().0.into_parts();
        let mut query: Vec<String> = self
            .query
            .strip_prefix('?')
            .map(ToOwned::to_owned)
            .into_iter()
            .collect();
        query.extend(
            parameters
                .iter()
                .map(|(name, value)| format!("{name}={}", encoded(value))),
        );
        let mut headers: Vec<(String, String)> = Vec::new();
        headers.extend(
            self.headers
                .iter()
                .map(|(name, value)| ((*name).to_owned(), value.clone())),
        );
        headers.extend(
            added
                .iter()
                .map(|header| (header.name().to_owned(), header.value().to_owned())),
        );
        Message {
            method: self.method,
            path: self.path,
            query: query.join("&"),
            headers,
            body: self.body.to_owned(),
        }
    }
}

pub(crate) struct Message {
    method: &'static str,
    path: &'static str,
    pub(crate) query: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Message {
    pub(crate) fn send(&self, server: &Running) -> Reply {
        Client::connect(server.address).ask(self.to_bytes())
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let headers: String = self
            .headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        let mark = if self.query.is_empty() { "" } else { "?" };
        let text = format!(
            "{} {}{mark}{} HTTP/1.1\r\n{headers}content-length: {}\r\n\r\n{}",
            self.method,
            self.path,
            self.query,
            self.body.len(),
            self.body
        );
        text.into_bytes()
    }

    pub(crate) fn header(&mut self, name: &str) -> &mut String {
        let found = self.headers.iter_mut().find(|(known, _)| known == name);
        &mut found.unwrap().1
    }
}

pub(crate) fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    text.bytes()
        .map(|byte| {
            if plain(byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

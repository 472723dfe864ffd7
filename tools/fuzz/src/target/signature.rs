//! Signed requests, as bytes on a connection to a server that verifies signatures.

use crate::flaw::{Flaw, demand};
use aws_credential_types::Credentials as Identity;
use aws_sigv4::http_request::{
    SignableBody, SignableRequest, SignatureLocation, SigningSettings, sign,
};
use aws_sigv4::sign::v4;
use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use monotable_engine::Engine;
use monotable_server::{Credentials, ServerOptions};
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::runtime::Runtime;

const KEYS: &str = "[alice]\naws_access_key_id = AKIDALICE\naws_secret_access_key = hunter2\n";
const LONGEST: usize = 16_000;
const PATIENCE: Duration = Duration::from_secs(20);

/// What is signed: a target and a body. Nothing else may ever reach the database.
const SIGNED: [(&str, &str); 3] = [
    ("DynamoDB_20120810.ListTables", r#"{"Limit":3}"#),
    (
        "DynamoDB_20120810.GetItem",
        r#"{"TableName":"Music","Key":{"pk":{"S":"a"}}}"#,
    ),
    ("DynamoDBStreams_20120810.ListStreams", "{}"),
];

/// The server answers whatever comes, or closes the connection; it never fails inside. Since nobody can sign another request
/// without the secret, what is carried out is one of those that were signed, to the letter.
pub(crate) fn check(input: &[u8]) -> Result<(), Flaw> {
    if input.len() > LONGEST {
        return Ok(());
    }
    let running = Running::get()?;
    running.witness.take();
    let answer = running.send(input)?;
    let status = answer
        .split(|byte| *byte == b' ')
        .nth(1)
        .unwrap_or_default();
    demand(!status.starts_with(b"5"), || {
        format!(
            "the server fails inside: {}",
            String::from_utf8_lossy(&answer)
        )
    })?;
    let signed = list_signed();
    for request in running.witness.take() {
        demand(signed.contains(&request), || {
            format!("a request was carried out that nobody has signed: {request:?}")
        })?;
    }
    Ok(())
}

fn list_signed() -> Vec<Request> {
    let decode = |(target, body): &(&str, &str)| {
        let operation = monotable_api::OperationName::from_target(target).ok()?;
        Request::decode(operation, body.as_bytes()).ok()
    };
    SIGNED.iter().filter_map(decode).collect()
}

/// Remembers what reaches the database.
struct Witness {
    engine: Engine,
    requests: Mutex<Vec<Request>>,
}

impl Witness {
    fn take(&self) -> Vec<Request> {
        std::mem::take(&mut *self.requests.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Dynamo for Witness {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        requests.push(request.clone());
        drop(requests);
        Dynamo::call(&self.engine, request)
    }
}

/// A server of this process.
struct Running {
    address: SocketAddr,
    witness: Arc<Witness>,
    _runtime: Runtime,
}

fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(1_700_000_000)
}

impl Running {
    fn get() -> Result<&'static Self, Flaw> {
        static RUNNING: OnceLock<Running> = OnceLock::new();
        match RUNNING.get() {
            Some(running) => Ok(running),
            None => {
                let started = Self::start()?;
                Ok(RUNNING.get_or_init(|| started))
            }
        }
    }

    fn start() -> Result<Self, Flaw> {
        let witness = Arc::new(Witness {
            engine: Engine::in_memory()?,
            requests: Mutex::default(),
        });
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()?;
        let options = ServerOptions::new()
            .port(0)
            .credentials(Credentials::parse(KEYS)?);
        let options = options.allow_host("db.example").clock(now);
        let served = Arc::clone(&witness);
        let server = runtime.block_on(async { options.bind(served).await })?;
        let address = server.address();
        runtime.spawn(server.run(std::future::pending()));
        Ok(Self {
            address,
            witness,
            _runtime: runtime,
        })
    }

    /// Sends the bytes and closes its side; reads until the server does, too.
    fn send(&self, bytes: &[u8]) -> Result<Vec<u8>, Flaw> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        // The server may have refused the head before it got all of it.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        match stream.read_to_end(&mut answer) {
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => Err(Flaw::new(
                "there is no answer, and the connection stays open",
            )),
            Ok(_) | Err(_) => Ok(answer),
        }
    }
}

/// Requests with good signatures, in the header and in the query.
pub(crate) fn samples() -> Result<Vec<Vec<u8>>, Flaw> {
    let mut samples = Vec::new();
    for (target, body) in SIGNED {
        for location in [SignatureLocation::Headers, SignatureLocation::QueryParams] {
            samples.push(sign_request(target, body, location)?);
        }
    }
    Ok(samples)
}

fn sign_request(target: &str, body: &str, location: SignatureLocation) -> Result<Vec<u8>, Flaw> {
    let identity = Identity::new("AKIDALICE", "hunter2", None, None, "fuzz").into();
    let mut settings = SigningSettings::default();
    if matches!(location, SignatureLocation::QueryParams) {
        settings.expires_in = Some(Duration::from_secs(600));
    }
    settings.signature_location = location;
    let parameters = v4::SigningParams::builder()
        .identity(&identity)
        .region("us-east-1")
        .name("dynamodb")
        .time(now())
        .settings(settings)
        .build()?
        .into();
    let headers = [
        ("host", "db.example:8000"),
        ("content-type", "application/x-amz-json-1.0"),
        ("x-amz-target", target),
    ];
    let signable = SignableRequest::new(
        "POST",
        "http://db.example:8000/",
        headers.into_iter(),
        SignableBody::Bytes(body.as_bytes()),
    )?;
    let (added, query) = sign(signable, &parameters)?.into_parts().0.into_parts();
    let query: Vec<String> = query
        .iter()
        .map(|(name, value)| format!("{name}={}", encode(value)))
        .collect();
    let query = if query.is_empty() {
        String::new()
    } else {
        format!("?{}", query.join("&"))
    };
    let mut text = format!("POST /{query} HTTP/1.1\r\n");
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    for header in added {
        text += &format!("{}: {}\r\n", header.name(), header.value());
    }
    text += &format!(
        "content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    Ok(text.into_bytes())
}

/// A value of a query, with percent signs.
fn encode(value: &str) -> String {
    let letters = value.bytes().map(|byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    });
    letters.collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn what_was_signed_is_carried_out_and_what_was_changed_is_not() {
        let running = Running::get().unwrap();
        for sample in samples().unwrap() {
            running.witness.take();
            let answer = String::from_utf8(running.send(&sample).unwrap()).unwrap();
            assert_eq!(running.witness.take().len(), 1, "{answer}");
            let changed = String::from_utf8(sample)
                .unwrap()
                .replace("Limit\":3", "Limit\":4");
            let changed = changed.replace("\"a\"", "\"b\"").replace("{}", "{ }");
            running.send(changed.as_bytes()).unwrap();
            assert_eq!(running.witness.take(), []);
        }
    }
}

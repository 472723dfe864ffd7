//! The certificate of a server, and what a client is told that does not speak TLS.

use monotable_api::Error;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls;

/// The protocol above TLS, which clients may ask for.
const HTTP: &[u8] = b"http/1.1";

/// For how long, and how much, is read of what a client sends that does not speak TLS. Closing a socket with unread bytes resets
/// it, and the client might lose the answer.
const LINGER: Duration = Duration::from_secs(1);
const LINGER_BYTES: u64 = 64 << 10;

/// A certificate with its private key, for TLS. Cheap to clone.
#[derive(Clone)]
pub struct Certificate {
    config: Arc<ServerConfig>,
}

/// Why a certificate cannot be used.
#[derive(Debug)]
pub enum CertificateError {
    /// The text of the certificates has none, or one that cannot be read.
    Certificate(String),
    /// The text of the private key has none, or one that cannot be read.
    Key(String),
    /// The two do not belong together, or are of a kind that TLS does not take.
    Unusable(String),
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Certificate(problem) => write!(
                f,
                "no certificate could be read: {problem}. It must be in PEM, beginning with -----BEGIN CERTIFICATE-----, \
                 that of the server first and those that vouch for it behind"
            ),
            Self::Key(problem) => write!(
                f,
                "no private key could be read: {problem}. It must be in PEM, without a password, beginning with \
                 -----BEGIN PRIVATE KEY-----"
            ),
            Self::Unusable(problem) => write!(
                f,
                "the certificate and the private key cannot be used together: {problem}"
            ),
        }
    }
}

impl std::error::Error for CertificateError {}

impl Certificate {
    /// Reads a chain of certificates and the private key of the first one, both in PEM.
    pub fn parse(certificates: &[u8], key: &[u8]) -> Result<Self, CertificateError> {
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(certificates).collect();
        let chain = chain.map_err(|error| CertificateError::Certificate(error.to_string()))?;
        if chain.is_empty() {
            let problem = "there is none in the file".to_owned();
            return Err(CertificateError::Certificate(problem));
        }
        let key = PrivateKeyDer::from_pem_slice(key)
            .map_err(|error| CertificateError::Key(error.to_string()))?;
        let unusable = |error: rustls::Error| CertificateError::Unusable(error.to_string());
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(unusable)?
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .map_err(unusable)?;
        config.alpn_protocols = vec![HTTP.to_vec()];
        Ok(Self {
            config: Arc::new(config),
        })
    }
}

/// Says nothing of the key.
impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Certificate")
    }
}

/// The certificate that new connections get. It can be replaced while the server runs.
pub(crate) struct CurrentCertificate(RwLock<Certificate>);

impl CurrentCertificate {
    pub(crate) const fn new(certificate: Certificate) -> Self {
        Self(RwLock::new(certificate))
    }

    pub(crate) fn replace(&self, certificate: Certificate) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = certificate;
    }

    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        let certificate = self.0.read().unwrap_or_else(PoisonError::into_inner);
        TlsAcceptor::from(Arc::clone(&certificate.config))
    }
}

/// Tells a client that this port speaks TLS.
pub(crate) async fn answer_plainly(stream: TcpStream) {
    // A client that does not even read its answer is none of our concern.
    drop(tokio::time::timeout(LINGER, tell(stream)).await);
}

async fn tell(mut stream: TcpStream) -> std::io::Result<()> {
    let body = Error::validation(
        "This port speaks TLS, and the request came without: use an address that begins with https://",
    )
    .to_body();
    let head = format!(
        "HTTP/1.1 400 Bad Request\r\nserver: {}\r\ncontent-type: {}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        crate::answer::SERVER,
        crate::answer::AMZ_JSON,
        body.len(),
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(&body).await?;
    stream.shutdown().await?;
    let mut rest = stream.take(LINGER_BYTES);
    tokio::io::copy(&mut rest, &mut tokio::io::sink())
        .await
        .map(drop)
}

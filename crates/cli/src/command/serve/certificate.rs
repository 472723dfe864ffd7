//! The certificate that the server speaks TLS with.

use crate::exit::Failure;
use clap::Args;
use monotable_server::Certificate;
use std::path::{Path, PathBuf};

/// The files of the certificate.
#[derive(Args, Clone, Debug)]
pub(super) struct TlsArguments {
    /// Speak TLS with the certificate in this file, in PEM, followed by those that vouch for it
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,

    /// The private key of the certificate, in PEM and without a password
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

impl TlsArguments {
    /// Whether the server speaks TLS.
    pub(super) const fn is_given(&self) -> bool {
        self.tls_cert.is_some()
    }

    /// Reads the files, if they are named. No message shows what is in them.
    pub(super) fn read(&self) -> Result<Option<Certificate>, Failure> {
        let (Some(certificates), Some(key)) = (&self.tls_cert, &self.tls_key) else {
            return Ok(None);
        };
        let parsed = Certificate::parse(&read(certificates)?, &read(key)?);
        parsed.map(Some).map_err(|error| {
            Failure::configuration(format_args!(
                "the certificate {} with the key {}: {error}",
                certificates.display(),
                key.display()
            ))
        })
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| {
        Failure::configuration(format_args!("cannot read {}", path.display())).caused_by(&error)
    })
}

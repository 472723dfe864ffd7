//! Taking the address that a server listens on.

use crate::data_sets::DataSets;
use crate::lanes::Lanes;
use crate::options::ServerOptions;
use crate::server::Server;
use crate::shared::Shared;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use tokio::net::TcpListener;

/// Why a server cannot listen where it was told to.
#[derive(Debug)]
pub enum BindError {
    /// The address can be reached from other machines and nobody would have to prove who they are.
    Public(SocketAddr),
    /// Another process has the port.
    PortTaken(SocketAddr),
    /// The system reserves the port.
    PortReserved(SocketAddr),
    /// No network interface of this machine has the address.
    NotOurs(SocketAddr),
    /// Anything else the system says.
    Failed(SocketAddr, io::Error),
}

impl fmt::Display for BindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Public(address) => write!(
                f,
                "{address} can be reached from other machines, and without credentials anyone there \
                 could read and change everything: give credentials (--credentials), listen on 127.0.0.1, \
                 or say that it is meant to be insecure (--insecure)"
            ),
            Self::PortTaken(address) => write!(
                f,
                "another process listens on {address} already: stop it or choose another port (0 takes \
                 any free one)"
            ),
            Self::PortReserved(address) => write!(
                f,
                "this user may not listen on {address}: choose a port from 1024 up"
            ),
            Self::NotOurs(address) => write!(
                f,
                "no network interface of this machine has the address {}: listen on 127.0.0.1, or on \
                 0.0.0.0 for all interfaces",
                address.ip()
            ),
            Self::Failed(address, error) => write!(f, "cannot listen on {address}: {error}"),
        }
    }
}

impl std::error::Error for BindError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Failed(_, error) => Some(error),
            Self::Public(_) | Self::PortTaken(_) | Self::PortReserved(_) | Self::NotOurs(_) => None,
        }
    }
}

pub(crate) async fn bind(options: ServerOptions, data_sets: DataSets) -> Result<Server, BindError> {
    let wished = options.address;
    if is_exposed(&options) {
        return Err(BindError::Public(wished));
    }
    let failed = |error| in_words(wished, error);
    let listener = TcpListener::bind(wished).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let lanes = Lanes::start().map_err(failed)?;
    Ok(Server::new(
        listener,
        address,
        lanes,
        Shared::new(options, data_sets),
    ))
}

fn is_exposed(options: &ServerOptions) -> bool {
    let guarded = options.credentials.is_some() || options.insecure;
    !options.address.ip().to_canonical().is_loopback() && !guarded
}

fn in_words(address: SocketAddr, error: io::Error) -> BindError {
    match error.kind() {
        io::ErrorKind::AddrInUse => BindError::PortTaken(address),
        io::ErrorKind::PermissionDenied => BindError::PortReserved(address),
        io::ErrorKind::AddrNotAvailable => BindError::NotOurs(address),
        _ => BindError::Failed(address, error),
    }
}

//! One request at a time, for all that is not measured.

use crate::answer::Answer;
use crate::exchange::{Draft, Exchange, Scrutiny};
use crate::failure::Failure;
use crate::signer::Signer;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// No answer takes this long, unless the server hangs.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Client {
    address: SocketAddr,
    signer: Signer,
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        Self {
            address,
            signer: Signer::new(address),
        }
    }

    /// The body of the answer, if it is right.
    pub(crate) fn call(&self, draft: Draft) -> Result<Vec<u8>, Failure> {
        let exchange = Exchange::sign(&self.signer, draft)?;
        exchange_bytes(self.address, &exchange.request, |answer| {
            exchange.expected.check(answer, Scrutiny::Full)?;
            Ok(answer.body.to_vec())
        })
    }
}

/// Sends a request on a connection of its own, and looks at the whole answer.
pub(crate) fn exchange_bytes<T>(
    address: SocketAddr,
    request: &[u8],
    look: impl FnOnce(&Answer<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(request)?;
    let mut received = Vec::new();
    let mut part = [0; 16 << 10];
    loop {
        if let Some(answer) = Answer::read(&received)? {
            return look(&answer);
        }
        match stream.read(&mut part)? {
            0 => return Err("the server closed a connection".into()),
            count => received.extend_from_slice(part.get(..count).unwrap_or_default()),
        }
    }
}

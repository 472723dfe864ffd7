//! One keep-alive connection: a request goes out, its answer comes in, then the next.

use crate::answer::Answer;
use crate::failure::Failure;
use mio::net::TcpStream;
use std::io::{ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::time::Instant;

/// Holds the answers of all phases without growing.
const INBOX_BYTES: usize = 64 << 10;

pub(crate) struct Connection {
    pub(crate) stream: TcpStream,
    /// The request under way, by its place, and when its first byte was sent.
    pub(crate) under_way: Option<(usize, Instant)>,
    sent: usize,
    inbox: Vec<u8>,
    received: usize,
}

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> Result<Self, Failure> {
        let stream = std::net::TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream: TcpStream::from_std(stream),
            under_way: None,
            sent: 0,
            inbox: vec![0; INBOX_BYTES],
            received: 0,
        })
    }

    /// Begins the request at this place.
    pub(crate) fn begin(&mut self, place: usize, request: &[u8]) -> Result<(), Failure> {
        self.under_way = Some((place, Instant::now()));
        self.sent = 0;
        self.received = 0;
        self.send(request)
    }

    /// Sends what the socket takes of the rest of the request.
    pub(crate) fn send(&mut self, request: &[u8]) -> Result<(), Failure> {
        while let Some(rest) = request.get(self.sent..)
            && !rest.is_empty()
        {
            match self.stream.write(rest) {
                Ok(count) => self.sent += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Reads what is there. The answer, when its last byte has come.
    ///
    /// After a whole answer there is nothing more to read, so the read that would say so is saved:
    /// the poll reports the next bytes in any case.
    pub(crate) fn receive(&mut self) -> Result<Option<Answer<'_>>, Failure> {
        while !self.is_whole()? {
            if self.received == self.inbox.len() {
                self.inbox.resize(self.inbox.len() * 2, 0);
            }
            let space = self.inbox.get_mut(self.received..).unwrap_or_default();
            match self.stream.read(space) {
                Ok(0) => return Err("the server closed a connection".into()),
                Ok(count) => self.received += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.answer()
    }

    fn is_whole(&self) -> Result<bool, Failure> {
        Ok(self.answer()?.is_some())
    }

    fn answer(&self) -> Result<Option<Answer<'_>>, Failure> {
        Answer::read(self.inbox.get(..self.received).unwrap_or_default())
    }
}

//! The load: a closed loop on some connections, driven by one thread.
//!
//! Each connection sends its next request when its answer is whole, so there are always as many
//! requests under way as connections. One thread polls them all: on a small machine the generator
//! competes with the server for the cores, and a thread for each connection would spend on switching
//! what the server lacks. All bytes of the requests are in memory before the clock starts, answers
//! are looked at where they arrive, and times go into memory that is there already.

use crate::connection::Connection;
use crate::exchange::{Exchange, Scrutiny};
use crate::failure::Failure;
use mio::{Events, Interest, Poll, Token};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// Every so many answers one is looked at closely.
const CLOSE_LOOK: u64 = 32;
/// No answer takes this long, unless the server hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// How to drive a load.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    pub(crate) connections: usize,
    /// Whether to look at every answer closely, or at some.
    pub(crate) scrutiny: Scrutiny,
    /// No request begins after this long.
    pub(crate) longest: Option<Duration>,
    /// Whether to begin again with the first when all were sent, until `longest` is over.
    pub(crate) repeats: bool,
}

/// What came of a load.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// Of every answer, in microseconds, in no order.
    pub(crate) micros: Vec<u32>,
    pub(crate) elapsed: Duration,
}

impl Outcome {
    pub(crate) fn answers(&self) -> u64 {
        self.micros.len() as u64
    }
}

/// Sends the requests and checks their answers. The first wrong one ends it.
pub(crate) fn drive(
    address: SocketAddr,
    exchanges: &[Exchange],
    pace: Pace,
) -> Result<Outcome, Failure> {
    Drive::connect(address, exchanges, pace)?.run()
}

struct Drive<'a> {
    exchanges: &'a [Exchange],
    pace: Pace,
    poll: Poll,
    connections: Vec<Connection>,
    begun: u64,
    micros: Vec<u32>,
    start: Instant,
}

impl<'a> Drive<'a> {
    fn connect(
        address: SocketAddr,
        exchanges: &'a [Exchange],
        pace: Pace,
    ) -> Result<Self, Failure> {
        let poll = Poll::new()?;
        let mut connections = Vec::new();
        for number in 0..pace.connections {
            let mut connection = Connection::open(address)?;
            let interest = Interest::READABLE | Interest::WRITABLE;
            poll.registry()
                .register(&mut connection.stream, Token(number), interest)?;
            connections.push(connection);
        }
        let expected_answers = if pace.repeats {
            exchanges.len().max(1 << 20)
        } else {
            exchanges.len()
        };
        Ok(Self {
            exchanges,
            pace,
            poll,
            connections,
            begun: 0,
            micros: Vec::with_capacity(expected_answers),
            start: Instant::now(),
        })
    }

    fn run(mut self) -> Result<Outcome, Failure> {
        let mut events = Events::with_capacity(self.connections.len().max(1) * 2);
        self.start = Instant::now();
        for number in 0..self.connections.len() {
            self.begin_next(number)?;
        }
        while self.micros.len() as u64 != self.begun {
            if let Err(error) = self.poll.poll(&mut events, Some(PATIENCE))
                && error.kind() != std::io::ErrorKind::Interrupted
            {
                return Err(error.into());
            }
            if events.is_empty() {
                let seconds = PATIENCE.as_secs();
                return Err(format!("the server gave no answer within {seconds} s").into());
            }
            for event in &events {
                self.advance(event.token().0)?;
            }
        }
        Ok(Outcome {
            elapsed: self.start.elapsed(),
            micros: self.micros,
        })
    }

    /// Moves one connection as far as it goes.
    fn advance(&mut self, number: usize) -> Result<(), Failure> {
        let Some(connection) = self.connections.get_mut(number) else {
            return Ok(());
        };
        let Some((place, since)) = connection.under_way else {
            return Ok(());
        };
        let Some(exchange) = self.exchanges.get(place) else {
            return Ok(());
        };
        connection.send(&exchange.request)?;
        let Some(answer) = connection.receive()? else {
            return Ok(());
        };
        let took = since.elapsed().as_micros();
        self.micros.push(u32::try_from(took).unwrap_or(u32::MAX));
        let close_look = self.micros.len() as u64 % CLOSE_LOOK == 1;
        let scrutiny = if close_look {
            Scrutiny::Full
        } else {
            self.pace.scrutiny
        };
        exchange.expected.check(&answer, scrutiny)?;
        self.begin_next(number)
    }

    fn begin_next(&mut self, number: usize) -> Result<(), Failure> {
        let next = self.next();
        let Some(connection) = self.connections.get_mut(number) else {
            return Ok(());
        };
        connection.under_way = None;
        if let Some(place) = next
            && let Some(exchange) = self.exchanges.get(place)
        {
            self.begun += 1;
            connection.begin(place, &exchange.request)?;
        }
        Ok(())
    }

    /// The place of the next request, unless the end is reached.
    fn next(&self) -> Option<usize> {
        let count = self.exchanges.len() as u64;
        let late = self
            .pace
            .longest
            .is_some_and(|longest| self.start.elapsed() >= longest);
        let ended = self.begun >= count && !(self.pace.repeats && self.pace.longest.is_some());
        if late || ended || count == 0 {
            None
        } else {
            usize::try_from(self.begun % count).ok()
        }
    }
}

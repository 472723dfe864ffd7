//! What one client, and all of them together, may ask of the server.

use std::time::Duration;

/// The limits of a server. Each holds while bytes arrive, before anything is parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest body, as sent and after its coding is undone. More is answered with 413.
    pub body_bytes: usize,
    /// The longest head of a request: its line and headers. More is answered with 431. At least 8192.
    pub header_bytes: usize,
    /// Memory for requests and answers, half for either: bodies that are read and worked on, what is read for an answer, and
    /// answers until they have been sent. Bodies and answers of less than 8 KB are not counted: a connection has one of each at
    /// most. A request that does not fit waits, up to [`admission_timeout`](Self::admission_timeout).
    pub bytes_in_flight: usize,
    /// How long a request waits for its share of [`bytes_in_flight`](Self::bytes_in_flight) before it
    /// is answered with a ThrottlingException, which every SDK tries again after a pause.
    pub admission_timeout: Duration,
    /// The slowest that a body may come or an answer be taken while other requests wait for memory, in bytes per second. Who is
    /// slower for a second gives its memory back: a body is answered with 408, a connection that does not read is closed.
    pub pressed_rate: u32,
    /// How many connections are served at once. When there are as many, a new one takes the place of one without a request, or
    /// of one of an address that has more than its share. If there is none, it is answered with 503 and closed, so that a client
    /// learns why and an SDK tries again.
    pub connections: usize,
    /// From the start of a connection or the first byte of a request to the end of its head.
    pub header_timeout: Duration,
    /// To the first byte of a body, and from each to the next.
    pub body_timeout: Duration,
    /// The slowest a body may come, on average and after a first
    /// [`body_timeout`](Self::body_timeout), in bytes per second. Without it, a byte now and then would
    /// hold memory for days.
    pub body_rate: u32,
    /// How long a connection without a request stays open. Longer than SDKs keep theirs, so that it is
    /// the client who closes, and no request is on its way when it happens.
    pub idle_timeout: Duration,
    /// How long a client may take no byte of its answer.
    pub write_timeout: Duration,
    /// How long requests in progress may take at shutdown.
    pub shutdown_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // DynamoDB takes 16 MB; the rest is for JSON that is written with spaces.
            body_bytes: 17 << 20,
            // A session token has several kilobytes.
            header_bytes: 64 << 10,
            bytes_in_flight: 256 << 20,
            admission_timeout: Duration::from_secs(5),
            pressed_rate: 128 << 10,
            // Half of the descriptors that a process usually gets. The command line asks the system for more.
            connections: 512,
            header_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(20),
            body_rate: 1024,
            idle_timeout: Duration::from_secs(180),
            write_timeout: Duration::from_secs(30),
            shutdown_timeout: Duration::from_secs(30),
        }
    }
}

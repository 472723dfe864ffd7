//! What hostile clients do.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Accepted where no credentials are asked for.
pub(super) const ANY_SIGNATURE: &str = "authorization: AWS4-HMAC-SHA256 Credential=k/20260101/r/dynamodb/aws4_request, \
     SignedHeaders=host, Signature=0\r\nx-amz-date: 20260101T000000Z\r\n";

/// Items of 390 KB: a batch of them is 16 MB.
const LARGE_ITEMS: usize = 40;

/// How often the second client has to get through.
pub(super) const ROUNDS: usize = 20;

/// An attack waits this much longer for the second client: other programs may keep the machine busy.
const PATIENCE: Duration = Duration::from_secs(90);

/// Many hostile clients.
pub(super) struct Attacker {
    address: SocketAddr,
    until: Instant,
    stopped: AtomicBool,
    /// How often the second client got through so far.
    rounds: AtomicUsize,
}

pub(super) struct Connection(Option<TcpStream>);

impl Attacker {
    pub(super) fn new(url: &str, duration: Duration) -> Self {
        let address = url.strip_prefix("http://").unwrap();
        Self {
            address: address.parse().unwrap(),
            until: Instant::now() + duration,
            stopped: AtomicBool::new(false),
            rounds: AtomicUsize::new(0),
        }
    }

    /// Whether the attack goes on: for its time, and until the second client has got through often enough.
    pub(super) fn goes_on(&self) -> bool {
        let is_enough = self.rounds.load(Ordering::SeqCst) >= ROUNDS;
        let until = if is_enough {
            self.until
        } else {
            self.until + PATIENCE
        };
        Instant::now() < until && !self.is_stopped()
    }

    pub(super) fn note_round(&self) {
        self.rounds.fetch_add(1, Ordering::SeqCst);
    }

    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }

    pub(super) fn wait_for_end(&self) {
        while self.goes_on() {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Does it over and over on so many threads until the attack ends.
    pub(super) fn in_parallel(&self, threads: usize, attack: impl Fn(&Self, usize) + Sync) {
        std::thread::scope(|scope| {
            for number in 0..threads {
                let attack = &attack;
                scope.spawn(move || {
                    while self.goes_on() {
                        attack(self, number);
                    }
                });
            }
        });
    }

    pub(super) fn connect(&self) -> Connection {
        let stream = TcpStream::connect_timeout(&self.address, Duration::from_secs(5));
        if let Ok(stream) = &stream {
            let short = Some(Duration::from_secs(7));
            stream.set_read_timeout(short).unwrap();
            stream.set_write_timeout(short).unwrap();
        }
        Connection(stream.ok())
    }

    /// Writes what `large_batch` asks for.
    pub(super) fn write_large_items(&self) {
        let value = "x".repeat(390_000);
        for number in 0..LARGE_ITEMS {
            let body = format!(
                r#"{{"TableName":"Log","Item":{{"pk":{{"S":"large-{number}"}},"v":{{"S":"{value}"}}}}}}"#
            );
            let mut connection = self.connect();
            connection.send(&request("PutItem", &body));
            let answer = connection.read_some();
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        }
    }

    /// Writes what `large_search` finds.
    pub(super) fn write_large_vectors(&self) {
        let table = r#"{"TableName":"Vectors","BillingMode":"PAY_PER_REQUEST",
            "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
            "VectorIndexes":[{"IndexName":"near","VectorAttribute":{"AttributeName":"vector"},"Projection":{"ProjectionType":"ALL"},
            "Dimensions":1,"DistanceFunction":"EUCLIDEAN"}]}"#;
        let mut requests = vec![request("CreateTable", table)];
        let value = "x".repeat(390_000);
        requests.extend((0..LARGE_ITEMS).map(|number| {
            let body = format!(
                r#"{{"TableName":"Vectors","Item":{{"pk":{{"S":"{number}"}},"vector":{{"L":[{{"N":"1"}}]}},"v":{{"S":"{value}"}}}}}}"#
            );
            request("PutItem", &body)
        }));
        for request in requests {
            let mut connection = self.connect();
            connection.send(&request);
            let answer = connection.read_some();
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        }
    }
}

impl Connection {
    /// Whether the server takes it.
    pub(super) fn send(&mut self, bytes: &[u8]) -> bool {
        let stream = self.0.as_mut();
        stream.is_some_and(|stream| stream.write_all(bytes).is_ok())
    }

    /// What comes first.
    pub(super) fn read_some(&mut self) -> String {
        let mut piece = [0; 4096];
        let stream = self.0.as_mut();
        let read = stream.and_then(|stream| stream.read(&mut piece).ok());
        String::from_utf8_lossy(&piece[..read.unwrap_or(0)]).into_owned()
    }

    /// Waits until the server has closed the connection, without taking anything of what it sends.
    pub(super) fn wait_for_close(&mut self) {
        let Some(stream) = &self.0 else { return };
        stream.set_nonblocking(true).unwrap();
        let deadline = Instant::now() + Duration::from_secs(8);
        while Instant::now() < deadline {
            // A connection that the server has reset cannot be written to; one byte more harms nobody.
            if let Err(error) = (&mut &*stream).write(b" ")
                && error.kind() != std::io::ErrorKind::WouldBlock
            {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

/// A head for a body of this length.
pub(super) fn head(operation: &str, headers: &str, length: usize) -> String {
    format!(
        "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-amz-json-1.0\r\n\
         x-amz-target: DynamoDB_20120810.{operation}\r\n{headers}content-length: {length}\r\n\r\n"
    )
}

fn request(operation: &str, body: &str) -> Vec<u8> {
    let head = head(operation, ANY_SIGNATURE, body.len());
    [head.as_bytes(), body.as_bytes()].concat()
}

/// Asks for one item of 390 KB.
pub(super) fn large_get() -> Vec<u8> {
    request(
        "GetItem",
        r#"{"TableName":"Log","Key":{"pk":{"S":"large-0"}}}"#,
    )
}

/// Asks for 16 MB.
pub(super) fn large_batch() -> Vec<u8> {
    let keys: Vec<_> = (0..LARGE_ITEMS)
        .map(|number| format!(r#"{{"pk":{{"S":"large-{number}"}}}}"#))
        .collect();
    let keys = keys.join(",");
    let body = format!(r#"{{"RequestItems":{{"Log":{{"Keys":[{keys}]}}}}}}"#);
    request("BatchGetItem", &body)
}

/// Finds 16 MB.
pub(super) fn large_search() -> Vec<u8> {
    request(
        "SearchVectors",
        r#"{"TableName":"Vectors","IndexName":"near","TopK":100,"SearchVector":[{"N":"1"}]}"#,
    )
}

/// Bodies of 16 MB with as many elements as there is room for.
pub(super) fn bloated_bodies() -> Vec<Vec<u8>> {
    const LENGTH: usize = 16_000_000;
    let list = |before: &str, element: &str, behind: &str| {
        let elements = vec![element; LENGTH / (element.len() + 1)].join(",");
        format!("{before}{elements}{behind}")
    };
    let names = (0..LENGTH / 14).map(|number| format!(r##""#{number}":"a""##));
    let names = names.collect::<Vec<_>>().join(",");
    let key = r#""TableName":"Log","Key":{"pk":{"S":"x"}}"#;
    vec![
        request(
            "TransactWriteItems",
            &list(r#"{"TransactItems":["#, "{}", "]}"),
        ),
        request(
            "CreateTable",
            &list(r#"{"TableName":"New","AttributeDefinitions":["#, "{}", "]}"),
        ),
        request(
            "GetItem",
            &format!(r#"{{{key},"ExpressionAttributeNames":{{{names}}}}}"#),
        ),
        request(
            "BatchWriteItem",
            &list(r#"{"RequestItems":{"Log":["#, "{}", "]}}"),
        ),
    ]
}

/// 500 MB of spaces, packed.
pub(super) fn bomb() -> Vec<u8> {
    use flate2::Compression;
    use flate2::write::GzEncoder;
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    let piece = vec![b' '; 1 << 20];
    for _ in 0..500 {
        packer.write_all(&piece).unwrap();
    }
    packer.finish().unwrap()
}

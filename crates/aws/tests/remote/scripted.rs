//! A server of a few lines: it notes each request and gives the next answer of its script.

use monotable_aws::{Remote, RemoteOptions};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// What the server does with one request.
pub(crate) enum Answer {
    /// Sends status, headers and body.
    Send(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// Closes the connection.
    Hang,
    /// Closes the connection in the middle of the answer.
    Cut,
    /// Keeps silent.
    Silence,
}

impl Answer {
    pub(crate) fn ok(body: &str) -> Self {
        Self::Send(200, vec![], body.as_bytes().to_vec())
    }

    pub(crate) fn exception(status: u16, name: &str) -> Self {
        let body =
            format!(r#"{{"__type":"com.amazonaws.dynamodb.v20120810#{name}","message":"no"}}"#);
        Self::Send(status, vec![], body.into_bytes())
    }
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) connection: usize,
    pub(crate) head: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

/// The server. After its script it answers every request with an empty list of tables.
#[derive(Clone)]
pub(crate) struct Scripted {
    pub(crate) url: String,
    script: Arc<Mutex<VecDeque<Answer>>>,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Scripted {
    pub(crate) async fn start(script: impl IntoIterator<Item = Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            url: format!("http://{}", listener.local_addr().unwrap()),
            script: Arc::new(Mutex::new(script.into_iter().collect())),
            seen: Arc::default(),
        };
        let accepting = server.clone();
        tokio::spawn(async move {
            for connection in 0.. {
                let (stream, _) = listener.accept().await.unwrap();
                tokio::spawn(accepting.clone().serve(connection, stream));
            }
        });
        server
    }

    /// Options for a client of this server.
    pub(crate) fn options(&self) -> RemoteOptions {
        RemoteOptions::new()
            .endpoint_url(&self.url)
            .region("eu-central-1")
            .credentials("AKID", "SECRET", None)
    }

    pub(crate) async fn client(&self) -> Remote {
        self.options().connect().await.unwrap()
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    async fn serve(self, connection: usize, stream: TcpStream) {
        let mut stream = BufReader::new(stream);
        while let Some(request) = read(connection, &mut stream).await {
            self.seen.lock().unwrap().push(request);
            let next = self.script.lock().unwrap().pop_front();
            match next.unwrap_or_else(|| Answer::ok(r#"{"TableNames":[]}"#)) {
                Answer::Send(status, headers, body) => {
                    let mut head =
                        format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\n", body.len());
                    for (name, value) in headers {
                        head.push_str(&format!("{name}: {value}\r\n"));
                    }
                    head.push_str("\r\n");
                    stream.write_all(head.as_bytes()).await.unwrap();
                    stream.write_all(&body).await.unwrap();
                }
                Answer::Hang => return,
                Answer::Cut => {
                    let half = b"HTTP/1.1 200 OK\r\ncontent-length: 17\r\n\r\n{\"Table";
                    stream.write_all(half).await.unwrap();
                    return;
                }
                Answer::Silence => std::future::pending().await,
            }
        }
    }
}

async fn read(connection: usize, stream: &mut BufReader<TcpStream>) -> Option<Seen> {
    let mut head = String::new();
    stream
        .read_line(&mut head)
        .await
        .ok()
        .filter(|count| *count > 0)?;
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await.ok()?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) => headers.insert(name.to_lowercase(), value.to_owned()),
            None => break,
        };
    }
    let length = headers.get("content-length");
    let length = length.map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(Seen {
        connection,
        head,
        headers,
        body,
    })
}

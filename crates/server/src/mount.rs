//! What is served beside DynamoDB's protocol, below a path of its own.

use crate::memory::Share;
use bytes::Bytes;
use futures_util::stream::{BoxStream, StreamExt};
use http_body_util::{Either, Full, StreamBody};
use hyper::body::Frame;
use hyper::http::request::Parts;
use hyper::{Response, StatusCode};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;

/// Something that answers below a path of its own. The server reads bodies within its limits, checks hosts and origins,
/// packs, counts and logs.
pub trait Mount: Send + Sync {
    /// Whether a path is one of its own.
    fn handles(&self, path: &str) -> bool;

    /// The address of its page for people, to which a browser that asks for `/` is led; none if it has no such page.
    fn home(&self) -> Option<&'static str> {
        None
    }

    /// How much an answer may need. Who does not know says that it is a page.
    fn forecast(&self, _head: &Parts) -> AnswerForecast {
        AnswerForecast::Page
    }

    /// Whether the answer may keep a thread busy for long, so that other connections should not wait for it. Who does not know says yes.
    fn may_take_long(&self, _head: &Parts) -> bool {
        true
    }

    /// Looks at the head of a request before its body gets memory, and refuses callers that would be refused anyway. Small
    /// bodies take no memory that others need, so it is not asked about them: `answer` decides about every request.
    fn screen<'a>(
        &'a self,
        _head: &'a Parts,
        _peer: SocketAddr,
    ) -> Pin<Box<dyn Future<Output = Screening> + Send + 'a>> {
        Box::pin(std::future::ready(Screening::Admitted))
    }

    /// Answers a request.
    fn answer(
        &self,
        request: MountRequest,
    ) -> Pin<Box<dyn Future<Output = Response<MountBody>> + Send + '_>>;

    /// The answer to a request that the server refuses, in the form that clients of this mount understand.
    fn refuse(&self, status: StatusCode, detail: &str) -> Response<MountBody>;
}

/// How much memory an answer may need while it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerForecast {
    /// One row is read or written, and answered with.
    Row,
    /// A page of rows, or more than one can tell beforehand.
    Page,
}

/// What the head of a request tells.
#[derive(Debug)]
pub enum Screening {
    /// The body is read, and the request answered.
    Admitted,
    /// The request gets this answer, and its body is not kept.
    Refused(Response<MountBody>),
}

/// A request whose body was read.
#[derive(Debug)]
pub struct MountRequest {
    /// Method, address and headers.
    pub parts: Parts,
    /// The body, with its coding undone.
    pub body: Bytes,
    /// Where the connection comes from.
    pub peer: SocketAddr,
}

/// What the access log tells of a request that was answered by a mount, put into the extensions of the answer. It has names
/// only: no values, tokens or secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MountFacts {
    /// What was asked for, such as `create Tree`.
    pub operation: Option<String>,
    /// Who has proved to call: the name of a key, or the subject of a token.
    pub caller: Option<String>,
    /// Why the request was refused.
    pub error: Option<&'static str>,
    /// Whether it was refused because of who calls.
    pub is_refused: bool,
}

/// The body of an answer.
pub enum MountBody {
    /// All of it.
    Whole(Bytes),
    /// Pieces that are made as the client takes them.
    Pieces(BoxStream<'static, Bytes>),
    /// Small events, for as long as the client listens. They take no memory that others need.
    Events(BoxStream<'static, Bytes>),
}

impl std::fmt::Debug for MountBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(bytes) => write!(f, "Whole({} bytes)", bytes.len()),
            Self::Pieces(_) => f.write_str("Pieces"),
            Self::Events(_) => f.write_str("Events"),
        }
    }
}

/// Pieces as the frames of a body.
type Pieces = StreamBody<BoxStream<'static, Result<Frame<Bytes>, Infallible>>>;

/// A body that the server sends: whole, or in pieces.
pub(crate) type AnswerBody = Either<Full<Bytes>, Pieces>;

/// A body of pieces. It keeps its share of the memory until the last piece is sent or the client is gone.
pub(crate) fn send_pieces(pieces: BoxStream<'static, Bytes>, share: Option<Share>) -> AnswerBody {
    let frames = pieces.map(move |piece| {
        let _held = &share;
        Ok(Frame::data(piece))
    });
    Either::Right(StreamBody::new(frames.boxed()))
}

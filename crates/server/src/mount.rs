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

/// The body of an answer.
pub enum MountBody {
    /// All of it.
    Whole(Bytes),
    /// Pieces that are made as the client takes them.
    Pieces(BoxStream<'static, Bytes>),
}

impl std::fmt::Debug for MountBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(bytes) => write!(f, "Whole({} bytes)", bytes.len()),
            Self::Pieces(_) => f.write_str("Pieces"),
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

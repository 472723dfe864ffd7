//! Every answer that does not come from the [`Dynamo`](monotable_api::Dynamo).

use hyper::StatusCode;
use monotable_api::Error;
use std::borrow::Cow;

/// Why a request is refused.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// With one of DynamoDB's own exceptions: unsigned, unknown operation, not JSON.
    Exception(Error),
    /// The body is longer than the limit, as sent or unpacked.
    TooLarge {
        limit: usize,
    },
    /// There is no memory for the body or the answer at the moment.
    Busy,
    /// The body came so slowly that its memory was given to others.
    TooSlow,
    /// The store takes no writes, for this reason.
    NotReady {
        reason: String,
    },
    /// The `Host` is a name that a foreign page may have pointed here.
    ForeignHost {
        host: String,
    },
    /// There is no `Host`, or more than one.
    NoHost,
    /// A browser sent it for a page of another origin.
    ForeignOrigin {
        origin: String,
    },
    /// Not one of DynamoDB's content types.
    ContentType,
    /// A content coding other than gzip and deflate.
    UnknownCoding {
        coding: String,
    },
    /// The body is not what its coding says.
    BrokenCoding,
    /// A reader of the measurements has no access key.
    Anonymous,
    NoSuchPath,
    NoSuchMethod {
        allowed: &'static str,
    },
    /// The client went away while it sent the body; nobody reads the answer.
    Disconnected,
    /// The operation panicked.
    Panicked,
}

/// What AWS writes where it finds no JSON service.
const NO_JSON_SERVICE: &[u8] = b"<UnknownOperationException/>\n";

impl Refusal {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::Exception(error) => {
                StatusCode::from_u16(error.status()).unwrap_or(StatusCode::BAD_REQUEST)
            }
            Self::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::NotReady { .. } => StatusCode::SERVICE_UNAVAILABLE,
            Self::Anonymous => StatusCode::UNAUTHORIZED,
            Self::ForeignHost { .. } | Self::ForeignOrigin { .. } => StatusCode::FORBIDDEN,
            // A throttled request is a 400 as DynamoDB's are: SDKs know it by its type.
            Self::Busy | Self::NoHost | Self::BrokenCoding | Self::Disconnected => {
                StatusCode::BAD_REQUEST
            }
            Self::ContentType | Self::NoSuchPath => StatusCode::NOT_FOUND,
            Self::UnknownCoding { .. } => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::NoSuchMethod { .. } => StatusCode::METHOD_NOT_ALLOWED,
            Self::Panicked => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Whether the caller may not do it, or has not shown who it is.
    pub(crate) const fn is_of_rights(&self) -> bool {
        match self {
            Self::Exception(error) => matches!(
                error,
                Error::AccessDeniedException { .. }
                    | Error::IncompleteSignatureException { .. }
                    | Error::InvalidSignatureException { .. }
                    | Error::MissingAuthenticationTokenException { .. }
                    | Error::UnrecognizedClientException { .. }
            ),
            Self::Anonymous | Self::ForeignHost { .. } | Self::ForeignOrigin { .. } => true,
            _ => false,
        }
    }

    /// The word for logs and metrics.
    pub(crate) const fn reason(&self) -> &'static str {
        match self {
            Self::Exception(error) => error.code(),
            Self::TooLarge { .. } => "body_too_large",
            Self::Busy => "busy",
            Self::TooSlow => "slow_body",
            Self::NotReady { .. } => "not_ready",
            Self::ForeignHost { .. } | Self::NoHost => "host",
            Self::ForeignOrigin { .. } => "origin",
            Self::ContentType => "content_type",
            Self::UnknownCoding { .. } | Self::BrokenCoding => "content_encoding",
            Self::Anonymous => "anonymous",
            Self::NoSuchPath => "path",
            Self::NoSuchMethod { .. } => "method",
            Self::Disconnected => "disconnected",
            Self::Panicked => "panic",
        }
    }

    /// The JSON of the answer, or AWS's own few bytes.
    pub(crate) fn body(&self) -> Cow<'static, [u8]> {
        match self {
            Self::ContentType => Cow::Borrowed(NO_JSON_SERVICE),
            other => Cow::Owned(other.exception().to_body()),
        }
    }

    /// Why, in a sentence.
    pub(crate) fn message(&self) -> String {
        self.exception().message().into_owned()
    }

    /// As one of the exceptions that SDKs understand, in our words.
    fn exception(&self) -> Cow<'_, Error> {
        let made = match self {
            Self::Exception(error) => return Cow::Borrowed(error),
            Self::TooLarge { limit } => Error::validation(format_args!(
                "The request is too large: its body may have {limit} bytes"
            )),
            Self::Busy => Error::ThrottlingException {
                message: "The server is out of memory for requests at the moment: try again later"
                    .to_owned(),
            },
            // SDKs know a throttled request by its type and send it again.
            Self::TooSlow => Error::ThrottlingException {
                message: "The body came too slowly while other requests waited for memory: send it again, faster or in \
                          smaller pieces"
                    .to_owned(),
            },
            Self::NotReady { reason } => Error::ServiceUnavailable {
                message: reason.clone(),
            },
            Self::ForeignHost { host } => denied(format!(
                "The request is for the host {host:?}, which is not one of this server's names. If it \
                 is meant to be, allow it (--allow-host)"
            )),
            Self::NoHost => Error::validation("The request must have one Host header"),
            Self::ForeignOrigin { origin } => denied(format!(
                "The request was sent by a page of the origin {origin:?}, which may not use this \
                 server. If it should, allow it (--allow-origin)"
            )),
            Self::UnknownCoding { coding } => Error::serialization(format_args!(
                "Unknown Content-Encoding {coding:?}: use gzip, deflate or none"
            )),
            Self::BrokenCoding => {
                Error::serialization("The body is not what its Content-Encoding says")
            }
            Self::Anonymous => denied(
                "The measurements are for owners of an access key: sign the request, or give the id and the secret as name \
                 and password"
                    .to_owned(),
            ),
            Self::ContentType | Self::NoSuchPath => Error::UnknownOperationException {
                message: "There is nothing at this path: DynamoDB's requests go to /".to_owned(),
            },
            Self::NoSuchMethod { allowed } => Error::UnknownOperationException {
                message: format!("The methods of this path are {allowed}"),
            },
            Self::Disconnected => Error::serialization("The body ended too early"),
            // What it was stands in the log; a client gets no inner detail.
            Self::Panicked => Error::internal("The request failed within the server"),
        };
        Cow::Owned(made)
    }
}

const fn denied(message: String) -> Error {
    Error::AccessDeniedException { message }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Exception(error)
    }
}

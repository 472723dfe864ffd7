//! The client, and the way of a call through it.

use crate::answer::{Answer, Unanswered};
use crate::clock::Clock;
use crate::credentials::CredentialSource;
use crate::retry::{self, Retries, Verdict};
use crate::signature::{self, Signer};
use crate::token;
use crate::transport::{Broken, Transport};
use aws_credential_types::Credentials;
use bytes::Bytes;
use monotable_api::{BoxFuture, Dynamo, Error, OperationName, Request, Response};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// A DynamoDB behind HTTP. A cheap handle: clones share connections, credentials and retry quota.
///
/// Made by [`RemoteOptions::connect`](crate::RemoteOptions::connect).
///
/// An endpoint that cannot be reached, or whose answer is lost, is a
/// [`ServiceUnavailable`](Error::ServiceUnavailable) whose message names the endpoint and the cause. One that answers as
/// no DynamoDB does is an [`SerializationException`](Error::SerializationException), which is not tried again.
#[derive(Clone, Debug)]
pub struct Remote {
    core: Arc<Core>,
}

#[derive(Debug)]
struct Core {
    transport: Transport,
    retries: Retries,
    credentials: CredentialSource,
    clock: Clock,
    region: String,
    owner: EndpointOwner,
}

/// Whose endpoint it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndpointOwner {
    /// Amazon's own endpoint of the region.
    Amazon,
    /// One that the program, the environment or the profile names.
    Named,
}

/// An attempt that failed.
struct Failure {
    error: Error,
    verdict: Verdict,
}

impl Remote {
    pub(crate) fn new(
        transport: Transport,
        retries: Retries,
        credentials: CredentialSource,
        clock: Clock,
        region: String,
        owner: EndpointOwner,
    ) -> Self {
        Self {
            core: Arc::new(Core {
                transport,
                retries,
                credentials,
                clock,
                region,
                owner,
            }),
        }
    }

    /// The URL that requests go to, without a slash at its end.
    pub fn endpoint(&self) -> &str {
        self.core.transport.endpoint().as_str()
    }

    /// Whose endpoint it is.
    #[must_use]
    pub fn owner(&self) -> EndpointOwner {
        self.core.owner
    }

    /// Connects to the endpoint once and closes the connection again; no request is sent. A program for people asks
    /// this first, because a call tries several times before it gives up.
    ///
    /// # Errors
    ///
    /// `ServiceUnavailable`, whose message names the endpoint, if there is no connection in time.
    pub async fn reach(&self, patience: Duration) -> Result<(), Error> {
        let endpoint = self.core.transport.endpoint();
        let connecting = tokio::net::TcpStream::connect(endpoint.address());
        let broken = match tokio::time::timeout(patience, connecting).await {
            Ok(Ok(_)) => return Ok(()),
            Ok(Err(error)) => Broken::Unreachable(error.to_string()),
            Err(_) => Broken::ConnectionTimedOut(format!("no connection within {patience:?}")),
        };
        Err(self.core.no_answer(&broken).error)
    }

    /// The region that requests are signed for.
    pub fn region(&self) -> &str {
        &self.core.region
    }
}

impl Dynamo for Remote {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(self.core.call(request))
    }
}

impl Core {
    async fn call(&self, request: Request) -> Result<Response, Error> {
        let operation = request.operation();
        let body = Bytes::from(token::given(request)?.encode()?);
        let mut attempts = self.retries.start();
        loop {
            let failure = match self.attempt(operation, body.clone()).await {
                Ok(response) => {
                    attempts.succeeded();
                    return Ok(response);
                }
                Err(failure) => failure,
            };
            match attempts.failed(failure.verdict) {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return Err(failure.error),
            }
        }
    }

    async fn attempt(&self, operation: OperationName, body: Bytes) -> Result<Response, Failure> {
        let time = self.clock.now();
        let credentials = self.credentials.current(time).await;
        let credentials = credentials.map_err(Failure::of_credentials)?;
        let signer = Signer {
            credentials: credentials.clone(),
            region: &self.region,
            time,
        };
        let request = signature::signed(signer, self.transport.endpoint(), operation, body)
            .map_err(|error| Failure::of_credentials(error.to_string()))?;
        let raw = self.transport.send(request).await;
        let answer = raw
            .and_then(Answer::unpack)
            .map_err(|broken| self.no_answer(&broken))?;
        match answer.read(operation) {
            Ok(response) => Ok(response),
            Err(Unanswered::Exception(error)) => {
                Err(self.refused(error, answer.date, &credentials).await)
            }
            Err(Unanswered::Gateway(error)) => Err(self.blame_gateway(error)),
            // The request was carried out; asking again would do it twice for the same answer.
            Err(Unanswered::Unreadable(error)) => Err(Failure {
                error,
                verdict: Verdict::Final,
            }),
            Err(Unanswered::Foreign(said)) => Err(self.refuse_foreign(operation, &said)),
        }
    }

    /// There is no DynamoDB at the endpoint. Asking again would find none, so this is an exception that nobody tries again, and that
    /// says nothing about what a DynamoDB can do.
    fn refuse_foreign(&self, operation: OperationName, said: &str) -> Failure {
        let endpoint = self.transport.endpoint().as_str();
        let message = format!("{endpoint} is not a DynamoDB: it answered {operation} with {said}");
        Failure {
            error: Error::SerializationException { message },
            verdict: Verdict::Final,
        }
    }

    fn blame_gateway(&self, error: Error) -> Failure {
        let endpoint = self.transport.endpoint().as_str();
        let verdict = retry::verdict(&error);
        let told = format!("{endpoint} answered with {}", error.message());
        let error = match error {
            Error::ThrottlingException { .. } => Error::ThrottlingException { message: told },
            _ => Error::ServiceUnavailable { message: told },
        };
        Failure { error, verdict }
    }

    fn no_answer(&self, broken: &Broken) -> Failure {
        let endpoint = self.transport.endpoint().as_str();
        if let Broken::NotHttp(_) = broken {
            let message = format!("{endpoint} is not a DynamoDB: it {broken}");
            return Failure {
                error: Error::SerializationException { message },
                verdict: Verdict::Final,
            };
        }
        let message = format!("{endpoint} {broken}");
        Failure {
            error: Error::ServiceUnavailable { message },
            verdict: match broken {
                Broken::Untrusted(_) | Broken::NotHttp(_) => Verdict::Final,
                Broken::TimedOut(_) => Verdict::LaterAfterTimeout,
                Broken::Unreachable(_)
                | Broken::ConnectionTimedOut(_)
                | Broken::Lost(_)
                | Broken::Damaged(_) => Verdict::Later,
            },
        }
    }

    /// An exception came. Some can be put right here: a wrong clock, credentials that have expired.
    async fn refused(
        &self,
        error: Error,
        date: Option<SystemTime>,
        credentials: &Credentials,
    ) -> Failure {
        let put_right = match &error {
            Error::ExpiredTokenException { .. } => self.credentials.replace(credentials).await,
            error if is_about_time(error) => date.is_some_and(|date| self.clock.correct(date)),
            _ => false,
        };
        let verdict = if put_right {
            Verdict::Now
        } else {
            retry::verdict(&error)
        };
        Failure { error, verdict }
    }
}

/// DynamoDB calls a signature with a wrong time invalid; other services and gateways have a name of
/// their own for it, which the message then begins with.
fn is_about_time(error: &Error) -> bool {
    const NAMES: [&str; 3] = [
        "RequestTimeTooSkewed",
        "RequestExpired",
        "RequestInTheFuture",
    ];
    let message = error.message();
    matches!(error, Error::InvalidSignatureException { .. })
        || NAMES.iter().any(|name| message.starts_with(name))
}

impl Failure {
    /// There is nothing to sign with.
    fn of_credentials(reason: String) -> Self {
        Self {
            error: Error::UnrecognizedClientException {
                message: format!("the credentials cannot be used: {reason}"),
            },
            verdict: Verdict::Final,
        }
    }
}

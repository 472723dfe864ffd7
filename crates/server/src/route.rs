//! What a request asks for, judged by its method and path.

use crate::refusal::Refusal;
use hyper::Method;

/// Everything the server answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// A DynamoDB request.
    Dynamodb,
    /// The page for people.
    Welcome,
    /// Whether the server is there, for probes.
    Health,
    /// Whether the server can write, for probes.
    Readiness,
    /// The measurements.
    Metrics,
    /// A browser, or someone curious, asks what is allowed.
    Options,
    /// What is mounted beside the protocol.
    Mounted,
}

/// The methods of `/`, for the header `Allow`.
pub(crate) const ROOT_METHODS: &str = "GET, HEAD, OPTIONS, POST";
/// The methods of the other paths.
const PAGE_METHODS: &str = "GET, HEAD, OPTIONS";

impl Route {
    /// What logs call a route that is no operation.
    pub(crate) fn page(self) -> Option<&'static str> {
        match self {
            Self::Dynamodb => None,
            Self::Welcome => Some("/"),
            Self::Health => Some("/healthz"),
            Self::Readiness => Some("/readyz"),
            Self::Metrics => Some("/metrics"),
            Self::Options => Some("OPTIONS"),
            Self::Mounted => Some(Self::name_mounted("/v1")),
        }
    }

    /// What logs call a path of what is mounted. Addresses there hold keys of rows, which are in no log.
    pub(crate) fn name_mounted(path: &str) -> &'static str {
        if path.starts_with("/ui") {
            "/ui"
        } else {
            "/v1"
        }
    }

    pub(crate) fn of(method: &Method, path: &str) -> Result<Self, Refusal> {
        let (page, allowed) = match path {
            "/" | "" => (Self::Welcome, ROOT_METHODS),
            "/healthz" => (Self::Health, PAGE_METHODS),
            "/readyz" => (Self::Readiness, PAGE_METHODS),
            "/metrics" => (Self::Metrics, PAGE_METHODS),
            // `OPTIONS *` is about the server as a whole.
            "*" => (Self::Options, ROOT_METHODS),
            _ => return Err(Refusal::NoSuchPath),
        };
        match *method {
            Method::POST if page == Self::Welcome => Ok(Self::Dynamodb),
            Method::GET | Method::HEAD => Ok(page),
            Method::OPTIONS => Ok(Self::Options),
            _ => Err(Refusal::NoSuchMethod { allowed }),
        }
    }
}

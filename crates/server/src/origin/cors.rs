//! The headers that let a page of an allowed origin use the server.

use crate::route::{ROOT_METHODS, Route};
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
    HeaderMap, HeaderName, HeaderValue, VARY,
};

/// What an SDK in a page wants to read besides the body.
const EXPOSED: &str = "x-amzn-requestid, x-amz-crc32, x-amzn-errortype, date";

/// Two days, as Amazon's service says.
const MAX_AGE: &str = "172800";

const REQUEST_PRIVATE_NETWORK: HeaderName =
    HeaderName::from_static("access-control-request-private-network");
const ALLOW_PRIVATE_NETWORK: HeaderName =
    HeaderName::from_static("access-control-allow-private-network");

/// What to tell the browser.
pub(crate) struct Cors {
    origin: HeaderValue,
    preflight: Option<Preflight>,
}

/// The question that a browser asks before the request itself.
struct Preflight {
    headers: Option<HeaderValue>,
    private_network: bool,
}

impl Cors {
    pub(super) fn new(origin: &HeaderValue, route: Route, headers: &HeaderMap) -> Self {
        let preflight = (route == Route::Options).then(|| Preflight {
            headers: headers.get(ACCESS_CONTROL_REQUEST_HEADERS).cloned(),
            private_network: headers.contains_key(REQUEST_PRIVATE_NETWORK),
        });
        Self {
            origin: origin.clone(),
            preflight,
        }
    }

    pub(crate) fn put_on(self, answer: &mut HeaderMap) {
        answer.insert(ACCESS_CONTROL_ALLOW_ORIGIN, self.origin);
        answer.append(VARY, HeaderValue::from_static("origin"));
        answer.insert(
            ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static(EXPOSED),
        );
        if let Some(preflight) = self.preflight {
            preflight.put_on(answer);
        }
    }
}

impl Preflight {
    fn put_on(self, answer: &mut HeaderMap) {
        answer.insert(
            ACCESS_CONTROL_ALLOW_METHODS,
            HeaderValue::from_static(ROOT_METHODS),
        );
        answer.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(MAX_AGE));
        // SDKs add headers with every version; none of them is dangerous.
        if let Some(headers) = self.headers {
            answer.insert(ACCESS_CONTROL_ALLOW_HEADERS, headers);
        }
        if self.private_network {
            answer.insert(ALLOW_PRIVATE_NETWORK, HeaderValue::from_static("true"));
        }
    }
}

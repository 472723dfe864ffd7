//! The REST API of models, as a part of the server.

use bytes::Bytes;
use http::request::Parts;
use http::{Response, StatusCode};
use monotable_rest::{Body, Request, Rest};
use monotable_server::{Mount, MountBody, MountRequest, Screening};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, PoisonError, RwLock};

/// The REST API of models that may change while it is served.
#[derive(Clone)]
pub(crate) struct MountedModels {
    rest: Arc<RwLock<Arc<Rest>>>,
}

impl MountedModels {
    pub(crate) fn new(rest: Rest) -> Self {
        Self {
            rest: Arc::new(RwLock::new(Arc::new(rest))),
        }
    }

    /// Serves other models from now on. Requests that are being answered end as they began.
    pub(crate) fn replace(&self, rest: Rest) {
        *self.rest.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(rest);
    }

    fn current(&self) -> Arc<Rest> {
        Arc::clone(&self.rest.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Mount for MountedModels {
    fn handles(&self, path: &str) -> bool {
        Rest::handles(path)
    }

    fn answer(
        &self,
        request: MountRequest,
    ) -> Pin<Box<dyn Future<Output = Response<MountBody>> + Send + '_>> {
        let MountRequest { parts, body, peer } = request;
        let request = read_request(parts, body, peer);
        let rest = self.current();
        Box::pin(async move { translate(rest.answer(request).await) })
    }

    fn screen<'a>(
        &'a self,
        head: &'a Parts,
        peer: SocketAddr,
    ) -> Pin<Box<dyn Future<Output = Screening> + Send + 'a>> {
        let request = read_request(head.clone(), Bytes::new(), peer);
        let rest = self.current();
        Box::pin(async move {
            match rest.screen(&request).await {
                None => Screening::Admitted,
                Some(response) => Screening::Refused(translate(response)),
            }
        })
    }

    fn refuse(&self, status: StatusCode, detail: &str) -> Response<MountBody> {
        translate(Rest::refuse(status, detail))
    }
}

fn read_request(parts: Parts, body: Bytes, peer: SocketAddr) -> Request {
    Request {
        method: parts.method,
        path: parts.uri.path().to_owned(),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        headers: parts.headers,
        body,
        client: peer.ip(),
    }
}

fn translate(response: monotable_rest::Response) -> Response<MountBody> {
    let body = match response.body {
        Body::Whole(bytes) => MountBody::Whole(bytes),
        Body::Lines(lines) => MountBody::Pieces(lines),
    };
    let mut answer = Response::new(body);
    *answer.status_mut() = response.status;
    *answer.headers_mut() = response.headers;
    answer
}

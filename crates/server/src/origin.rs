//! Whether a browser may have sent a request for a page that has no business here.
//!
//! A server on this machine is reached by every page that its user opens. Two things keep such pages
//! out. The **origin**: browsers name the page's origin in each request that can change something, so
//! one of a foreign origin is refused. The **host**: a page can have its own name point at 127.0.0.1
//! (DNS rebinding); to the browser this server is then of the page's own origin, but the `Host` header
//! still has that name, which is none of ours. A plain address cannot be pointed elsewhere, so any
//! address is fine as `Host`.
//!
//! Where signatures are verified, a DynamoDB request needs no check of its host: a page cannot sign.

mod cors;

pub(crate) use cors::Cors;

use crate::refusal::Refusal;
use crate::route::Route;
use hyper::header::{HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN};
use std::net::{IpAddr, Ipv6Addr};

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// What stands for any host or origin.
const ANY: &str = "*";

/// Decides by host and origin.
pub(crate) struct Gatekeeper {
    hosts: Vec<String>,
    origins: Vec<String>,
    /// What the addresses of this server begin with.
    scheme: &'static str,
}

impl Gatekeeper {
    pub(crate) fn new(mut hosts: Vec<String>, origins: Vec<String>, scheme: &'static str) -> Self {
        for host in &mut hosts {
            host.make_ascii_lowercase();
        }
        // `https://app.example/` is not how a browser writes it.
        let origins = origins
            .iter()
            .map(|origin| origin.trim_end_matches('/').to_ascii_lowercase());
        Self {
            hosts,
            origins: origins.collect(),
            scheme,
        }
    }

    pub(crate) const fn scheme(&self) -> &'static str {
        self.scheme
    }

    /// Refuses what a foreign page may have sent, and says which headers let a page of an allowed origin
    /// read the answer.
    pub(crate) fn admit(
        &self,
        route: Route,
        headers: &HeaderMap,
        signed: bool,
    ) -> Result<Option<Cors>, Refusal> {
        // Probes come by any name, and learn nothing.
        let needs_host = match route {
            Route::Health | Route::Readiness => false,
            Route::Dynamodb => !signed,
            Route::Welcome | Route::Metrics | Route::Options | Route::Mounted => true,
        };
        let host = one_host(headers)?;
        if needs_host && !self.is_ours(host) {
            return Err(Refusal::ForeignHost {
                host: host.to_owned(),
            });
        }
        self.check_origin(route, headers, host)
    }

    fn check_origin(
        &self,
        route: Route,
        headers: &HeaderMap,
        host: &str,
    ) -> Result<Option<Cors>, Refusal> {
        let Some(origin) = headers.get(ORIGIN) else {
            // Browsers always name the origin of a POST. One that does not, and yet says that the page is
            // foreign, is not to be believed.
            return if matches!(route, Route::Dynamodb | Route::Mounted) && is_cross_site(headers) {
                Err(foreign("unknown"))
            } else {
                Ok(None)
            };
        };
        let text = origin.to_str().unwrap_or_default();
        if self.allows(text) {
            Ok(Some(Cors::new(origin, route, headers)))
        } else if self.is_same(text, host) {
            Ok(None)
        } else {
            Err(foreign(text))
        }
    }

    fn allows(&self, origin: &str) -> bool {
        let mut allowed = self.origins.iter();
        allowed.any(|allowed| allowed == ANY || allowed.eq_ignore_ascii_case(origin))
    }

    /// Whether it is a page that this server sent itself.
    fn is_same(&self, origin: &str, host: &str) -> bool {
        let origin = origin.strip_prefix(self.scheme);
        origin.is_some_and(|origin| origin.eq_ignore_ascii_case(host))
    }

    fn is_ours(&self, host: &str) -> bool {
        let name = without_port(host);
        is_local(name)
            || is_address(name)
            || self.hosts.iter().any(|allowed| {
                allowed == ANY
                    || allowed.eq_ignore_ascii_case(name)
                    || allowed.eq_ignore_ascii_case(host)
            })
    }
}

fn foreign(origin: &str) -> Refusal {
    Refusal::ForeignOrigin {
        origin: origin.to_owned(),
    }
}

/// Two of them would let a proxy and this server see different ones.
fn one_host(headers: &HeaderMap) -> Result<&str, Refusal> {
    let mut hosts = headers.get_all(HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    match (host, hosts.next()) {
        (Some(host), None) => Ok(host.trim()),
        _ => Err(Refusal::NoHost),
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        // `[::1]:8000`, but not `[::1]`.
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    }
}

/// `localhost` and names below it always mean this machine.
fn is_local(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    let top = name.rsplit('.').next().unwrap_or(name);
    top.eq_ignore_ascii_case("localhost")
}

fn is_address(name: &str) -> bool {
    let bracketed = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    match bracketed {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => name.parse::<IpAddr>().is_ok(),
    }
}

fn is_cross_site(headers: &HeaderMap) -> bool {
    headers
        .get(FETCH_SITE)
        .is_some_and(|site: &HeaderValue| site == "cross-site" || site == "same-site")
}

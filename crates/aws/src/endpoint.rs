//! Where requests go.

mod partition;

use crate::ConnectError;
use http::Uri;
use http::uri::{Parts, PathAndQuery, Scheme};
use std::net::IpAddr;

/// A URL that requests can be sent to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Endpoint {
    uri: Uri,
    /// The header `Host`: the port only where it is not the scheme's own, as clients write it.
    host: String,
    text: String,
}

/// Which kind of endpoint the configuration asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Variant {
    pub(crate) fips: bool,
    pub(crate) dual_stack: bool,
}

impl Endpoint {
    /// A named endpoint.
    pub(crate) fn parse(url: &str) -> Result<Self, ConnectError> {
        parse(url.trim()).map_err(|reason| ConnectError::InvalidEndpoint {
            url: url.to_owned(),
            reason: reason.to_owned(),
        })
    }

    /// Amazon's own endpoint of a region.
    pub(crate) fn of_region(region: &str, variant: Variant) -> Result<Self, ConnectError> {
        Self::parse(&format!("https://{}", partition::host(region, variant)))
    }

    pub(crate) const fn uri(&self) -> &Uri {
        &self.uri
    }

    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// The URL without the slash at its end.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_https(&self) -> bool {
        self.uri.scheme() == Some(&Scheme::HTTPS)
    }

    /// The host and the port that a connection is made to.
    pub(crate) fn address(&self) -> (String, u16) {
        let host = self.uri.host().unwrap_or_default();
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let scheme = self.uri.scheme().unwrap_or(&Scheme::HTTP);
        let port = self.uri.port_u16().unwrap_or_else(|| default_port(scheme));
        (bare.to_owned(), port)
    }

    /// Whether the endpoint is on this machine.
    pub(crate) fn is_loopback(&self) -> bool {
        let host = self.uri.host().unwrap_or_default();
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        match bare.parse::<IpAddr>() {
            Ok(address) => address.is_loopback(),
            Err(_) => is_localhost(bare),
        }
    }
}

/// `localhost` and all below it never leave the machine (RFC 6761).
fn is_localhost(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    host == "localhost" || host.ends_with(".localhost")
}

fn parse(url: &str) -> Result<Endpoint, &'static str> {
    let uri: Uri = url.parse().map_err(|_| "is not a URL")?;
    let scheme = scheme(&uri)?;
    let authority = uri.authority().ok_or("has no host")?;
    if authority.as_str().contains('@') {
        return Err("holds a user name, which DynamoDB does not use");
    }
    if authority.host().is_empty() {
        return Err("has no host");
    }
    if uri.query().is_some() {
        return Err("has a query after '?'");
    }
    let host = match authority.port_u16() {
        Some(port) if port != default_port(&scheme) => format!("{}:{port}", authority.host()),
        Some(_) | None if authority.as_str() == authority.host() || authority.port().is_some() => {
            authority.host().to_owned()
        }
        _ => return Err("has no port after ':'"),
    };
    Endpoint::of(uri, host).ok_or("is not a URL")
}

fn scheme(uri: &Uri) -> Result<Scheme, &'static str> {
    match uri.scheme() {
        Some(scheme) if *scheme == Scheme::HTTP || *scheme == Scheme::HTTPS => Ok(scheme.clone()),
        Some(_) => Err("is neither http nor https"),
        None => Err("does not begin with http:// or https://"),
    }
}

fn default_port(scheme: &Scheme) -> u16 {
    if *scheme == Scheme::HTTPS { 443 } else { 80 }
}

impl Endpoint {
    /// Requests go to the path of the URL, which has a slash at its end.
    fn of(uri: Uri, host: String) -> Option<Self> {
        let Parts {
            scheme, authority, ..
        } = uri.clone().into_parts();
        let path = uri.path().trim_end_matches('/').to_owned();
        let mut parts = Parts::default();
        parts.scheme = scheme;
        parts.authority = authority;
        parts.path_and_query = Some(PathAndQuery::try_from(format!("{path}/")).ok()?);
        let uri = Uri::from_parts(parts).ok()?;
        let text = uri.to_string().trim_end_matches('/').to_owned();
        Some(Self { uri, host, text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(url: &str) -> String {
        Endpoint::parse(url).unwrap_err().to_string()
    }

    #[test]
    fn urls_are_brought_into_one_form() {
        for (url, text, host) in [
            (
                "http://127.0.0.1:8000",
                "http://127.0.0.1:8000",
                "127.0.0.1:8000",
            ),
            (
                "http://localhost:8000/",
                "http://localhost:8000",
                "localhost:8000",
            ),
            (
                "https://example.org:443",
                "https://example.org:443",
                "example.org",
            ),
            ("http://[::1]:80/a/b/", "http://[::1]:80/a/b", "[::1]"),
        ] {
            let endpoint = Endpoint::parse(url).unwrap();
            assert_eq!((endpoint.as_str(), endpoint.host()), (text, host), "{url}");
            assert!(endpoint.uri().path().ends_with('/'), "{url}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert!(reason("127.0.0.1:8000").contains("does not begin with http://"));
        assert!(reason("localhost").contains("does not begin with http://"));
        assert!(reason("ftp://example.org").contains("neither http nor https"));
        assert!(reason("http://me:secret@example.org").contains("user name"));
        assert!(reason("http://example.org/?a=b").contains("query"));
        assert!(reason("").contains("is not a URL"));
        assert!(reason("http://").contains("is not a URL"));
        assert!(reason("http://example.org:").contains("no port"));
    }

    #[test]
    fn loopback_is_this_machine_only() {
        for url in [
            "http://127.0.0.1",
            "http://127.8.8.8:1",
            "http://[::1]:8000",
            "http://LOCALHOST:1",
            "http://db.localhost",
        ] {
            assert!(Endpoint::parse(url).unwrap().is_loopback(), "{url}");
        }
        for url in [
            "http://10.0.0.1",
            "http://localhost.example.org",
            "http://[2001:db8::1]",
        ] {
            assert!(!Endpoint::parse(url).unwrap().is_loopback(), "{url}");
        }
    }
}

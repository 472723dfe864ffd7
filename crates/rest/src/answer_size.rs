//! How much an answer may need, as far as the head of a request tells.

use crate::rest::ROOT;
use http::{HeaderMap, Method, Uri};

/// How much an answer may need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerSize {
    /// One row.
    Row,
    /// A page of rows, or whatever else there is.
    Any,
}

impl AnswerSize {
    /// Reads and creates of a row answer with that row. Changes and deletes do so, too, and may have to look at pages of other
    /// rows before. An explanation or a trace tells of requests besides.
    pub(crate) fn forecast(method: &Method, uri: &Uri, headers: &HeaderMap) -> Self {
        let is_of_row = matches!(*method, Method::GET | Method::HEAD | Method::POST);
        let says_no_more = matches!(uri.query(), None | Some("" | "consistent=true"))
            && !headers.contains_key("monotable-trace");
        if is_of_row && says_no_more && names_entity(uri.path()) {
            Self::Row
        } else {
            Self::Any
        }
    }
}

/// Whether a path is one below `/v1/{model}/entities/`.
fn names_entity(path: &str) -> bool {
    let path = path
        .strip_prefix(ROOT)
        .and_then(|path| path.strip_prefix('/'));
    let rest = path.and_then(|path| path.split_once('/'));
    rest.is_some_and(|(_, rest)| rest.starts_with("entities/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_creates_of_a_row_need_less_than_all_else() {
        let forecast = |method: Method, uri: &str| {
            AnswerSize::forecast(&method, &uri.parse().unwrap(), &HeaderMap::new())
        };
        for (method, uri) in [
            (Method::GET, "/v1/shop/entities/Order/1"),
            (Method::GET, "/v1/shop/entities/Order/1?consistent=true"),
            (Method::POST, "/v1/shop/entities/Order"),
        ] {
            assert_eq!(forecast(method, uri), AnswerSize::Row, "{uri}");
        }
        for (method, uri) in [
            (Method::GET, "/v1/shop/patterns/entities?explain=true"),
            (Method::GET, "/v1/shop/patterns/orders"),
            (Method::GET, "/v1/shop/entities/Order/1?explain=true"),
            (Method::GET, "/v1/shop/entities/Order/1?%65xplain=true"),
            (Method::POST, "/v1/shop/entities/Order?dry-run=true"),
            (Method::POST, "/v1/shop/transactions"),
            (Method::PATCH, "/v1/shop/entities/Order/1"),
            (Method::DELETE, "/v1/shop/entities/Order/1"),
            (Method::GET, "/v1/shop"),
            (Method::GET, "/workbench/shop/entities/Order"),
        ] {
            assert_eq!(forecast(method, uri), AnswerSize::Any, "{uri}");
        }
        let traced =
            HeaderMap::from_iter([("monotable-trace".parse().unwrap(), "1".parse().unwrap())]);
        let uri = "/v1/shop/entities/Order/1".parse().unwrap();
        let traced = AnswerSize::forecast(&Method::GET, &uri, &traced);
        assert_eq!(traced, AnswerSize::Any);
    }
}

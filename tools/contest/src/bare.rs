//! The bare server: hyper and nothing behind it.
//!
//! It reads the whole request and answers with the item of a get, always the same, under the headers
//! that our server's answers have. No server on hyper that does something can be faster.

use crate::failure::Failure;
use crate::item::{Item, Kind};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, SERVER};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use std::net::Ipv4Addr;
use tokio::net::{TcpListener, TcpStream};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-amzn-requestid");
const CRC32: HeaderName = HeaderName::from_static("x-amz-crc32");

/// Serves until the process is ended.
pub(crate) fn serve(port: u16) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_io()
        .build()?;
    runtime.block_on(async { accept(TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?).await })
}

pub(crate) async fn accept(listener: TcpListener) -> Result<(), Failure> {
    let constant = Constant::new();
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        tokio::spawn(serve_connection(stream, constant.clone()));
    }
}

async fn serve_connection(stream: TcpStream, constant: Constant) {
    let service = service_fn(|request| answer(request, &constant));
    // An error is a client that went away.
    let _ = http1::Builder::new()
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

async fn answer(
    request: Request<Incoming>,
    constant: &Constant,
) -> Result<Response<Full<Bytes>>, hyper::Error> {
    request.into_body().collect().await?;
    let mut response = Response::new(Full::new(constant.body.clone()));
    *response.headers_mut() = constant.headers.clone();
    Ok(response)
}

/// The one answer.
#[derive(Clone)]
struct Constant {
    headers: HeaderMap,
    body: Bytes,
}

impl Constant {
    fn new() -> Self {
        let item = Item::new(Kind::Loaded, 0).json();
        let body = Bytes::from(format!("{{\"Item\":{item}}}"));
        let id = HeaderValue::from_static("MONOTABLEBARESERVERANSWERSTHESAMEEACHTIMEXXXXXXXXXXX");
        let mut headers = HeaderMap::new();
        headers.insert(REQUEST_ID, id);
        headers.insert(CRC32, HeaderValue::from(crc32fast::hash(&body)));
        headers.insert(
            CONTENT_TYPE,
            HeaderValue::from_static("application/x-amz-json-1.0"),
        );
        headers.insert(SERVER, HeaderValue::from_static("monotable"));
        Self { headers, body }
    }
}

//! The bytes of a connection, plain or through TLS.

use super::order::Order;
use super::phase::{Phase, Watch};
use crate::shared::Shared;
use crate::tls;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// The bytes of a connection.
pub(super) enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// The first byte of a handshake of TLS.
const HANDSHAKE: u8 = 0x16;

impl Stream {
    /// Makes the handshake if the server has a certificate. None if it does not come about in time, or the place is
    /// needed for others meanwhile.
    pub(super) async fn open(
        shared: &Shared,
        stream: TcpStream,
        watch: &Watch,
        peer: SocketAddr,
    ) -> Option<Self> {
        let Some(certificate) = &shared.certificate else {
            return Some(Self::Plain(stream));
        };
        let acceptor = certificate.acceptor();
        let mut opening = pin!(shake_hands(acceptor, stream, watch));
        let opening = poll_fn(|context| {
            watch.mailbox.listen(context);
            let is_told = watch.mailbox.take(Order::Finish) || watch.mailbox.take(Order::Close);
            if is_told {
                return Poll::Ready(Ok(None));
            }
            opening.as_mut().poll(context)
        });
        match tokio::time::timeout(shared.limits.header_timeout, opening).await {
            Ok(Ok(stream)) => return stream,
            Ok(Err(error)) => {
                shared.metrics.refused("tls");
                tracing::debug!(%peer, %error, "no handshake");
            }
            Err(_) => {
                shared.metrics.refused("tls_timeout");
                tracing::info!(%peer, "slow handshake given up");
            }
        }
        None
    }
}

/// None for a client that does not speak TLS, which is told so.
async fn shake_hands(
    acceptor: TlsAcceptor,
    stream: TcpStream,
    watch: &Watch,
) -> io::Result<Option<Stream>> {
    let mut first = [0];
    stream.peek(&mut first).await?;
    watch.enter(Phase::Head);
    if first != [HANDSHAKE] {
        tls::answer_plainly(stream).await;
        return Err(io::Error::other("the client does not speak TLS"));
    }
    let stream = acceptor.accept(stream).await?;
    // The time for the first request begins.
    watch.enter(Phase::New);
    Ok(Some(Stream::Tls(Box::new(stream))))
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Self::Tls(stream) => Pin::new(stream).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Self::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_write_vectored(context, slices),
            Self::Tls(stream) => Pin::new(stream).poll_write_vectored(context, slices),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            Self::Plain(stream) => stream.is_write_vectored(),
            Self::Tls(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_flush(context),
            Self::Tls(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Self::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}

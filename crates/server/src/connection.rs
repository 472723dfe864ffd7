//! One connection: HTTP/1.1 by hyper, watched for slowness.
//!
//! A connection is always in one [`Phase`], and most phases have a deadline. The deadline is looked at
//! after every bit of work, and a timer is only moved when the deadline became *earlier* than what it is
//! set to; when it rings too early, it is set anew. So a connection that is busy, which is when time is
//! dear, touches its timer once in many requests.

mod order;
mod phase;
mod socket;
mod stream;
mod turn;

pub(crate) use order::Order;
pub(crate) use phase::{Phase, Progress, Watch};
pub use turn::EVENT_INTERVAL;

use crate::crowd::Place;
use crate::exchange;
use crate::shared::Shared;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use socket::Socket;
use std::convert::Infallible;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use stream::Stream;
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until};
use turn::Turn;

/// Why a connection ended.
enum End {
    /// One of the two sides closed it.
    Closed(hyper::Result<()>),
    /// The client was too slow in this phase.
    Late(Phase),
    /// Others needed its memory or its place.
    GaveWay(&'static str),
}

pub(crate) async fn serve(shared: Arc<Shared>, stream: TcpStream, peer: SocketAddr, place: Place) {
    let _open = shared.metrics.connection();
    // Without it, an answer could wait for the acknowledgement of the one before.
    drop(stream.set_nodelay(true));
    let watch = &place.watch;
    let Some(stream) = Stream::open(&shared, stream, watch, peer).await else {
        return;
    };
    let socket = Socket::new(stream, Arc::clone(watch));
    let end = exchange_all(&shared, watch, socket, peer).await;
    report(&end, &shared, peer);
}

/// Answers requests until the connection ends.
async fn exchange_all(shared: &Shared, watch: &Watch, socket: Socket, peer: SocketAddr) -> End {
    let turn = &Turn::default();
    let service = service_fn(|request| async move {
        turn.take().await;
        Ok::<_, Infallible>(exchange::answer(shared, watch, peer, request).await)
    });
    let mut connection = pin!(
        http1::Builder::new()
            // Not `pipeline_flush`: with it, an answer waits while half of the next request is there, and
            // one to a head that cannot be parsed is never sent. Without it, no second request is taken before
            // the answer to the first has gone out, so that a connection has one answer at most.
            // Ours, by phase, instead.
            .header_read_timeout(None)
            // A client that has sent all and closed its side still gets its answer.
            .half_close(true)
            .max_buf_size(shared.limits.header_bytes.max(8192))
            .serve_connection(TokioIo::new(socket), service)
    );
    let mut is_first = true;
    let mut alarm = pin!(sleep_until(Instant::now() + shared.limits.header_timeout));
    poll_fn(|context| {
        turn.begin();
        if is_first {
            is_first = false;
            watch.mailbox.listen(context);
        }
        if !watch.mailbox.is_empty()
            && let Some(reason) = must_close(watch)
        {
            return Poll::Ready(End::GaveWay(reason));
        }
        if let Poll::Ready(result) = connection.as_mut().poll(context) {
            return Poll::Ready(End::Closed(result));
        }
        // Not before: what has come already is read, so that no request is lost that was sent to an idle connection.
        if watch.mailbox.take(Order::Finish) {
            connection.as_mut().graceful_shutdown();
            if let Poll::Ready(result) = connection.as_mut().poll(context) {
                return Poll::Ready(End::Closed(result));
            }
        }
        poll_alarm(alarm.as_mut(), context, watch, shared).map(End::Late)
    })
    .await
}

/// Follows orders to close; says which one it was.
fn must_close(watch: &Watch) -> Option<&'static str> {
    if watch.mailbox.take(Order::Close) {
        return Some("address_crowded");
    }
    // Whoever reads a body follows it there, and answers.
    if watch.phase() == Phase::Body || !watch.mailbox.take(Order::GiveWay) {
        return None;
    }
    // The order may have come too late.
    (watch.phase() == Phase::Answer).then_some("slow_reader")
}

/// Ready with the phase that has taken too long.
fn poll_alarm(
    mut alarm: std::pin::Pin<&mut Sleep>,
    context: &mut std::task::Context<'_>,
    watch: &Watch,
    shared: &Shared,
) -> Poll<Phase> {
    let deadline = watch.deadline(&shared.limits);
    if let Some(deadline) = deadline.filter(|deadline| *deadline < alarm.deadline()) {
        alarm.as_mut().reset(deadline);
    }
    while alarm.as_mut().poll(context).is_ready() {
        let now = Instant::now();
        match deadline {
            Some(deadline) if deadline <= now => return Poll::Ready(watch.phase()),
            Some(deadline) => alarm.as_mut().reset(deadline),
            None => alarm.as_mut().reset(now + shared.limits.idle_timeout),
        }
    }
    Poll::Pending
}

fn report(end: &End, shared: &Shared, peer: SocketAddr) {
    match end {
        End::Closed(Ok(())) => {}
        End::Closed(Err(error)) => tracing::debug!(%peer, %error, "connection broke"),
        // Nothing wrong with that.
        End::Late(Phase::Idle) => tracing::debug!(%peer, "idle connection closed"),
        End::Late(phase) => refuse(shared, peer, phase.late()),
        End::GaveWay(reason) => refuse(shared, peer, reason),
    }
}

fn refuse(shared: &Shared, peer: SocketAddr, reason: &'static str) {
    shared.metrics.refused(reason);
    tracing::info!(%peer, reason, "slow connection closed");
}

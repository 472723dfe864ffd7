//! Futures in boxes of their own.

use std::pin::Pin;

/// A future whose type is hidden.
pub(crate) type BoxedFuture<'f, T> = Pin<Box<dyn Future<Output = T> + Send + 'f>>;

/// Makes a future in a box. Use it for what only some calls need.
///
/// `Box::pin` makes the future on the stack of whoever awaits it and copies it then, so every call pays with its stack for
/// the largest future that it might have needed. Here the future is made in a frame of its own.
#[inline(never)]
pub(crate) fn box_future<'f, T, F>(make: impl FnOnce() -> F) -> BoxedFuture<'f, T>
where
    F: Future<Output = T> + Send + 'f,
{
    Box::pin(make())
}

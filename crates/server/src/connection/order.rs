//! What a connection is told to do by others than its client.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Waker};

/// What a connection is told to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Order {
    /// To answer the request that it is at, if there is one, and to close.
    Finish = 1,
    /// To give up what its client holds by being slow, because others wait for it.
    GiveWay = 2,
    /// To close at once.
    Close = 4,
}

/// The orders that a connection was given and has not followed yet. Looking into it costs next to nothing.
#[derive(Default)]
pub(crate) struct Mailbox {
    /// The sum of the orders.
    orders: AtomicU8,
    /// The task of the connection, once it has run.
    waker: Mutex<Option<Waker>>,
}

impl Mailbox {
    /// Leaves an order and wakes whoever is to follow it.
    pub(crate) fn give(&self, order: Order) {
        self.orders.fetch_or(order as u8, Ordering::AcqRel);
        let waker = self.waker.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(waker) = waker.as_ref() {
            waker.wake_by_ref();
        }
    }

    /// Where to wake the task that follows the orders.
    pub(crate) fn listen(&self, context: &Context<'_>) {
        let mut waker = self.waker.lock().unwrap_or_else(PoisonError::into_inner);
        *waker = Some(context.waker().clone());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.orders.load(Ordering::Acquire) == 0
    }

    /// Takes this order out and says whether it was there.
    pub(crate) fn take(&self, order: Order) -> bool {
        let number = order as u8;
        if self.orders.load(Ordering::Acquire) & number == 0 {
            return false;
        }
        self.orders.fetch_and(!number, Ordering::AcqRel) & number != 0
    }
}

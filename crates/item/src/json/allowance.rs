//! How much memory a request may take when it is read, beside its texts and items.
//!
//! A few bytes of JSON can stand for much more: `{}` in a list of actions is a structure of a kilobyte with nothing in it. Texts
//! and items take about as much memory as they are long, and everything else that a request is made of is few: so it is
//! counted while it is read, and the request is refused as soon as it is more than any request that DynamoDB takes.

use serde::de::Error;
use std::cell::Cell;

thread_local! {
    /// What may still be read on this thread; none where nothing is counted. Reading waits for nothing, so it stays on one thread.
    static LEFT: Cell<Option<usize>> = const { Cell::new(None) };
}

const TOO_MANY: &str = "The request has too many elements";

/// Gives back what there was before, also if reading panics.
struct Outer(Option<usize>);

impl Drop for Outer {
    fn drop(&mut self) {
        LEFT.set(self.0);
    }
}

/// Reads something for which so many bytes may be charged.
pub fn read_within<T>(bytes: usize, read: impl FnOnce() -> T) -> T {
    let _outer = Outer(LEFT.replace(Some(bytes)));
    read()
}

/// Counts memory that is going to be taken; fails if it is more than may be.
pub fn charge<E: Error>(bytes: usize) -> Result<(), E> {
    let Some(left) = LEFT.get() else {
        return Ok(());
    };
    let left = left.checked_sub(bytes);
    LEFT.set(Some(left.ok_or_else(|| E::custom(TOO_MANY))?));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    type Failure = serde_json::Error;

    #[test]
    fn what_was_charged_inside_is_not_charged_outside() {
        assert!(charge::<Failure>(usize::MAX).is_ok());
        let charged = read_within(10, || {
            charge::<Failure>(7)?;
            read_within(10, || charge::<Failure>(10))?;
            charge::<Failure>(3)
        });
        assert!(charged.is_ok());
        assert!(read_within(10, || charge::<Failure>(11)).is_err());
        assert_eq!(LEFT.get(), None);
    }
}

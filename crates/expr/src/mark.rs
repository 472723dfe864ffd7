//! Where the nodes of a syntax are written.

/// Where a node is written. DynamoDB's own expressions never ask, so their marks are `()` and cost nothing.
pub(crate) trait Mark: Copy + Default {
    /// The mark of the bytes from `start` to `end`.
    fn of(start: usize, end: usize) -> Self;

    /// The mark of something that began like this one and ends at `end`.
    #[must_use]
    fn until(self, end: usize) -> Self;
}

impl Mark for () {
    fn of(_: usize, _: usize) -> Self {}

    fn until(self, _: usize) -> Self {}
}

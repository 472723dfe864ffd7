//! The values of all roots at once.

use super::{Path, Root};
use monotable_item::{ItemView, ValueView};

/// What paths lead to: an item for each root, and the time. Roots without item lead nowhere.
#[derive(Clone, Copy, Debug)]
pub struct Context<'v> {
    row: ItemView<'v>,
    roots: [Option<ItemView<'v>>; Root::ITEMS.len()],
    now: Option<ValueView<'v>>,
}

impl<'v> Context<'v> {
    /// Paths without root lead into `row`.
    pub const fn new(row: ItemView<'v>) -> Self {
        Self {
            row,
            roots: [None; Root::ITEMS.len()],
            now: None,
        }
    }

    /// Paths with this root lead into `item`. [`Root::Now`] has no item: see [`Context::at`].
    #[must_use]
    pub fn with(mut self, root: Root, item: ItemView<'v>) -> Self {
        if let Some(slot) = self.roots.get_mut(root as usize) {
            *slot = Some(item);
        }
        self
    }

    /// `now` is this value.
    #[must_use]
    pub const fn at(mut self, now: ValueView<'v>) -> Self {
        self.now = Some(now);
        self
    }

    /// The value that `path` leads to.
    pub fn get(&self, path: &Path) -> Option<ValueView<'v>> {
        match path.root() {
            None => path.resolve(self.row),
            Some(Root::Now) => self.now,
            Some(root) => path.resolve(self.roots.get(root as usize).copied().flatten()?),
        }
    }
}

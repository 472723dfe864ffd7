use std::ops::Range;

use super::Loss;

/// Decides what the disk kept of the changes that no sync covered.
pub(super) struct Survival {
    /// None when it kept nothing.
    random: Option<fastrand::Rng>,
}

impl Survival {
    pub(super) fn of(loss: Loss) -> Self {
        let random = match loss {
            Loss::Everything => None,
            Loss::Some { seed } => Some(fastrand::Rng::with_seed(seed)),
        };
        Self { random }
    }

    /// Which of the `length` bytes of a write are on the disk: none, all, or one side of a tear.
    pub(super) fn of_write(&mut self, length: usize) -> Range<usize> {
        let Some(random) = &mut self.random else {
            return 0..0;
        };
        let tear = random.usize(0..=length);
        match random.u8(0..4) {
            0 => 0..0,
            1 => 0..length,
            2 => 0..tear,
            _ => tear..length,
        }
    }

    /// Whether the disk knows the file's new size.
    pub(super) fn of_resize(&mut self) -> bool {
        self.random.as_mut().is_some_and(fastrand::Rng::bool)
    }
}

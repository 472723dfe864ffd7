//! Random bytes. Ids, salts and keys are made of them, so nothing that could be guessed ever stands in for them.

use crate::host::{Host, NoEntropy};
use std::fmt;
use std::sync::Arc;

type Fill = dyn Fn(&mut [u8]) -> Result<(), NoEntropy> + Send + Sync;

/// Where random bytes come from: the operating system, unless another source is given.
#[derive(Clone, Default)]
pub(crate) struct Entropy(Option<Source>);

#[derive(Clone)]
enum Source {
    Function(Arc<Fill>),
    Host(Arc<dyn Host>),
}

impl fmt::Debug for Entropy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "given" } else { "system" })
    }
}

impl Entropy {
    pub(crate) fn new(
        fill: impl Fn(&mut [u8]) -> Result<(), NoEntropy> + Send + Sync + 'static,
    ) -> Self {
        Self(Some(Source::Function(Arc::new(fill))))
    }

    /// The chance of a host.
    pub(crate) fn from_host(host: Arc<dyn Host>) -> Self {
        Self(Some(Source::Host(host)))
    }

    /// So many bytes that nobody can guess.
    pub(crate) fn draw<const N: usize>(&self) -> Result<[u8; N], NoEntropy> {
        let mut bytes = [0; N];
        match &self.0 {
            Some(Source::Function(fill)) => fill(&mut bytes)?,
            Some(Source::Host(host)) => host.fill(&mut bytes)?,
            None => fill_from_system(&mut bytes)?,
        }
        Ok(bytes)
    }

    /// 128 bits that differ with each call and are no secret.
    pub(crate) fn draw_name(&self) -> Result<u128, NoEntropy> {
        match &self.0 {
            Some(Source::Host(host)) => host.make_name(),
            Some(Source::Function(_)) | None => Ok(u128::from_be_bytes(self.draw()?)),
        }
    }
}

#[cfg(feature = "native")]
fn fill_from_system(bytes: &mut [u8]) -> Result<(), NoEntropy> {
    crate::host::NativeHost.fill(bytes)
}

#[cfg(not(feature = "native"))]
const fn fill_from_system(_: &mut [u8]) -> Result<(), NoEntropy> {
    Err(NoEntropy)
}

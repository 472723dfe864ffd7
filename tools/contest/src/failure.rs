//! Why there is no figure.

/// Anything that stops the benchmark: it is printed, and nobody handles it.
pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

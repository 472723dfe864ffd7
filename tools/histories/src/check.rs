//! Decides whether a history is strictly serializable, from its lists alone.
//!
//! The idea is that of Elle (Kingsbury and Alvaro, VLDB 2020). Clients only append values that are never appended twice, so
//! whoever reads a list sees the order of all its writes (`versions.rs`). From these orders follow the dependencies between
//! operations (`dependency.rs`): who wrote after whom, who read from whom, and who read what another one replaced; beside
//! them, who began after whom had ended. A history is serializable exactly if these have no circle (`circle.rs`), and the
//! kinds of dependencies in a circle give the anomaly its name in Adya's terms.
//!
//! An operation without an answer counts as done if somebody saw a value of it, and has no end.

mod anomaly;
mod circle;
mod dependency;
mod versions;

pub use anomaly::{Anomaly, AnomalyKind};

use crate::history::History;
use circle::find_circle;
use dependency::Dependencies;
use versions::Versions;

/// Everything that is wrong with a history. What is worse comes first; circles are looked for in order of their kinds, and
/// the search ends with the first kind that there is.
#[must_use]
pub fn check(history: &History) -> Vec<Anomaly> {
    let (versions, mut anomalies) = Versions::recover(history);
    let dependencies = Dependencies::infer(history, &versions);
    anomalies.extend(find_circle(history, &dependencies));
    anomalies
}

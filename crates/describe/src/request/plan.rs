//! All requests of a pattern.

use super::given::Known;
use super::pattern_request::{PatternRequest, Repeat};
use super::{afterwards, reach, ways};
use monotable_model::model::{Access, Model};
use std::fmt;

/// The requests that a pattern becomes, in order, and what is done with the rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PatternPlan {
    /// The requests. Values refer to them by their numbers, from 1.
    pub requests: Vec<PatternRequest>,
    /// What is done with the rows when they were read, in sentences.
    pub afterwards: Vec<String>,
}

/// The requests that an access pattern becomes.
#[must_use]
pub fn requests(model: &Model, access: &Access) -> PatternPlan {
    let mut plan = PatternPlan::default();
    let rows = ways::add(&mut plan, model, access, &Known::parameters());
    reach::add_followed(&mut plan, model, access, &rows);
    plan.afterwards
        .extend(afterwards::sentences(model, access, &plan));
    plan
}

impl PatternPlan {
    /// Adds a request. Its number is the answer.
    pub(super) fn push(&mut self, request: PatternRequest) -> usize {
        self.requests.push(request);
        self.requests.len()
    }

    /// The number of the next request.
    pub(super) fn next(&self) -> usize {
        self.requests.len() + 1
    }
}

impl fmt::Display for PatternPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, request) in self.requests.iter().enumerate() {
            write!(f, "{}. {request}", position + 1)?;
            if request.repeat != Repeat::Once {
                write!(f, "\n{}", request.repeat)?;
            }
            for variant in &request.variants {
                write!(f, "\n{variant}")?;
            }
            f.write_str("\n")?;
        }
        self.afterwards
            .iter()
            .try_for_each(|sentence| writeln!(f, "{sentence}"))
    }
}

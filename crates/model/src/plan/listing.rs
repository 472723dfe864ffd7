//! The requests of a plan, with places for what is not known before a call: what documents show of it.

mod condition;
mod known;
mod line;
mod request;
mod routes;
mod text;
mod ways;

pub use request::{
    Operation, PlannedRequest, PlannedValue, Purpose, Remark, Repeat, ValueKind, Variant,
};
pub use text::{Piece, PlannedText};

use super::{Plans, ReadPlan};
use known::Known;

/// The requests that a plan becomes, in order, and what else there is to say about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The requests. Texts refer to them by their numbers, from 1.
    pub requests: Vec<PlannedRequest>,
    /// What the requests do not show.
    pub remarks: Vec<Remark>,
}

/// The requests of a pattern.
#[must_use]
pub fn list_requests(plans: &Plans, plan: &ReadPlan) -> Listing {
    let mut lister = Lister {
        plans,
        consistent: plan.consistent,
        listing: Listing::default(),
    };
    let known = Known::of_parameters(plan);
    let rows = lister.add_plan(plan, &known, ways::Part::Whole);
    for follow in plan.ends.iter().chain(&plan.follow) {
        lister.add_followed(follow, &rows);
    }
    lister.listing
}

/// Collects the requests of a plan.
struct Lister<'p> {
    plans: &'p Plans,
    /// Whether the pattern that is asked for reads strongly: its parts do as it does.
    consistent: bool,
    listing: Listing,
}

/// The numbers of requests whose answers are rows.
type Answers = Vec<usize>;

impl Lister<'_> {
    /// Adds a request. Its number is the answer.
    fn push(&mut self, request: PlannedRequest) -> usize {
        self.listing.requests.push(request);
        self.listing.requests.len()
    }

    /// The number of the next request.
    fn next(&self) -> usize {
        self.listing.requests.len() + 1
    }

    fn remark(&mut self, remark: Remark) {
        if !self.listing.remarks.contains(&remark) {
            self.listing.remarks.push(remark);
        }
    }
}

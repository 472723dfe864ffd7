//! Which data a request is about.

use crate::signature::Claim;
use monotable_api::{BoxFuture, Dynamo, Error};
use monotable_policy::Scope;
use std::sync::Arc;

/// Finds the data set of a region, given its name as a request was signed for it. Whatever it refuses is the answer
/// to the request.
pub type FindRegion =
    Arc<dyn Fn(&str) -> BoxFuture<'static, Result<Arc<dyn Dynamo>, Error>> + Send + Sync>;

/// The data that a server serves.
#[derive(Clone)]
pub(crate) enum DataSets {
    /// One data set, which answers requests for every region.
    Shared(Arc<dyn Dynamo>),
    /// One data set for each region.
    Regional(FindRegion),
}

impl DataSets {
    /// The data set that a request with this signature is about.
    pub(crate) async fn find(&self, claim: &Claim<'_>) -> Result<Arc<dyn Dynamo>, Error> {
        match self {
            Self::Shared(dynamo) => Ok(Arc::clone(dynamo)),
            Self::Regional(find) => find(claim.region()?).await,
        }
    }

    /// Where policies say that the data are. One data set for all regions is in none of them: the client chooses what it signs for.
    pub(crate) fn scope(&self, usual: &Scope, claim: &Claim<'_>) -> Result<Scope, Error> {
        let scope = usual.clone();
        match self {
            Self::Shared(_) => Ok(scope),
            Self::Regional(_) => Ok(Scope {
                region: claim.region()?.to_owned(),
                ..scope
            }),
        }
    }
}

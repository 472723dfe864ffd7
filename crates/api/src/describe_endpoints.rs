//! DescribeEndpoints: where the service is to be found.

use crate::Error;
use crate::structure::{map_only, structure};
use serde::{Deserialize, Serialize};

structure! {
    /// A DescribeEndpoints request.
    pub struct DescribeEndpointsInput {}

    /// An endpoint.
    pub struct Endpoint {
        /// Host and port.
        address: String,
        /// How long to remember it.
        cache_period_in_minutes: u64,
    }
}

/// A DescribeEndpoints answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "PascalCase")]
pub struct DescribeEndpointsOutput {
    /// The endpoints.
    #[serde(default)]
    pub endpoints: Vec<Endpoint>,
}

map_only!(DescribeEndpointsOutput);

/// A DescribeEndpoints request, checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValidDescribeEndpoints;

impl DescribeEndpointsOutput {
    /// Names the address at which the service was asked as its only one: whoever follows the answer
    /// must come back to the same service.
    pub(crate) fn answer_from(&mut self, host: &str) {
        self.endpoints.truncate(1);
        for endpoint in &mut self.endpoints {
            endpoint.address = Some(host.to_owned());
        }
    }
}

impl DescribeEndpointsInput {
    /// There is nothing to check.
    pub fn validate(self) -> Result<ValidDescribeEndpoints, Error> {
        Ok(ValidDescribeEndpoints)
    }
}

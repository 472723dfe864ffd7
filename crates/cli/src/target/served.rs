//! A DynamoDB elsewhere whose tables a server shows, in place of a store of its own.

use super::Target;
use super::remote::RemoteTarget;
use clap::Args;

/// What does not go together with a DynamoDB elsewhere: settings of a store, and of the DynamoDB API, which is not served then.
const OF_A_STORE: [&str; 6] = [
    "store",
    "in_memory",
    "regions",
    "buckets",
    "cache",
    "credentials",
];

/// The DynamoDB elsewhere as the command line names it.
#[derive(Args, Clone, Debug)]
pub(crate) struct ServedTargetArguments {
    /// Serve the models over the tables of the DynamoDB at this address; the DynamoDB API is closed then
    #[arg(long, value_name = "URL", requires = "models", conflicts_with = "aws", conflicts_with_all = OF_A_STORE)]
    endpoint_url: Option<String>,

    /// Serve the models over tables of Amazon DynamoDB; the DynamoDB API is closed then
    #[arg(long, requires = "models", conflicts_with_all = OF_A_STORE)]
    aws: bool,

    /// AWS region, for --aws and --endpoint-url [default: as AWS's configuration says]
    #[arg(long, requires = "models")]
    region: Option<String>,

    /// Profile of ~/.aws/config and ~/.aws/credentials, for --aws and --endpoint-url
    #[arg(long, requires = "models")]
    profile: Option<String>,
}

impl ServedTargetArguments {
    /// The target, if the command line names one. The environment names none: whoever points AWS's tools at this server does not
    /// mean that it is to serve itself.
    pub(crate) fn named(&self) -> Option<Target> {
        (self.aws || self.endpoint_url.is_some()).then(|| {
            Target::Remote(RemoteTarget::new(
                self.endpoint_url.clone(),
                self.region.clone(),
                self.profile.clone(),
            ))
        })
    }
}

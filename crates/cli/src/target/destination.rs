//! The second DynamoDB of a command that has two.

use super::Target;
#[cfg(feature = "aws")]
use super::remote::RemoteTarget;
use clap::Args;
use std::path::PathBuf;

/// Where something goes, as the command line names it.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Where to")]
#[group(id = "destination", required = true, multiple = true)]
pub(crate) struct DestinationArguments {
    /// To the embedded store in this directory
    #[arg(long, value_name = "DIR")]
    to_store: Option<PathBuf>,

    /// To a DynamoDB at this address
    #[cfg(feature = "aws")]
    #[arg(long, value_name = "URL", conflicts_with_all = ["to_store", "to_aws"])]
    to_endpoint_url: Option<String>,

    /// To Amazon DynamoDB
    #[cfg(feature = "aws")]
    #[arg(long, conflicts_with = "to_store")]
    to_aws: bool,

    /// The AWS region that it goes to
    #[cfg(feature = "aws")]
    #[arg(long, value_name = "REGION", conflicts_with = "to_store")]
    to_region: Option<String>,

    /// The profile of ~/.aws/config and ~/.aws/credentials that it goes to
    #[cfg(feature = "aws")]
    #[arg(long, value_name = "PROFILE", conflicts_with = "to_store")]
    to_profile: Option<String>,
}

impl DestinationArguments {
    /// The target that the arguments name; one of them is there.
    pub(crate) fn resolve(self) -> Target {
        match self.to_store {
            Some(directory) => Target::Embedded(directory),
            #[cfg(feature = "aws")]
            None => Target::Remote(RemoteTarget::new(
                self.to_endpoint_url,
                self.to_region,
                self.to_profile,
            )),
            #[cfg(not(feature = "aws"))]
            None => Target::Embedded(PathBuf::new()),
        }
    }
}

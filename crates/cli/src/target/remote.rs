//! Amazon DynamoDB, or anything else that speaks its API.

use super::announced::{AfterFailure, Announced};
use super::{OpenTarget, Place};
use crate::exit::Failure;
use clap::Args;
use monotable_aws::{EndpointOwner, RemoteOptions};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How long a connection to a server may take.
const PATIENCE: Duration = Duration::from_millis(1500);

/// The remote target as the command line names it.
#[derive(Args, Clone, Debug)]
pub(crate) struct RemoteArguments {
    /// A DynamoDB at this address, for example http://127.0.0.1:8000
    ///
    /// Without a target on the command line, $AWS_ENDPOINT_URL_DYNAMODB is used if it is set.
    #[arg(long, value_name = "URL", conflicts_with_all = ["store", "aws"])]
    endpoint_url: Option<String>,

    /// Amazon DynamoDB, or the endpoint that AWS's configuration names
    #[arg(long, conflicts_with = "store")]
    aws: bool,

    /// AWS region [default: as AWS's configuration says]
    #[arg(long)]
    region: Option<String>,

    /// Profile of ~/.aws/config and ~/.aws/credentials
    #[arg(long)]
    profile: Option<String>,
}

/// A remote DynamoDB.
#[derive(Clone, Debug)]
pub(crate) struct RemoteTarget {
    endpoint_url: Option<String>,
    region: Option<String>,
    profile: Option<String>,
    /// Each request is sent once: who sends it tries again.
    is_tried_once: bool,
}

impl RemoteArguments {
    /// The target, if the command line names a remote one.
    pub(super) fn named(&self) -> Option<RemoteTarget> {
        let is_named = self.aws || self.endpoint_url.is_some();
        is_named.then(|| self.at(self.endpoint_url.clone()))
    }

    /// The target that the environment names for AWS's own tools. The client reads the address itself.
    pub(super) fn named_by_environment(&self) -> Option<RemoteTarget> {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_ignored = std::env::var("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")
            .is_ok_and(|value| value.eq_ignore_ascii_case("true"));
        (is_set("AWS_ENDPOINT_URL_DYNAMODB") && !is_ignored).then(|| self.at(None))
    }

    fn at(&self, endpoint_url: Option<String>) -> RemoteTarget {
        RemoteTarget {
            endpoint_url,
            region: self.region.clone(),
            profile: self.profile.clone(),
            is_tried_once: false,
        }
    }

    /// A region or profile with an embedded store is a mistake: the user meant something else.
    pub(super) fn refuse_for_store(&self, directory: &Path) -> Result<(), Failure> {
        if self.region.is_none() && self.profile.is_none() {
            return Ok(());
        }
        Err(Failure::usage(format_args!(
            "--region and --profile mean nothing to the embedded store {}",
            directory.display()
        ))
        .help("add --aws for Amazon DynamoDB, or --endpoint-url URL"))
    }
}

impl RemoteTarget {
    pub(super) const fn tried_once(mut self) -> Self {
        self.is_tried_once = true;
        self
    }

    /// Connects. A server that does not answer is reported after one attempt, because the user has probably not
    /// started it; Amazon's service is there.
    pub(super) async fn connect(self) -> Result<OpenTarget, Failure> {
        let mut options = RemoteOptions::new();
        if let Some(url) = self.endpoint_url {
            options = options.endpoint_url(url);
        }
        if let Some(region) = self.region {
            options = options.region(region);
        }
        if let Some(profile) = self.profile {
            options = options.profile(profile);
        }
        if self.is_tried_once {
            options = options.max_attempts(1);
        }
        let remote = options.connect().await.map_err(Failure::configuration)?;
        let place = match remote.owner() {
            EndpointOwner::Amazon => Place::Amazon(remote.region().to_owned()),
            EndpointOwner::Named => {
                remote.reach(PATIENCE).await?;
                Place::Server(remote.endpoint().to_owned())
            }
        };
        let url = remote.endpoint().to_owned();
        let after_failure = if self.is_tried_once {
            AfterFailure::SendsAgain
        } else {
            AfterFailure::GivesUp
        };
        let announced = Announced::new(Arc::new(remote), url, after_failure);
        Ok(OpenTarget {
            dynamo: Arc::new(announced),
            place,
        })
    }
}

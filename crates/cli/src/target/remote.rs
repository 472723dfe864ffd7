//! Amazon DynamoDB, or anything else that speaks its API.

use super::announced::{AfterFailure, Announced};
use super::lacks::Lacks;
use super::{OpenTarget, Place};
use crate::exit::Failure;
use clap::Args;
use monotable_aws::{EndpointOwner, RemoteOptions};
use monotable_store::Ability;
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

    /// What the server of --endpoint-url lacks, such as transactions,streams [default: $MONOTABLE_WITHOUT]
    ///
    /// A model that needs it is refused. transactions, long-index-keys, local-indexes, streams, ttl, pitr,
    /// deletion-protection, tags. Transactions are looked for without being asked.
    #[arg(long, value_name = "ABILITIES", value_delimiter = ',', conflicts_with_all = ["store", "aws"])]
    without: Vec<Ability>,
}

/// A remote DynamoDB.
#[derive(Clone, Debug)]
pub(crate) struct RemoteTarget {
    endpoint_url: Option<String>,
    region: Option<String>,
    profile: Option<String>,
    /// What the server lacks, as the command line says.
    without: Vec<Ability>,
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
            without: self.without.clone(),
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
    /// A DynamoDB at an address, or Amazon's.
    pub(super) const fn new(
        endpoint_url: Option<String>,
        region: Option<String>,
        profile: Option<String>,
    ) -> Self {
        Self {
            endpoint_url,
            region,
            profile,
            without: Vec::new(),
            is_tried_once: false,
        }
    }

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
        let (place, lacks) = match remote.owner() {
            EndpointOwner::Amazon => (Place::Amazon(remote.region().to_owned()), Lacks::nothing()),
            EndpointOwner::Named => {
                remote.reach(PATIENCE).await?;
                let place = Place::Server(remote.endpoint().to_owned());
                (place, Lacks::of_server(self.without)?)
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
            lacks,
        })
    }
}

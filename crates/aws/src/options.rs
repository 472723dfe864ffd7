//! What a program may say about the DynamoDB to talk to.

use crate::{ConnectError, Remote, connect};
use aws_credential_types::Credentials;
use std::time::Duration;

/// Where the DynamoDB is and who calls it. Everything may be left out.
///
/// | | in this order |
/// |---|---|
/// | endpoint | [`endpoint_url`](Self::endpoint_url), `AWS_ENDPOINT_URL_DYNAMODB`, `AWS_ENDPOINT_URL`, the profile's `services` section, its `endpoint_url`, the region's own endpoint (FIPS and dual-stack if configured). `AWS_IGNORE_CONFIGURED_ENDPOINT_URLS` leaves out the middle four |
/// | region | [`region`](Self::region), `AWS_REGION`, `AWS_DEFAULT_REGION`, the profile, the machine's metadata. For an endpoint on this machine: `us-east-1` instead of the metadata |
/// | credentials | [`credentials`](Self::credentials), or the default chain of the AWS SDKs: environment, profile (keys, role, single sign-on, process), web identity, container, machine. For an endpoint on this machine: environment and profile, else placeholders, since local tools ask for none |
/// | attempts, timeouts | the methods here, `AWS_MAX_ATTEMPTS`, the profile, the defaults |
#[derive(Clone, Debug, Default)]
pub struct RemoteOptions {
    pub(crate) endpoint_url: Option<String>,
    pub(crate) region: Option<String>,
    pub(crate) profile: Option<String>,
    /// Its `Debug` hides the secrets.
    pub(crate) credentials: Option<Credentials>,
    pub(crate) connect_timeout: Option<Duration>,
    pub(crate) attempt_timeout: Option<Duration>,
    pub(crate) max_attempts: Option<u32>,
}

impl RemoteOptions {
    /// Everything as the surroundings say it.
    pub fn new() -> Self {
        Self::default()
    }

    /// The endpoint, `http://` or `https://`.
    pub fn endpoint_url(mut self, url: impl Into<String>) -> Self {
        self.endpoint_url = Some(url.into());
        self
    }

    /// The region that requests are signed for, and whose endpoint is used if none is named.
    pub fn region(mut self, region: impl Into<String>) -> Self {
        self.region = Some(region.into());
        self
    }

    /// The profile of the AWS configuration files, instead of `AWS_PROFILE` or `default`.
    pub fn profile(mut self, profile: impl Into<String>) -> Self {
        self.profile = Some(profile.into());
        self
    }

    /// Fixed credentials, for tests and for programs that have them from elsewhere.
    pub fn credentials(
        mut self,
        access_key_id: impl Into<String>,
        secret_access_key: impl Into<String>,
        session_token: Option<String>,
    ) -> Self {
        self.credentials = Some(Credentials::new(
            access_key_id,
            secret_access_key,
            session_token,
            None,
            "RemoteOptions",
        ));
        self
    }

    /// How long a TCP connection may take to come about. 3.1 seconds unless set.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = Some(timeout);
        self
    }

    /// How long one attempt may take, from its first byte to the last of its answer. 30 seconds unless
    /// set.
    pub fn attempt_timeout(mut self, timeout: Duration) -> Self {
        self.attempt_timeout = Some(timeout);
        self
    }

    /// How often a call is tried at most, the first time included. Three unless set; zero counts as
    /// one.
    pub fn max_attempts(mut self, attempts: u32) -> Self {
        self.max_attempts = Some(attempts);
        self
    }

    /// Finds out everything that was left out, credentials too, and makes the client. The first
    /// connection is made by the first call.
    pub async fn connect(self) -> Result<Remote, ConnectError> {
        connect::connect(self).await
    }
}

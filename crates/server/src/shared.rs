//! What all connections of a server share.

use crate::body::Budget;
use crate::data_sets::DataSets;
use crate::gauge::Gauge;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::mount::Mount;
use crate::options::ServerOptions;
use crate::origin::Gatekeeper;
use crate::signature::Verifier;
use monotable_policy::Scope;
use std::sync::Arc;

pub(crate) struct Shared {
    pub(crate) data_sets: DataSets,
    pub(crate) limits: Limits,
    pub(crate) gatekeeper: Gatekeeper,
    pub(crate) verifier: Verifier,
    /// What the ARNs of resources begin with, for policies.
    pub(crate) scope: Scope,
    pub(crate) budget: Budget,
    pub(crate) metrics: Metrics,
    pub(crate) gauges: Arc<dyn Fn() -> Vec<Gauge> + Send + Sync>,
    pub(crate) mount: Option<Arc<dyn Mount>>,
}

impl Shared {
    /// What is mounted at a path.
    pub(crate) fn find_mount(&self, path: &str) -> Option<&dyn Mount> {
        self.mount.as_deref().filter(|mount| mount.handles(path))
    }

    pub(crate) fn new(options: ServerOptions, data_sets: DataSets) -> Self {
        Self {
            data_sets,
            gatekeeper: Gatekeeper::new(options.hosts, options.origins),
            verifier: Verifier::new(options.credentials, options.clock),
            scope: options.scope,
            budget: Budget::new(&options.limits),
            metrics: Metrics::new(),
            gauges: options.gauges,
            mount: options.mount,
            limits: options.limits,
        }
    }
}

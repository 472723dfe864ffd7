//! What all connections of a server share.

use crate::access_log::AccessLog;
use crate::aside::Aside;
use crate::connection::Phase;
use crate::crowd::Crowd;
use crate::data_sets::DataSets;
use crate::gauge::Gauge;
use crate::limits::Limits;
use crate::memory::{Memory, Pool, Share, UNCOUNTED};
use crate::metrics::Metrics;
use crate::mount::Mount;
use crate::options::ServerOptions;
use crate::origin::Gatekeeper;
use crate::readiness::Readiness;
use crate::refusal::Refusal;
use crate::signature::Verifier;
use crate::tls::CurrentCertificate;
use monotable_policy::{Scope, Transport};
use std::sync::Arc;

pub(crate) struct Shared {
    pub(crate) data_sets: DataSets,
    pub(crate) limits: Limits,
    pub(crate) gatekeeper: Gatekeeper,
    pub(crate) verifier: Verifier,
    /// What the ARNs of resources begin with, for policies.
    pub(crate) scope: Scope,
    pub(crate) memory: Memory,
    pub(crate) crowd: Arc<Crowd>,
    /// None for a server that speaks plain HTTP.
    pub(crate) certificate: Option<CurrentCertificate>,
    pub(crate) access_log: Option<AccessLog>,
    pub(crate) readiness: Readiness,
    pub(crate) metrics: Metrics,
    pub(crate) aside: Aside,
    pub(crate) gauges: Arc<dyn Fn() -> Vec<Gauge> + Send + Sync>,
    pub(crate) mount: Option<Arc<dyn Mount>>,
}

impl Shared {
    /// What is mounted at a path.
    pub(crate) fn find_mount(&self, path: &str) -> Option<&Arc<dyn Mount>> {
        self.mount.as_ref().filter(|mount| mount.handles(path))
    }

    pub(crate) fn new(options: ServerOptions, data_sets: DataSets) -> Self {
        let scheme = if options.certificate.is_some() {
            "https://"
        } else {
            "http://"
        };
        Self {
            data_sets,
            gatekeeper: Gatekeeper::new(options.hosts, options.origins, scheme),
            verifier: Verifier::new(options.credentials, options.clock),
            scope: options.scope,
            memory: Memory::new(&options.limits),
            crowd: Arc::new(Crowd::new(&options.limits)),
            certificate: options.certificate.map(CurrentCertificate::new),
            access_log: options.access_log,
            readiness: options.readiness,
            metrics: Metrics::new(),
            aside: Aside::here(),
            gauges: options.gauges,
            mount: options.mount,
            limits: options.limits,
        }
    }

    /// What the addresses of this server begin with.
    pub(crate) const fn scheme(&self) -> &'static str {
        self.gatekeeper.scheme()
    }

    /// How requests come: a server with a certificate speaks TLS and nothing else.
    pub(crate) const fn transport(&self) -> Transport {
        match self.certificate {
            Some(_) => Transport::Tls,
            None => Transport::Plain,
        }
    }

    /// Waits for the memory that carrying out a request may take; none if it is not worth counting.
    pub(crate) async fn set_aside(&self, bytes: usize) -> Result<Option<Share>, Refusal> {
        if bytes <= UNCOUNTED {
            return Ok(None);
        }
        let reclaim = |missing| self.reclaim(Phase::Answer, missing);
        let share = Pool::admit(&self.memory.answers, bytes, reclaim).await?;
        Ok(Some(share))
    }

    /// Waits for the memory of an answer that is known to be large: what is kept for small ones is not used.
    pub(crate) async fn set_aside_large(&self, bytes: usize) -> Result<Option<Share>, Refusal> {
        let reclaim = |missing| self.reclaim(Phase::Answer, missing);
        let share = Pool::admit_large(&self.memory.answers, bytes, reclaim).await?;
        Ok(Some(share))
    }

    /// Takes memory from clients that are slow in this phase.
    pub(crate) fn reclaim(&self, phase: Phase, bytes: usize) {
        let told = self.crowd.reclaim(phase, bytes);
        if told > 0 {
            tracing::info!(
                ?phase,
                told,
                "requests wait for memory: slow clients lose theirs"
            );
        }
    }
}

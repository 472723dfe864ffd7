//! The data that is served: one set for all regions, or one for each.

use super::gauges;
use crate::exit::Failure;
use crate::target::explain_open;
use monotable_api::{Dynamo, Error};
use monotable_engine::{Engine, RegionError, RegionName, Regions};
use monotable_server::{BindError, Gauge, Server, ServerOptions};
use std::sync::Arc;

/// The data that is served.
#[derive(Clone)]
pub(super) enum Data {
    Shared(Engine),
    Regional(Arc<Regions>),
}

impl Data {
    pub(super) async fn bind(&self, options: ServerOptions) -> Result<Server, BindError> {
        let measured = self.clone();
        let options = options.gauges(move || measured.gauges());
        match self {
            Self::Shared(engine) => options.bind(Arc::new(engine.clone())).await,
            Self::Regional(regions) => {
                let regions = Arc::clone(regions);
                let find = move |region: &str| {
                    let region = parse(region);
                    let regions = Arc::clone(&regions);
                    Box::pin(async move { find(regions, region?).await }) as _
                };
                options.bind_regions(Arc::new(find)).await
            }
        }
    }

    fn gauges(&self) -> Vec<Gauge> {
        match self {
            Self::Shared(engine) => gauges::of(engine),
            Self::Regional(regions) => gauges::of_regions(&regions.all()),
        }
    }

    /// Syncs and joins threads.
    pub(super) fn close(&self) {
        match self {
            Self::Shared(engine) => engine.close(),
            Self::Regional(regions) => regions.close(),
        }
    }
}

fn parse(region: &str) -> Result<RegionName, Error> {
    RegionName::parse(region).ok_or_else(|| {
        let given = region.to_owned();
        RegionError::Name { given }.into()
    })
}

/// The data set of a region. Only the first request for a region waits until the disk has one.
async fn find(regions: Arc<Regions>, region: RegionName) -> Result<Arc<dyn Dynamo>, Error> {
    if let Some(engine) = regions.find(&region) {
        return Ok(Arc::new(engine));
    }
    tracing::info!(%region, "a region is asked for that has no data yet");
    let made = tokio::task::spawn_blocking(move || regions.find_or_make(&region)).await;
    Ok(Arc::new(made.map_err(Error::internal)??))
}

/// Why regions could not be opened, with what to do about it.
pub(super) fn explain(error: RegionError) -> Failure {
    match error {
        RegionError::Open(error) => explain_open(error),
        error => Failure::configuration(error),
    }
}

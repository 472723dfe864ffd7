//! The data that is served: one set for all regions, or one for each.

use super::gauges;
use crate::exit::Failure;
use crate::target::{OpenTarget, explain_open};
use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use monotable_engine::{Engine, RegionError, RegionName, Regions};
use monotable_server::{BindError, Gauge, Server, ServerOptions};
use monotable_workbench::Workbench;
use std::sync::Arc;

/// The data that is served.
#[derive(Clone)]
pub(super) enum Data {
    Shared(Engine),
    Regional(Arc<Regions>),
    /// Tables elsewhere, which models are served over. The DynamoDB API is closed.
    Elsewhere(OpenTarget),
}

impl Data {
    /// Binds the server. With a page, the requests are noted for it.
    pub(super) async fn bind(
        &self,
        options: ServerOptions,
        workbench: Option<Workbench>,
    ) -> Result<Server, BindError> {
        let measured = self.clone();
        let options = options.gauges(move || measured.gauges());
        match self {
            Self::Shared(engine) => {
                let dynamo: Arc<dyn Dynamo> = Arc::new(engine.clone());
                let dynamo = match workbench {
                    Some(workbench) => workbench.watch(dynamo),
                    None => dynamo,
                };
                options.bind(dynamo).await
            }
            Self::Regional(regions) => {
                let regions = Arc::clone(regions);
                let find = move |region: &str| {
                    let found = parse(region).map(|region| find(&regions, region));
                    Box::pin(std::future::ready(found)) as _
                };
                options.bind_regions(Arc::new(find)).await
            }
            Self::Elsewhere(target) => options.bind(Arc::clone(&target.dynamo)).await,
        }
    }

    fn gauges(&self) -> Vec<Gauge> {
        match self {
            Self::Shared(engine) => gauges::of(engine),
            Self::Regional(regions) => gauges::of_regions(&regions.all()),
            Self::Elsewhere(_) => Vec::new(),
        }
    }

    /// Syncs and joins threads.
    pub(super) fn close(&self) {
        match self {
            Self::Shared(engine) => engine.close(),
            Self::Regional(regions) => regions.close(),
            Self::Elsewhere(_) => {}
        }
    }
}

fn parse(region: &str) -> Result<RegionName, Error> {
    RegionName::parse(region).ok_or_else(|| {
        let given = region.to_owned();
        RegionError::Name { given }.into()
    })
}

/// The data set of a region.
fn find(regions: &Arc<Regions>, region: RegionName) -> Arc<dyn Dynamo> {
    match regions.find(&region) {
        Some(engine) => Arc::new(engine),
        None => Arc::new(UnmadeRegion {
            regions: Arc::clone(regions),
            region,
        }),
    }
}

/// A region that has no data yet. It is made by the first request that is carried out, and not by one that policies refuse.
struct UnmadeRegion {
    regions: Arc<Regions>,
    region: RegionName,
}

impl UnmadeRegion {
    async fn make(&self) -> Result<Engine, Error> {
        let (regions, region) = (Arc::clone(&self.regions), self.region.clone());
        tracing::info!(%region, "a region is asked for that has no data yet");
        let made = tokio::task::spawn_blocking(move || regions.find_or_make(&region)).await;
        Ok(made.map_err(Error::internal)??)
    }
}

impl Dynamo for UnmadeRegion {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            // Who asks for permissions asks for tables first, and there are none.
            if let Request::DescribeTable(asked) = &request
                && self.regions.find(&self.region).is_none()
            {
                let table = asked.clone().validate()?.table;
                return Err(Error::not_found(format_args!(
                    "Requested resource not found: Table: {} not found",
                    table.as_str()
                )));
            }
            self.make().await?.call(request).await
        })
    }
}

/// Why regions could not be opened, with what to do about it.
pub(super) fn explain(error: RegionError) -> Failure {
    match error {
        RegionError::Open(error) => explain_open(error),
        error => Failure::configuration(error),
    }
}

//! What the store adds to `/metrics`.

use monotable_engine::{Engine, Statistics};
use monotable_server::{Gauge, GaugeKind};

/// The store's own measurements; none while the store cannot tell them.
pub(super) fn of(engine: &Engine) -> Vec<Gauge> {
    match engine.statistics() {
        Ok(statistics) => measurements(&statistics),
        Err(error) => {
            tracing::warn!(%error, "the store cannot be measured");
            Vec::new()
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "Prometheus' values are floats; numbers beyond 2^53 do not happen"
)]
const fn float(number: u64) -> f64 {
    number as f64
}

fn measurements(statistics: &Statistics) -> Vec<Gauge> {
    let sizes = statistics.group_sizes.iter();
    let sizes = sizes.map(|(size, groups)| (float(*size), *groups));
    let groups = Gauge::new(
        "monotable_commit_group_requests",
        "Requests in a group of writes, each group committed with one sync.",
        GaugeKind::Histogram,
    )
    .histogram(sizes, float(statistics.grouped_requests));
    let mut items = Gauge::new(
        "monotable_table_items",
        "Items of a table, as of its last count.",
        GaugeKind::Gauge,
    );
    let mut bytes = Gauge::new(
        "monotable_table_bytes",
        "Size of a table's items as AWS counts it, as of its last count.",
        GaugeKind::Gauge,
    );
    for table in &statistics.tables {
        items = items.labelled("table", &table.name, float(table.items));
        bytes = bytes.labelled("table", &table.name, float(table.bytes));
    }
    let disk = statistics.disk_bytes.map(|bytes| {
        let name = "monotable_store_disk_bytes";
        Gauge::new(name, "Bytes that the store has on disk.", GaugeKind::Gauge).value(float(bytes))
    });
    [groups, items, bytes].into_iter().chain(disk).collect()
}

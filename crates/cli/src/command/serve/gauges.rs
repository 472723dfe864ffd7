//! What the store adds to `/metrics`.

use monotable_engine::{Engine, RegionName, ScrubProgress, Statistics};
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

/// The measurements of all regions, each with a label that names the region.
pub(super) fn of_regions(regions: &[(RegionName, Engine)]) -> Vec<Gauge> {
    let mut gauges: Vec<Gauge> = Vec::new();
    for (region, engine) in regions {
        for mut gauge in of(engine) {
            let label = ("region".to_owned(), region.to_string());
            for sample in &mut gauge.samples {
                sample.labels.insert(0, label.clone());
            }
            match gauges.iter_mut().find(|known| known.name == gauge.name) {
                Some(known) => known.samples.append(&mut gauge.samples),
                None => gauges.push(gauge),
            }
        }
    }
    gauges
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
    let scrub = statistics.scrub.iter().flat_map(scrub_gauges);
    let gauges = [groups, items, bytes].into_iter().chain(disk).chain(scrub);
    gauges.chain(commit_gauges(statistics)).collect()
}

/// What was read of the store's files to find damage. The metrics of the last pass appear when the first one has ended.
fn scrub_gauges(scrub: &ScrubProgress) -> Vec<Gauge> {
    let bytes = Gauge::new(
        "monotable_store_scrub_bytes_total",
        "Bytes of table files that were read in the background and compared with their checksums.",
        GaugeKind::Counter,
    );
    let passes = Gauge::new(
        "monotable_store_scrub_passes_total",
        "How often all table files were read in the background.",
        GaugeKind::Counter,
    );
    let damaged = Gauge::new(
        "monotable_store_damaged_files",
        "Damaged files that were found, in the background or by a request.",
        GaugeKind::Gauge,
    );
    let mut gauges = vec![
        bytes.value(float(scrub.bytes)),
        passes.value(float(scrub.passes)),
        damaged.value(float(scrub.damaged)),
    ];
    if let Some(pass) = scrub.last_pass {
        let ended = Gauge::new(
            "monotable_store_scrub_last_pass_timestamp_seconds",
            "When all table files had last been read, in seconds since 1970.",
            GaugeKind::Gauge,
        );
        let read = Gauge::new(
            "monotable_store_scrub_last_pass_bytes",
            "Bytes that were read in that pass.",
            GaugeKind::Gauge,
        );
        gauges.push(ended.value(pass.ended.as_secs_f64()));
        gauges.push(read.value(float(pass.bytes)));
    }
    gauges
}

/// How long commits take, and what they wait for.
fn commit_gauges(statistics: &Statistics) -> Vec<Gauge> {
    let longest = Gauge::new(
        "monotable_commit_longest_seconds",
        "The longest time that a commit took, from its first request to its answers.",
        GaugeKind::Gauge,
    );
    let stalls = Gauge::new(
        "monotable_commit_stalls_total",
        "Commits that took so long that the store was nudged.",
        GaugeKind::Counter,
    );
    let refused = Gauge::new(
        "monotable_commit_refused_writes_total",
        "Writes that got an error because a commit did not end.",
        GaugeKind::Counter,
    );
    let mut gauges = vec![
        longest.value(statistics.longest_commit.as_secs_f64()),
        stalls.value(float(statistics.stalls)),
        refused.value(float(statistics.refused_writes)),
    ];
    if let Some(crowding) = statistics.crowding {
        let runs = Gauge::new(
            "monotable_store_level0_runs",
            "Runs of table files that wait to be merged, in the fullest part of the store.",
            GaugeKind::Gauge,
        );
        let sealed = Gauge::new(
            "monotable_store_sealed_memtables",
            "Full parts of memory that wait to be written to table files, there.",
            GaugeKind::Gauge,
        );
        gauges.push(runs.value(float(crowding.runs as u64)));
        gauges.push(sealed.value(float(crowding.sealed as u64)));
    }
    gauges
}

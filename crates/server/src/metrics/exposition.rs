//! The counts as Prometheus reads them.

use super::{Metrics, Operation};
use crate::gauge::{Gauge, GaugeKind};
use monotable_api::OperationName;
use std::fmt::{self, Write};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

impl Metrics {
    /// The text of `/metrics`: the server's own counts, then what the process adds.
    pub(crate) fn exposition(&self, bytes_held: usize, gauges: &[Gauge]) -> String {
        let mut text = String::with_capacity(8 << 10);
        // Writing to memory does not fail.
        let _ = self.write(&mut text, bytes_held, gauges);
        text
    }

    fn write(&self, text: &mut String, bytes_held: usize, gauges: &[Gauge]) -> fmt::Result {
        self.write_requests(text)?;
        self.write_latencies(text)?;
        self.write_refused(text)?;
        self.write_traffic(text, bytes_held)?;
        gauges.iter().try_for_each(|gauge| write_gauge(text, gauge))
    }

    fn write_requests(&self, text: &mut String) -> fmt::Result {
        let name = "monotable_requests_total";
        write_head(
            text,
            name,
            "Requests by operation and outcome",
            GaugeKind::Counter,
        )?;
        for (operation, counts) in self.used() {
            let succeeded = counts.succeeded.load(Ordering::Relaxed);
            writeln!(
                text,
                "{name}{{operation=\"{operation}\",code=\"OK\"}} {succeeded}"
            )?;
        }
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        for ((operation, code), count) in errors.iter() {
            writeln!(
                text,
                "{name}{{operation=\"{operation}\",code=\"{code}\"}} {count}"
            )?;
        }
        Ok(())
    }

    fn write_latencies(&self, text: &mut String) -> fmt::Result {
        let name = "monotable_request_duration_seconds";
        write_head(
            text,
            name,
            "From the head of a request to its answer",
            GaugeKind::Histogram,
        )?;
        for (operation, counts) in self.used() {
            let mut all = 0;
            for (bound, count) in counts.latency.cumulative() {
                all = count;
                let bound = bound.map_or_else(|| "+Inf".to_owned(), |bound| bound.to_string());
                writeln!(
                    text,
                    "{name}_bucket{{operation=\"{operation}\",le=\"{bound}\"}} {count}"
                )?;
            }
            let seconds = counts.latency.seconds();
            writeln!(text, "{name}_sum{{operation=\"{operation}\"}} {seconds}")?;
            writeln!(text, "{name}_count{{operation=\"{operation}\"}} {all}")?;
        }
        Ok(())
    }

    fn write_refused(&self, text: &mut String) -> fmt::Result {
        let name = "monotable_refused_total";
        let help = "Requests and connections that reached no operation";
        write_head(text, name, help, GaugeKind::Counter)?;
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        for (reason, count) in refused.iter() {
            writeln!(text, "{name}{{reason=\"{reason}\"}} {count}")?;
        }
        Ok(())
    }

    fn write_traffic(&self, text: &mut String, bytes_held: usize) -> fmt::Result {
        use GaugeKind::{Counter, Gauge};
        let load = Ordering::Relaxed;
        let rows = [
            (
                "monotable_request_bytes_total",
                "Bytes of bodies received",
                Counter,
                self.bytes_in.load(load),
            ),
            (
                "monotable_response_bytes_total",
                "Bytes of bodies sent",
                Counter,
                self.bytes_out.load(load),
            ),
            (
                "monotable_connections_total",
                "Connections served",
                Counter,
                self.connections_accepted.load(load),
            ),
            (
                "monotable_connections_dismissed_total",
                "Connections closed to make room for others",
                Counter,
                self.connections_dismissed.load(load),
            ),
            (
                "monotable_connections_open",
                "Open connections",
                Gauge,
                self.connections.0.load(load),
            ),
            (
                "monotable_requests_in_flight",
                "Requests in progress",
                Gauge,
                self.in_flight.0.load(load),
            ),
            (
                "monotable_body_bytes_held",
                "Memory set aside for requests and answers",
                Gauge,
                bytes_held as u64,
            ),
        ];
        for (name, help, kind, value) in rows {
            write_head(text, name, help, kind)?;
            writeln!(text, "{name} {value}")?;
        }
        Ok(())
    }

    /// The operations that have been asked for.
    fn used(&self) -> impl Iterator<Item = (OperationName, &Operation)> {
        let all = OperationName::ALL.iter().copied().zip(&self.operations);
        all.filter(|(_, counts)| {
            counts
                .latency
                .cumulative()
                .last()
                .is_some_and(|(_, all)| *all > 0)
        })
    }
}

fn write_head(text: &mut String, name: &str, help: &str, kind: GaugeKind) -> fmt::Result {
    let kind = match kind {
        GaugeKind::Counter => "counter",
        GaugeKind::Gauge => "gauge",
        GaugeKind::Histogram => "histogram",
    };
    let help = help.replace('\\', "\\\\").replace('\n', "\\n");
    writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}")
}

fn write_gauge(text: &mut String, gauge: &Gauge) -> fmt::Result {
    write_head(text, &gauge.name, &gauge.help, gauge.kind)?;
    for sample in &gauge.samples {
        write!(text, "{}{}", gauge.name, sample.suffix)?;
        write_labels(text, &sample.labels)?;
        writeln!(text, " {}", sample.value)?;
    }
    Ok(())
}

fn write_labels(text: &mut String, labels: &[(String, String)]) -> fmt::Result {
    if labels.is_empty() {
        return Ok(());
    }
    for (index, (label, value)) in labels.iter().enumerate() {
        let before = if index == 0 { '{' } else { ',' };
        write!(text, "{before}{label}=\"{}\"", escaped(value))?;
    }
    text.write_char('}')
}

fn escaped(value: &str) -> String {
    value
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}

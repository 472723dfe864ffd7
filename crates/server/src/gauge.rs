//! What the process adds to `/metrics`.

/// A measurement of the process that the server does not know of itself, for example the size of the
/// store.
#[derive(Clone, Debug, PartialEq)]
pub struct Gauge {
    /// The name, in Prometheus' alphabet: `monotable_store_bytes`.
    pub name: String,
    /// One line about it.
    pub help: String,
    /// What may be done with the values.
    pub kind: GaugeKind,
    /// The values.
    pub samples: Vec<Sample>,
}

/// What Prometheus may do with the values of a [`Gauge`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GaugeKind {
    /// Only grows, until the process ends.
    Counter,
    /// Goes up and down.
    Gauge,
    /// Samples with the suffixes `_bucket` (label `le`, cumulative), `_sum` and `_count`.
    Histogram,
}

/// One value of a [`Gauge`].
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// What follows the gauge's name: empty but for histograms.
    pub suffix: &'static str,
    /// Labels and their values, which may be any text.
    pub labels: Vec<(String, String)>,
    /// The value.
    pub value: f64,
}

impl Gauge {
    /// A gauge without samples.
    pub fn new(name: impl Into<String>, help: impl Into<String>, kind: GaugeKind) -> Self {
        Self {
            name: name.into(),
            help: help.into(),
            kind,
            samples: Vec::new(),
        }
    }

    /// Adds a value without labels.
    #[must_use]
    pub fn value(mut self, value: f64) -> Self {
        self.samples.push(Sample {
            suffix: "",
            labels: Vec::new(),
            value,
        });
        self
    }

    /// Adds a value with one label.
    #[must_use]
    pub fn labelled(
        mut self,
        label: impl Into<String>,
        text: impl Into<String>,
        value: f64,
    ) -> Self {
        self.samples.push(Sample {
            suffix: "",
            labels: vec![(label.into(), text.into())],
            value,
        });
        self
    }

    /// Adds the samples of a histogram: pairs of an upper bound and the number of observations up to
    /// it that were above the bound before, then the sum of all observations. Observations above
    /// every bound have the bound [`f64::INFINITY`].
    #[must_use]
    pub fn histogram(mut self, buckets: impl IntoIterator<Item = (f64, u64)>, sum: f64) -> Self {
        let mut count = 0;
        for (bound, observations) in buckets {
            count += observations;
            if bound.is_finite() {
                self.push("_bucket", vec![("le".to_owned(), bound.to_string())], count);
            }
        }
        self.push("_bucket", vec![("le".to_owned(), "+Inf".to_owned())], count);
        self.samples.push(Sample {
            suffix: "_sum",
            labels: Vec::new(),
            value: sum,
        });
        self.push("_count", Vec::new(), count);
        self
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "Prometheus' values are floats; counts beyond 2^53 do not happen"
    )]
    fn push(&mut self, suffix: &'static str, labels: Vec<(String, String)>, value: u64) {
        self.samples.push(Sample {
            suffix,
            labels,
            value: value as f64,
        });
    }
}

//! Where sample data are: a file of operations, or a part of the program.

use super::Sample;
use crate::demo_models;
use crate::exit::Failure;
use std::path::Path;

/// The sample data of a model: those beside its file, or those of a demo model.
pub(crate) fn find_sample(model: &Path) -> Result<Sample, Failure> {
    let beside = model.with_file_name("sample.jsonl");
    let demo = model.to_str().and_then(demo_models::find);
    match demo {
        Some(demo) if !model.is_file() => {
            Sample::parse(format!("the sample data of {}", demo.name), &demo.sample)
        }
        _ if beside.exists() => read_sample(&beside),
        _ => Err(
            Failure::usage(format_args!("there is no {}", beside.display()))
                .help("name a file of operations, or have rows made up: --count 1000"),
        ),
    }
}

/// Whether a model has sample data.
pub(crate) fn has_sample(model: &Path) -> bool {
    let demo = model.to_str().and_then(demo_models::find);
    (demo.is_some() && !model.is_file()) || model.with_file_name("sample.jsonl").exists()
}

/// The operations of a file.
pub(crate) fn read_sample(file: &Path) -> Result<Sample, Failure> {
    let text = std::fs::read_to_string(file).map_err(|error| {
        Failure::other(format_args!("cannot read {}", file.display())).caused_by(&error)
    })?;
    Sample::parse(file.display().to_string(), &text)
}

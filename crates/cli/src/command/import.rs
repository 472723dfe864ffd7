//! `monotable import`: a model of a schema that another tool has.

use crate::command::verify::count;
use crate::destination;
use crate::exit::{Failure, done, note};
use crate::findings::{Findings, Tally};
use crate::model_file::{ModelFile, is_stdin};
use crate::output::print;
use clap::{Args, ValueEnum, ValueHint};
use monotable_import::{ImportError, Imported, Request, Source, import};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ monotable import schema.json --out imported.toml
  $ monotable import template.yaml --from cloudformation
  $ monotable import schema.json --table accounts --name accounts

From other programs:
  aws dynamodb describe-table --table-name Music | monotable import - --out model.toml
  node -e 'console.log(JSON.stringify(require(\"./schemas\")))' | monotable import - --from electrodb --out model.toml

Keys are written as the tool writes them, byte for byte. What a model cannot say is a comment at its place, and a note on
stderr. The model is checked, and its findings are those of the design that was imported.";

/// Make a model of a schema that another tool has
///
/// Reads data models of NoSQL Workbench, schemas of OneTable and ElectroDB as JSON, CloudFormation templates (JSON or YAML), and
/// the answer of DescribeTable.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Import {
    /// The file; - is stdin
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// Whose file it is [default: what it looks like]
    #[arg(long, value_name = "TOOL")]
    from: Option<Tool>,

    /// Write the model to this file, which must not be there yet [default: stdout]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<PathBuf>,

    /// The name of the model, if the file has none [default: the name of the file]
    #[arg(long)]
    name: Option<String>,

    /// The name of the table in DynamoDB, if the file has one table; schemas of OneTable do not say it
    #[arg(long)]
    table: Option<String>,
}

/// A tool whose files are read.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Tool {
    /// NoSQL Workbench for DynamoDB
    Workbench,
    /// OneTable
    Onetable,
    /// ElectroDB
    Electrodb,
    /// CloudFormation, also AWS SAM
    Cloudformation,
    /// The answer of DescribeTable
    DescribeTable,
}

impl From<Tool> for Source {
    fn from(tool: Tool) -> Self {
        match tool {
            Tool::Workbench => Self::Workbench,
            Tool::Onetable => Self::OneTable,
            Tool::Electrodb => Self::ElectroDb,
            Tool::Cloudformation => Self::CloudFormation,
            Tool::DescribeTable => Self::DescribeTable,
        }
    }
}

impl Import {
    pub(crate) fn run(self) -> Result<(), Failure> {
        refuse_overwriting(self.out.as_deref())?;
        let file = ModelFile::read(&self.file)?;
        let name = self.name.unwrap_or_else(|| name_model(&self.file));
        let request = Request {
            text: &file.text,
            source: self.from.map(Into::into),
            name: &name,
            table: self.table.as_deref(),
        };
        let imported = import(&request).map_err(|error| refuse(&file.name, error))?;
        for remark in &imported.remarks {
            note(format_args!("{}: {}", remark.place, remark.text));
        }
        let made = count_parts(&imported);
        let from = imported.source.to_string();
        write_model(
            self.out.as_deref(),
            imported.proof.text,
            &format!("{made}, from {from}"),
        )
    }
}

fn count_parts(imported: &Imported) -> String {
    format!(
        "{}, {} and {}",
        count(imported.tables as u64, "table"),
        plural(imported.entities, "entity", "entities"),
        count(imported.patterns as u64, "access pattern")
    )
}

fn plural(count: usize, one: &str, several: &str) -> String {
    let noun = if count == 1 { one } else { several };
    format!("{count} {noun}")
}

fn refuse(name: &str, error: ImportError) -> Failure {
    let failure = Failure::configuration(format_args!("cannot import {name}")).because(&error);
    match error.help {
        Some(help) => failure.help(help),
        None => failure,
    }
}

/// What a model is called after its file.
pub(crate) fn name_model(file: &Path) -> String {
    let stem = file.file_stem().and_then(|stem| stem.to_str());
    let stem = stem.filter(|_| !is_stdin(file)).unwrap_or("imported");
    stem.split('.').next().unwrap_or(stem).to_owned()
}

/// A model that is there may be somebody's work.
pub(crate) fn refuse_overwriting(out: Option<&Path>) -> Result<(), Failure> {
    match out {
        Some(out) if out.exists() => Err(Failure::configuration(format_args!(
            "{} is there already",
            out.display()
        ))
        .help("nothing was written; name another file")),
        _ => Ok(()),
    }
}

/// Writes a model and shows what the check says about it. A model with errors is written too, because they are the design's.
pub(crate) fn write_model(out: Option<&Path>, text: String, made: &str) -> Result<(), Failure> {
    match out {
        None => print(text.as_bytes())?,
        Some(out) => destination::write(out, text.as_bytes()).map_err(|error| {
            Failure::other(format_args!("cannot write {}", out.display())).caused_by(&error)
        })?,
    }
    let name = out.map_or_else(|| "the model".to_owned(), |out| out.display().to_string());
    let findings = Findings::of(ModelFile {
        name: name.clone(),
        text,
    });
    findings.show();
    let tally = Tally::of(&findings);
    if findings.usable().is_none() {
        return Err(Failure::configuration(tally)
            .help("the model is written; what is wrong is so in the design that it was made of"));
    }
    done(format_args!("{name}: {made}; {tally}"));
    Ok(())
}

//! `monotable generate`: typed clients of a model.

mod difference;

use crate::destination;
use crate::exit::{Failure, done, note};
use crate::findings::{Findings, Tally};
use crate::model_file::ModelFile;
use clap::{Args, Subcommand, ValueHint};
use difference::find_difference;
use monotable_codegen::{Command, Language};
use monotable_model::compiled::CompiledModel;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  $ monotable generate typescript model.toml --out db.ts
  $ monotable generate rust model.toml --out db.rs
  $ monotable generate --check db.ts db.rs         # for CI: exits with 1 if a file and its model differ";

/// Write a typed client of a model: one file with its types, its calls and the compiled model
///
/// The file depends on the model and on the command alone. Its first lines name the command, which --check runs again. A model with
/// errors makes no client: the errors are shown as `check` shows them.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub(crate) struct Generate {
    /// Compare generated files with what their models say today, and change nothing
    #[arg(long, value_name = "FILE", num_args = 1.., value_hint = ValueHint::FilePath)]
    check: Vec<PathBuf>,

    #[command(subcommand)]
    language: Option<Form>,
}

#[derive(Subcommand, Debug)]
enum Form {
    Typescript(TypeScript),
    Rust(Rust),
}

/// A client in TypeScript, over the npm package `monotable`
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
struct TypeScript {
    #[command(flatten)]
    files: Files,

    /// Read this integer as a bigint; it may be given several times
    #[arg(long, value_name = "ENTITY.ATTRIBUTE")]
    bigint: Vec<String>,
}

/// A client in Rust, over the crate `monotable-store`
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
struct Rust {
    #[command(flatten)]
    files: Files,
}

#[derive(Args, Debug)]
struct Files {
    /// The model: a file, or the name of a demo model
    #[arg(value_hint = ValueHint::FilePath)]
    model: PathBuf,

    /// Write the client to this file, whole or not at all
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: PathBuf,
}

impl Generate {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let command = match self.language {
            None => return check_files(&self.check),
            Some(Form::Typescript(form)) => {
                form.files.into_command(Language::TypeScript, form.bigint)?
            }
            Some(Form::Rust(form)) => form.files.into_command(Language::Rust, Vec::new())?,
        };
        let text = generate(&command)?;
        let (model, out) = (Path::new(&command.model), Path::new(&command.out));
        if destination::is_same(out, model) {
            let what = format_args!("--out {} is the model itself", out.display());
            return Err(Failure::usage(what));
        }
        destination::write(out, text.as_bytes()).map_err(|error| {
            Failure::other(format_args!("cannot write {}", out.display())).caused_by(&error)
        })?;
        done(format_args!(
            "generated {} of {}",
            command.out, command.model
        ));
        Ok(())
    }
}

impl Files {
    fn into_command(self, language: Language, bigint: Vec<String>) -> Result<Command, Failure> {
        let text = |path: PathBuf| {
            let name = path.into_os_string().into_string();
            name.map_err(|name| {
                let name = name.display();
                Failure::usage(format_args!(
                    "{name} is not UTF-8, and the generated file could not name it"
                ))
            })
        };
        Ok(Command {
            language,
            model: text(self.model)?,
            out: text(self.out)?,
            bigint,
        })
    }
}

/// The text of the file that a command makes.
fn generate(command: &Command) -> Result<String, Failure> {
    let findings = Findings::of(ModelFile::read(Path::new(&command.model))?);
    let tally = Tally::of(&findings);
    let Some(model) = findings.usable() else {
        findings.show();
        findings.note_other_kind();
        return Err(Failure::configuration(tally));
    };
    if tally.has_warnings() {
        note(format_args!("{tally}; `monotable check` shows them"));
    }
    let compiled = CompiledModel::new(model.clone());
    monotable_codegen::generate(&compiled, command).map_err(Failure::configuration)
}

/// Generates each file again, and compares it with what is there.
fn check_files(files: &[PathBuf]) -> Result<(), Failure> {
    for file in files {
        let name = file.display();
        let text = std::fs::read_to_string(file).map_err(|error| {
            Failure::configuration(format_args!("cannot read {name}")).caused_by(&error)
        })?;
        let command = Command::find_in(&text).ok_or_else(|| {
            Failure::usage(format_args!("{name} was not generated by monotable"))
                .because("its first two lines do not name the command that made it")
                .help("generate it with `monotable generate typescript model.toml --out FILE`")
        })?;
        let is_gone = !Path::new(&command.model).exists();
        let generated = generate(&command).map_err(|failure| {
            if is_gone {
                failure.help(format_args!(
                    "{name} names its model from the folder that it was generated in: run --check there"
                ))
            } else {
                failure
            }
        })?;
        if let Some(difference) = find_difference(&text, &generated) {
            return Err(Failure::violations(format_args!(
                "{name} is not what {} says today",
                command.model
            ))
            .because(difference)
            .help(format_args!(
                "run `monotable generate {}`",
                command.to_arguments()
            )));
        }
    }
    let count = files.len();
    let what = if count == 1 { "file is" } else { "files are" };
    done(format_args!("{count} {what} what the models say"));
    Ok(())
}

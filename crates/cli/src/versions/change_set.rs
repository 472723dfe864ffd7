//! What a commit changes: lines of a file or of stdin, and short forms on the command line.

use super::change_line::{self, Line};
use super::declared::Declared;
use super::short_forms::ShortForms;
use crate::exit::Failure;
use crate::input::Input;
use crate::model_file::is_stdin;
use crate::notation::Notation;
use crate::rows::ModelSource;
use monotable_model::model::Model;
use monotable_store::{AnyOperation, Commit, Create, Delete, Put, Update};
use std::io::{self, IsTerminal};
use std::path::Path;

/// How many bad lines are told one by one.
const MOST_PROBLEMS: usize = 20;

/// Everything that one call commits, beside what its repository is called.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChangeSet {
    /// Changes of the repository that the command line names.
    changes: Vec<Placed<AnyOperation>>,
    /// Commits of their own.
    commits: Vec<Placed<Commit>>,
}

/// Something, and the line it stands on; none on the command line.
#[derive(Clone, Debug)]
struct Placed<T> {
    line: Option<u64>,
    what: T,
}

impl ChangeSet {
    /// Reads the short forms, and a file or stdin. Stdin is read before a store is opened, because it may come from a
    /// command on the same store.
    pub(crate) fn read(
        short: &ShortForms,
        file: Option<&Path>,
        model: &ModelSource,
        notation: Notation,
    ) -> Result<Self, Failure> {
        let mut set = match input(short, file, model)? {
            Some(input) => Self::lines(input, notation)?,
            None => Self::default(),
        };
        let short = short.read(notation).map_err(Failure::usage)?;
        set.changes
            .extend(short.into_iter().map(|what| Placed { line: None, what }));
        Ok(set)
    }

    fn lines(mut input: Input, notation: Notation) -> Result<Self, Failure> {
        let mut set = Self::default();
        let mut problems = Vec::new();
        for given in input.items()? {
            let read = given.map_err(|problem| problem.to_string());
            let read = read.and_then(|given| {
                let line = Some(given.line);
                let told = |problem| format!("line {}: {problem}", given.line);
                Ok((
                    line,
                    change_line::read(&given.text, notation).map_err(told)?,
                ))
            });
            match read {
                Ok((line, Line::Change(what))) => set.changes.push(Placed { line, what }),
                Ok((line, Line::Commit(what))) => set.commits.push(Placed { line, what }),
                Err(problem) => problems.push(problem),
            }
        }
        refuse(problems, Failure::other).map(|()| set)
    }

    pub(super) fn has_changes(&self) -> bool {
        !self.changes.is_empty()
    }

    /// The commits of a call: that of the command line, if it names a repository, and those of the lines.
    pub(super) fn commits(
        &self,
        model: &Model,
        named: Option<Commit>,
    ) -> Result<Vec<Commit>, Failure> {
        let lines = self.changes.iter().map(|change| change.line);
        let is_typed = self.commits.is_empty() && lines.flatten().next().is_none();
        let kind = if is_typed {
            Failure::usage
        } else {
            Failure::other
        };
        refuse(self.problems(model, named.as_ref()), kind)?;
        let named = named.map(|mut commit| {
            let changes = self.changes.iter().map(|change| change.what.clone());
            commit.changes.extend(changes);
            commit
        });
        let lines = self.commits.iter().map(|commit| commit.what.clone());
        Ok(named.into_iter().chain(lines).collect())
    }

    /// What the model says about the entities, told by line.
    fn problems(&self, model: &Model, named: Option<&Commit>) -> Vec<String> {
        let nowhere = "a change of no repository: name one on the command line";
        let changes = self.changes.iter().filter_map(|change| match named {
            Some(commit) => change.told(stranger(model, &commit.repository, &change.what)?),
            None => change.told(nowhere.to_owned()),
        });
        let commits = self.commits.iter().filter_map(|commit| {
            let Commit {
                repository,
                changes,
                ..
            } = &commit.what;
            let mut changes = changes.iter();
            let problem = changes.find_map(|change| stranger(model, repository, change));
            commit.told(problem?)
        });
        changes.chain(commits).collect()
    }
}

impl<T> Placed<T> {
    fn told(&self, problem: String) -> Option<String> {
        Some(match self.line {
            Some(line) => format!("line {line}: {problem}"),
            None => problem,
        })
    }
}

/// What is wrong with the entity of a change. A repository that is not there is the store's to refuse.
fn stranger(model: &Model, repository: &str, change: &AnyOperation) -> Option<String> {
    let declared = Declared::named(model, repository)?;
    let (AnyOperation::Create(Create { entity, .. })
    | AnyOperation::Put(Put { entity, .. })
    | AnyOperation::Update(Update { entity, .. })
    | AnyOperation::Delete(Delete { entity, .. })) = change
    else {
        return None;
    };
    match declared.has(entity) {
        Some(true) => None,
        Some(false) => Some(format!("{entity} is not in the repository `{repository}`")),
        None => Some(format!("the model has no entity `{entity}`")),
    }
}

/// Where lines come from. Stdin is not waited for where changes are on the command line.
fn input(
    short: &ShortForms,
    file: Option<&Path>,
    model: &ModelSource,
) -> Result<Option<Input>, Failure> {
    match file {
        Some(file) if is_stdin(file) && model.is_stdin() => {
            Err(Failure::usage("stdin can be read only once"))
        }
        Some(file) if is_stdin(file) => Input::open(None, None).map(Some),
        Some(file) => Input::open(None, Some(file.to_owned())).map(Some),
        None if short.is_empty() && !model.is_stdin() && !io::stdin().is_terminal() => {
            Input::open(None, None).map(Some)
        }
        None => Ok(None),
    }
}

/// A bad change on the command line is a mistake of usage, a bad line is not.
fn refuse(mut problems: Vec<String>, kind: fn(String) -> Failure) -> Result<(), Failure> {
    let bad = problems.len();
    if bad == 0 {
        return Ok(());
    }
    problems.truncate(MOST_PROBLEMS);
    if bad > MOST_PROBLEMS {
        problems.push(format!("and {} more", bad - MOST_PROBLEMS));
    }
    let changes = if bad == 1 {
        "1 change"
    } else {
        &format!("{bad} changes")
    };
    let what = format!("{changes} cannot be committed; nothing was written");
    Err(problems.into_iter().fold(kind(what), Failure::because))
}

//! What a request asks of the store.

mod body;
mod methods;
mod pattern;
mod repository;

pub(crate) use methods::list_methods;
pub(crate) use pattern::name_parameter;

use crate::merge_patch::MergePatch;
use crate::precondition::Precondition;
use crate::problem::Problem;
use crate::query::QueryWords;
use crate::request::Request;
use crate::response::JSON_LINES;
use crate::surface::EntitySurface;
use crate::target::Target;
use body::{Assembly, read_row};
use http::Method;
use monotable_item::Item;
use monotable_model::model::Model;
use monotable_store::{
    AnyOperation, Attach, CheckSecret, Create, Delete, Detach, Get, Options, Put, Update, wire,
};

/// The media type of a merge patch (RFC 7396).
pub(crate) const MERGE_PATCH: &str = "application/merge-patch+json";

/// An operation with how it is to be carried out and answered.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) operation: AnyOperation,
    pub(crate) options: Options,
    pub(crate) mode: CallMode,
    pub(crate) precondition: Precondition,
    /// A merge patch whose objects are merged into what the row has; the operation is the update without them.
    pub(crate) patch: Option<MergePatch>,
    pub(crate) form: AnswerForm,
    /// Which parts of a trace the answer has.
    pub(crate) trace: Option<TraceParts>,
}

/// What a trace tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TraceParts {
    /// Every request with its cost.
    pub(crate) requests: bool,
    /// Every changed row with the reason.
    pub(crate) changes: bool,
}

impl TraceParts {
    /// Reads `requests, changes`; `1` is both.
    fn read(request: &Request) -> Result<Option<Self>, Problem> {
        let Some(text) = request.header("monotable-trace")? else {
            return Ok(None);
        };
        let words: Vec<&str> = text.split(',').map(str::trim).collect();
        let has = |wanted: &str| words.iter().any(|word| *word == wanted || *word == "1");
        let known = ["1", "requests", "changes"];
        if !words.iter().all(|word| known.contains(word)) {
            return Err(Problem::bad_request(format!(
                "the header `monotable-trace` is `{text}`; wanted is `requests`, `changes`, both, or `1`"
            )));
        }
        Ok(Some(Self {
            requests: has("requests"),
            changes: has("changes"),
        }))
    }
}

/// Whether a call is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallMode {
    /// The operation runs.
    Run,
    /// Only its reads are sent, and the answer lists all requests with their cost.
    Explain,
}

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnswerForm {
    /// As one JSON document.
    Json,
    /// A new row, whose address is told in a header.
    Created,
    /// One row on each line, page after page.
    Lines,
}

/// What an operation is made of beside its options.
struct Asked {
    operation: AnyOperation,
    patch: Option<MergePatch>,
    form: AnswerForm,
}

impl From<AnyOperation> for Asked {
    fn from(operation: AnyOperation) -> Self {
        Self {
            operation,
            patch: None,
            form: AnswerForm::Json,
        }
    }
}

impl Call {
    /// Reads a request for a target of a model.
    pub(crate) fn read(
        model: &Model,
        target: &Target<'_>,
        request: &Request,
    ) -> Result<Self, Problem> {
        let mut words = QueryWords::parse(&request.query)?;
        let mode = if words.take_flag("explain")? {
            CallMode::Explain
        } else {
            CallMode::Run
        };
        let expected = match words.take("expecting") {
            None => Item::new(),
            Some(text) => wire::read_item(&text).map_err(|error| {
                Problem::bad_request(format!(
                    "the parameter `expecting` is a JSON object of attributes and values: {error}"
                ))
            })?,
        };
        let options = Options {
            expected,
            token: request.header("idempotency-key")?.map(str::to_owned),
            consistent: words.take_flag("consistent")?,
            dry_run: words.take_flag("dry-run")?,
            ..Options::default()
        };
        let mut asked = ask(model, target, request, &mut words)?;
        words.finish()?;
        let trace = TraceParts::read(request)?;
        // A trace is told beside the whole answer, which lines are not.
        if request.accepts(JSON_LINES)
            && trace.is_none()
            && matches!(
                asked.operation,
                AnyOperation::Query(_) | AnyOperation::Log(_)
            )
        {
            asked.form = AnswerForm::Lines;
        }
        Ok(Self {
            operation: asked.operation,
            options,
            mode,
            precondition: Precondition::read(request)?,
            patch: asked.patch,
            trace,
            form: asked.form,
        })
    }
}

fn ask(
    model: &Model,
    target: &Target<'_>,
    request: &Request,
    words: &mut QueryWords,
) -> Result<Asked, Problem> {
    match target {
        Target::Rows(surface) if request.method == Method::POST => {
            let values = read_row(request)?;
            let entity = name_entity(surface);
            Ok(Asked {
                form: AnswerForm::Created,
                ..AnyOperation::from(Create { entity, values }).into()
            })
        }
        // A row whose key has no attributes has the address of its entity.
        Target::Rows(surface) => ask_row(surface, &Item::new(), request),
        Target::Row(surface, key) => ask_row(surface, key, request),
        Target::Secret(surface, key, attribute) => {
            let attribute = attribute.name.value.clone();
            let operation = CheckSecret {
                entity: name_entity(surface),
                key: key.clone(),
                attribute,
                text: body::read_secret(request)?,
            };
            Ok(AnyOperation::from(operation).into())
        }
        Target::Relations(surface) => {
            let values = read_row(request)?;
            let entity = name_entity(surface);
            Ok(Asked {
                form: AnswerForm::Created,
                ..AnyOperation::from(Attach { entity, values }).into()
            })
        }
        Target::Relation(surface, key) => {
            let key = key.clone();
            let entity = name_entity(surface);
            Ok(AnyOperation::from(Detach { entity, key }).into())
        }
        Target::Pattern(access) => Ok(pattern::read_query(access, words)?.into()),
        Target::Repository(repository, key, part) => {
            let asked = repository::read_part(repository, key, *part, request, words)?;
            Ok(asked.into())
        }
        Target::Move(declared) => {
            let assembly = Assembly::new(request)?;
            Ok(assembly.name("move", declared.name).finish()?.into())
        }
        Target::Carry(carry) => {
            let assembly = Assembly::new(request)?;
            Ok(assembly.name("carry", &carry.name.value).finish()?.into())
        }
        Target::Transactions => {
            let assembly = Assembly::new(request)?;
            Ok(assembly.rename("operations", "transact")?.finish()?.into())
        }
        Target::Commits => {
            let assembly = Assembly::new(request)?;
            Ok(assembly.rename("commits", "commit_all")?.finish()?.into())
        }
        Target::Purges => {
            let assembly = Assembly::new(request)?;
            Ok(assembly.rename("owner", "purge")?.finish()?.into())
        }
        Target::Operations => Ok(Assembly::new(request)?.finish()?.into()),
        Target::Page | Target::Document => Err(Problem::not_found(format!(
            "there is no operation at this address of the model `{}`",
            model.name
        ))),
    }
}

fn name_entity(surface: &EntitySurface<'_>) -> String {
    surface.entity.name.value.clone()
}

fn ask_row(surface: &EntitySurface<'_>, key: &Item, request: &Request) -> Result<Asked, Problem> {
    let entity = name_entity(surface);
    let key = key.clone();
    if request.method == Method::PATCH {
        return ask_change(surface, key, request);
    }
    let operation: AnyOperation = match request.method {
        Method::PUT => {
            let values = body::add_key(read_row(request)?, &key)?;
            Put { entity, values }.into()
        }
        Method::DELETE => Delete { entity, key }.into(),
        _ => Get { entity, key }.into(),
    };
    Ok(operation.into())
}

/// A change of a row: a merge patch, or what is set, unset, added and appended.
fn ask_change(surface: &EntitySurface<'_>, key: Item, request: &Request) -> Result<Asked, Problem> {
    let entity = name_entity(surface);
    let media_type = request.content_type()?;
    match media_type.as_deref() {
        Some(MERGE_PATCH) => {
            let patch = body::read_values(request)?;
            let (change, patch) = MergePatch::split(surface.entity, patch);
            let operation = Update {
                entity,
                key,
                change,
            };
            Ok(Asked {
                patch,
                ..AnyOperation::from(operation).into()
            })
        }
        Some(crate::response::JSON) => {
            let assembly = Assembly::new(request)?;
            Ok(assembly.name("update", &entity).key(&key).finish()?.into())
        }
        given => {
            let wanted =
                "application/merge-patch+json, or application/json with set, unset, add and append";
            Err(Problem::unsupported_media_type(given, wanted))
        }
    }
}

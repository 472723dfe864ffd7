//! Where the rows of an entity come from: an access pattern, or a scan that says what it costs.

use super::Chosen;
use crate::address::Link;
use crate::context::{Context, OpenModel};
use crate::recognition::{Recogniser, Role};
use crate::screen::patterns::sample_parameters;
use crate::value::{counted, parse_item, show_units, write_item};
use maud::{Markup, html};
use monotable_api::{DynamoExt, ScanInput};
use monotable_model::model::{Access, Mode, Way};
use monotable_rest::read_word;
use monotable_store::{AnyOperation, AnyOutput, Error, Explained, Options, Query, Row};

/// How addresses call a scan.
const SCAN: &str = "scan";
/// So many rows are read at once.
const ROWS: usize = 200;

/// Where the rows come from, and the rows.
pub(super) struct Source {
    /// The pattern; none for a scan or for nothing.
    pattern: Option<String>,
    parameters: Vec<(String, String)>,
    is_scan: bool,
    /// Values are wanted before anything is read.
    is_waiting: bool,
    rows: Vec<Row>,
    error: Option<Error>,
    requests: Vec<Explained>,
    /// Where these rows begin; none for the first ones.
    after: Option<String>,
    next: Option<String>,
}

impl Source {
    /// Reads the rows that the address asks for; without one, those of the first pattern that lists the entity.
    pub(super) async fn find(context: &Context<'_>, open: &OpenModel, chosen: &Chosen<'_>) -> Self {
        let mut source = Self {
            pattern: None,
            parameters: Vec::new(),
            is_scan: false,
            is_waiting: false,
            rows: Vec::new(),
            error: None,
            requests: Vec::new(),
            after: context.words.filled("cursor").map(str::to_owned),
            next: None,
        };
        let patterns = list_patterns(open, chosen);
        let from = context.words.filled("from");
        let named = from.and_then(|from| {
            patterns
                .iter()
                .copied()
                .find(|access| access.name.value == from)
        });
        // A list that exists and costs one request is shown at once. A table of this machine is scanned for nothing.
        let first = patterns
            .iter()
            .copied()
            .find(|access| can_run(open, access));
        let is_free = open.census.is_taken;
        match named.or(first.filter(|_| from.is_none() && is_free)) {
            Some(access) => source.run(context, open, access).await,
            None if open.is_program && (from == Some(SCAN) || (from.is_none() && is_free)) => {
                source.scan(context, open, chosen).await
            }
            // Where reading costs money, the reader says what is to be read.
            None => {
                if let Some(access) = patterns.first() {
                    source.ask(access);
                }
            }
        }
        source
    }

    /// Asks for the values of a pattern before anything is sent.
    fn ask(&mut self, access: &Access) {
        self.is_waiting = true;
        self.pattern = Some(access.name.value.clone());
        let names = access.parameters.iter();
        let names = names.filter(|parameter| parameter.mode == Mode::Plain);
        self.parameters = names
            .map(|parameter| (parameter.name.clone(), String::new()))
            .collect();
    }

    async fn run(&mut self, context: &Context<'_>, open: &OpenModel, access: &Access) {
        let given: Vec<(String, String)> = context
            .words
            .under("p.")
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        self.pattern = Some(access.name.value.clone());
        self.parameters = if given.is_empty() {
            sample_parameters(open, access).unwrap_or_default()
        } else {
            given
        };
        let is_given = |name: &str| self.parameters.iter().any(|(known, _)| known == name);
        let mut required = access.parameters.iter();
        if required.any(|parameter| parameter.mode == Mode::Plain && !is_given(&parameter.name)) {
            return self.ask(access);
        }
        let kind = |name: &str| {
            access
                .parameters
                .iter()
                .find(|parameter| parameter.name == name)
                .map(|parameter| &parameter.kind)
        };
        let parameters = self
            .parameters
            .iter()
            .map(|(name, value)| (name.clone(), read_word(kind(name), name, value.clone())));
        let query = Query {
            pattern: access.name.value.clone(),
            parameters: parameters.collect(),
            limit: (!access.one).then_some(ROWS),
            after: self.after.clone(),
            descending: None,
        };
        let trace = open
            .store
            .trace(AnyOperation::Query(query), Options::default())
            .await;
        self.requests = trace.requests;
        match trace.outcome {
            Ok(AnyOutput::Page(page)) => {
                self.rows = page.rows;
                self.next = page.cursor;
            }
            Ok(_) => {}
            Err(error) => self.error = Some(error),
        }
    }

    async fn scan(&mut self, context: &Context<'_>, open: &OpenModel, chosen: &Chosen<'_>) {
        self.is_scan = true;
        let recogniser = Recogniser::new(&open.store);
        let mut after = self.after.as_deref().and_then(parse_item);
        // A scan reads what is not shown, so it ends when a screen is full.
        while self.rows.len() < ROWS {
            let input = ScanInput {
                table_name: Some(open.model().table(chosen.entity.table).physical.clone()),
                exclusive_start_key: after.take().map(Into::into),
                limit: Some(1000),
                ..ScanInput::default()
            };
            let Ok(page) = context.bench.dynamo().scan(input).await else {
                break;
            };
            let items = page
                .items
                .unwrap_or_default()
                .into_iter()
                .map(|item| item.to_item());
            let found =
                items.filter_map(
                    |item| match recogniser.recognise(chosen.entity.table, &item) {
                        Role::Row(row) if row.entity == chosen.name() => Some(row),
                        _ => None,
                    },
                );
            self.rows.extend(found);
            match page.last_evaluated_key {
                None => {
                    self.next = None;
                    break;
                }
                Some(last) => {
                    let last = last.to_item();
                    self.next = Some(write_item(&last));
                    after = Some(last);
                }
            }
        }
    }

    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub(super) const fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    pub(super) fn requests(&self) -> &[Explained] {
        &self.requests
    }

    pub(super) const fn is_asked(&self) -> bool {
        !self.is_waiting && (self.pattern.is_some() || self.is_scan)
    }

    /// The address of the rows that are shown: of the same page, if there are several.
    pub(super) fn here(&self, open: &OpenModel, chosen: &Chosen<'_>) -> Link {
        let link = self.address(open, chosen);
        link.with_some("cursor", self.after.as_deref())
    }

    /// The address of this entity with the first rows of this source.
    fn address(&self, open: &OpenModel, chosen: &Chosen<'_>) -> Link {
        let link = open.link(&["entities", chosen.name()]);
        let from = self.pattern.as_deref().or(self.is_scan.then_some(SCAN));
        let link = link.with_some("from", from);
        self.parameters.iter().fold(link, |link, (name, value)| {
            link.with(&format!("p.{name}"), value)
        })
    }

    /// The address of the next rows.
    pub(super) fn next(&self, open: &OpenModel, chosen: &Chosen<'_>) -> Option<Link> {
        let next = self.next.as_deref()?;
        Some(self.address(open, chosen).with("cursor", next))
    }

    /// A line that says where the rows come from, and offers other sources.
    pub(super) fn show(
        &self,
        _context: &Context<'_>,
        open: &OpenModel,
        chosen: &Chosen<'_>,
    ) -> Markup {
        let patterns = list_patterns(open, chosen);
        let (read, _) = crate::part::requests::total(&self.requests);
        html! {
            form class="row wrap" method="get" action=(open.link(&["entities", chosen.name()])) {
                @for (name, value) in open.carried() { input type="hidden" name=(name) value=(value); }
                label for="from" class="mute" { "Rows from" }
                select class="in auto" id="from" name="from" data-submit {
                    @for access in &patterns {
                        option value=(access.name.value) selected[self.pattern.as_deref() == Some(access.name.value.as_str())] { (access.name.value) }
                    }
                    @if open.is_program { option value=(SCAN) selected[self.is_scan] { "a scan of the table" } }
                }
                @for (name, value) in &self.parameters {
                    label class="row" { span class="mute" { (name) } input class="in mono short" name={ "p." (name) } value=(value) autocomplete="off"; }
                }
                @if !self.parameters.is_empty() || self.is_waiting { button class="btn s" type="submit" { "Show" } }
                span class="faint sm" {
                    @if self.is_scan && open.census.is_taken { "No request of the model lists these rows: a scan reads all " (counted(open.census.items, "item")) "." }
                    @else if self.is_scan { "A scan reads the table from its beginning until " (ROWS) " rows are found." }
                    @else if self.is_waiting { "Nothing was read yet." }
                    @else if self.pattern.is_some() { (show_units(read)) (if (read - 1.0).abs() < f64::EPSILON { " read unit." } else { " read units." }) }
                }
            }
        }
    }
}

/// Whether a pattern needs no values, or some exist.
fn can_run(open: &OpenModel, access: &Access) -> bool {
    let mut parameters = access.parameters.iter();
    let needs_none = parameters.all(|parameter| parameter.mode != Mode::Plain);
    needs_none || sample_parameters(open, access).is_some()
}

/// The patterns that return rows of the entity, those that return nothing else first.
fn list_patterns<'m>(open: &'m OpenModel, chosen: &Chosen<'_>) -> Vec<&'m Access> {
    let model = open.model();
    let lists = model.patterns().map(|(_, access)| access).filter(|access| {
        let is_plain = access
            .parameters
            .iter()
            .all(|parameter| parameter.mode != Mode::Open || !parameter.name.is_empty());
        access.returns.contains(&chosen.id)
            && is_plain
            && !matches!(access.way, Way::Diff(_) | Way::Resolve(_))
    });
    let mut patterns: Vec<&Access> = lists.collect();
    patterns.sort_by_key(|access| (access.one, access.returns.len(), access.parameters.len()));
    patterns
}

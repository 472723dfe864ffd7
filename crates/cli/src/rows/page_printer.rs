//! Prints the rows of an access pattern, and apart from them those that they refer to.

use super::page_document::PageDocument;
use super::paging::PageSink;
use crate::exit::Failure;
use crate::notation::Notation;
use crate::output::{Form, OutputArguments, Printer, note_lost_types, print};
use crate::versions::Declared;
use monotable_item::{EncodedItem, Item};
use monotable_model::model::{EntityId, Model};
use monotable_store::{Page, Row};

/// Where a row of a pattern with several entities tells its own. No attribute of a model is called so.
pub(crate) const ENTITY: &str = "@entity";

pub(super) struct PagePrinter {
    layout: Layout,
    output: OutputArguments,
    notation: Notation,
    leading: Vec<String>,
    /// Rows of several entities say which.
    is_mixed: bool,
    followed: Vec<Row>,
    dangling: Vec<String>,
}

enum Layout {
    /// One document, and whether a value in it has lost its type.
    Document(PageDocument, bool),
    Lines(Printer),
    Tables(Printer),
}

impl PagePrinter {
    /// For the rows of a pattern.
    pub(super) fn of_pattern(
        model: &Model,
        pattern: &str,
        output: OutputArguments,
        notation: Notation,
    ) -> Self {
        let returns = model
            .pattern_named(pattern)
            .map(|(_, access)| access.returns.as_slice());
        Self::new(model, returns.unwrap_or_default(), output, notation)
    }

    /// For the revisions of a repository.
    pub(super) fn of_log(
        model: &Model,
        repository: &str,
        output: OutputArguments,
        notation: Notation,
    ) -> Self {
        let declared = Declared::named(model, repository);
        let log = declared.map(|known| known.repository.log);
        Self::new(model, log.as_slice(), output, notation)
    }

    fn new(
        model: &Model,
        entities: &[EntityId],
        output: OutputArguments,
        notation: Notation,
    ) -> Self {
        let entities: Vec<_> = entities.iter().map(|id| model.entity(*id)).collect();
        let is_mixed = entities.len() > 1;
        let mut leading = vec![ENTITY.to_owned()];
        for name in entities.iter().flat_map(|entity| entity.key_attributes()) {
            if !leading.iter().any(|known| known == name) {
                leading.push(name.to_owned());
            }
        }
        let printer = || output.printer(notation, leading.clone());
        let layout = match output.form(notation) {
            Form::Json => Layout::Document(PageDocument::default(), false),
            Form::Jsonl => Layout::Lines(printer()),
            Form::Table => Layout::Tables(printer()),
        };
        Self {
            layout,
            notation,
            leading,
            is_mixed,
            output,
            followed: Vec::new(),
            dangling: Vec::new(),
        }
    }
}

/// An item of a collection that the model does not know.
fn unknown(values: Item) -> EncodedItem {
    let entity = "unknown".to_owned();
    shown(&Row { entity, values }, true)
}

impl PageSink for PagePrinter {
    /// Prints the rows of a page, and keeps what they refer to.
    fn page(&mut self, page: Page) -> Result<(), Failure> {
        let rows: Vec<EncodedItem> = page
            .rows
            .iter()
            .map(|row| shown(row, self.is_mixed))
            .chain(page.unknown.into_iter().map(unknown))
            .collect();
        // A row that several pages refer to comes once.
        for row in page.followed {
            if !self.followed.contains(&row) {
                self.followed.push(row);
            }
        }
        for dangling in page.dangling {
            if !self.dangling.contains(&dangling) {
                self.dangling.push(dangling);
            }
        }
        match &mut self.layout {
            Layout::Document(document, has_lost_types) => {
                *has_lost_types |= rows.iter().any(|row| !self.notation.keeps(row));
                let mut text = Vec::new();
                document.rows(&mut text, &rows, self.notation)?;
                print(&text)
            }
            Layout::Lines(printer) | Layout::Tables(printer) => printer.page(&rows),
        }
    }

    /// Prints the rest.
    fn finish(self, cursor: Option<&str>) -> Result<(), Failure> {
        let Self {
            layout,
            output,
            notation,
            leading,
            followed,
            dangling,
            ..
        } = self;
        match layout {
            Layout::Document(document, has_lost_types) => {
                let followed: Vec<_> = followed.iter().map(|row| shown(row, true)).collect();
                let mut text = Vec::new();
                document.end(&mut text, &followed, &dangling, cursor, notation)?;
                print(&text)?;
                if has_lost_types || followed.iter().any(|row| !notation.keeps(row)) {
                    note_lost_types();
                }
                Ok(())
            }
            Layout::Lines(mut printer) => {
                printer.page(&lines(&followed, &dangling))?;
                printer.finish()
            }
            Layout::Tables(printer) => {
                printer.finish()?;
                if !followed.is_empty() {
                    print(b"\nFollowed:\n")?;
                    let rows: Vec<_> = followed.iter().map(|row| shown(row, true)).collect();
                    let mut printer = output.printer(notation, leading);
                    printer.page(&rows)?;
                    printer.finish()?;
                }
                for dangling in dangling {
                    print(
                        format!(
                            "\nReferred to and not there: {}\n",
                            crate::output::visible(&dangling)
                        )
                        .as_bytes(),
                    )?;
                }
                Ok(())
            }
        }
    }
}

fn shown(row: &Row, with_entity: bool) -> EncodedItem {
    if with_entity {
        EncodedItem::from(row.values.clone().with(ENTITY, row.entity.clone()))
    } else {
        EncodedItem::from(&row.values)
    }
}

/// What is not a row of the pattern, so that no line can be taken for one.
fn lines(followed: &[Row], dangling: &[String]) -> Vec<EncodedItem> {
    let followed = followed.iter().map(|row| {
        let row = row.values.clone().with(ENTITY, row.entity.clone());
        Item::new().with("@followed", row)
    });
    let dangling = dangling
        .iter()
        .map(|text| Item::new().with("@dangling", text.as_str()));
    followed.chain(dangling).map(EncodedItem::from).collect()
}

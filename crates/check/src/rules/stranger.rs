//! M001: exactly which entities a pattern can return.

use super::subject::{RowKind, RowShape, shown_key};
use super::{Condition, Report, Subject, witness};
use monotable_language::{Clash, Verdict, meet};
use monotable_model::diagnostic::{Code, Diagnostic, Edit, Severity};
use monotable_model::model::{
    Access, AccessId, EntityId, Key, Layout, Mode, Part, TableId, Template,
};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    for (id, access, table, key, condition) in subject.conditions() {
        let query = Query {
            subject,
            id,
            access,
            table,
            key,
            condition: &condition,
        };
        query.check_strangers(report);
        query.check_returned(report);
    }
}

struct Query<'a, 'm> {
    subject: &'a Subject<'m>,
    id: AccessId,
    access: &'a Access,
    table: TableId,
    key: &'a Key,
    condition: &'a Condition,
}

impl Query<'_, '_> {
    fn verdict(&self, row: &RowShape<'_>) -> Verdict<Clash> {
        meet(&self.condition.patterns, &row.patterns)
    }

    fn check_strangers(&self, report: &mut Report) {
        for row in self.subject.rows_at(self.table, self.key.place) {
            let expected = self.access.returns.contains(&row.entity)
                || self.access.drops.contains(&row.entity);
            // A guard is never returned, whoever's it is.
            if expected && !matches!(row.kind, RowKind::Guard(_)) {
                continue;
            }
            match self.verdict(row) {
                Verdict::Proven => {}
                Verdict::Refuted(clash) => {
                    match witness::row(row, &clash.right, &self.subject.vocabulary) {
                        Some(values) => report.access(self.id, self.stranger(row, &clash, &values)),
                        None => report.access(
                            self.id,
                            self.unproven(row, "no row was found that shows it"),
                        ),
                    }
                }
                Verdict::NotProven(reason) => report.access(self.id, self.unproven(row, &reason)),
            }
        }
    }

    fn stranger(&self, row: &RowShape<'_>, clash: &Clash, values: &witness::Values) -> Diagnostic {
        let name = self.subject.name(row);
        let message = format!("`{}` can also return {name}", self.access.name.value);
        let found = Diagnostic::new(Code::StrangerInQuery, self.access.span, message)
            .label(self.subject.span(row), format!("{name} can have such a key"))
            .example("key", shown_key(&clash.texts))
            .example(&name, witness::shown(values))
            .help("close the condition so that it does not match, or name the entity in `returns` or `drops`");
        self.fix(row, &name, found)
    }

    /// Offers the beginning of the sort key that all returned rows share, and the entity among what is returned.
    fn fix(&self, row: &RowShape<'_>, name: &str, mut found: Diagnostic) -> Diagnostic {
        if let Some(beginning) = self.find_beginning() {
            // The span of a template is what stands between its quotes.
            let behind = self.key.hash.span.end + 1;
            let edit = Edit::insert(behind, format!(", \"{beginning}\""));
            found = found.fix(format!("Close it with `{beginning}`"), edit);
        }
        if row.kind == RowKind::Main {
            let path = ["access", &self.access.name.value, "returns"];
            let edit = Edit::Append {
                path: path.map(str::to_owned).into(),
                text: name.to_owned(),
            };
            found = found.fix(format!("Return {name} as well"), edit);
        }
        found
    }

    /// The condition on the sort key that all returned entities meet: the text that their sort keys begin with. None if
    /// there is a condition already.
    fn find_beginning(&self) -> Option<String> {
        if self.key.range.is_some() {
            return None;
        }
        let mut returned = self.access.returns.iter().map(|id| {
            let template = self.subject.model.entity(*id).key(self.key.place)?;
            match template.range.as_ref()?.parts.as_slice() {
                [Part::Literal(text)] => Some(text.value.clone()),
                [Part::Literal(text), ..] => Some(format!("{}*", text.value)),
                _ => None,
            }
        });
        let first = returned.next()??;
        returned
            .all(|other| other.as_ref() == Some(&first))
            .then_some(first)
    }

    fn unproven(&self, row: &RowShape<'_>, reason: &str) -> Diagnostic {
        let name = self.subject.name(row);
        let message = format!(
            "it is not proven that `{}` never returns {name}: {reason}",
            self.access.name.value
        );
        Diagnostic::new(Code::StrangerInQuery, self.access.span, message)
            .severity(Severity::Warning)
            .label(self.subject.span(row), format!("the key of {name}"))
    }

    /// Every entity it says it returns can be there.
    fn check_returned(&self, report: &mut Report) {
        for id in &self.access.returns {
            if !self.can_return(*id) {
                let entity = self.subject.model.entity(*id);
                let message = format!(
                    "`{}` can never return {}",
                    self.access.name.value, entity.name.value
                );
                let diagnostic = Diagnostic::new(Code::StrangerInQuery, self.access.span, message)
                    .label(entity.span, "it has no key that the condition matches")
                    .help("compare the condition with the entity's key in that table or index");
                report.access(self.id, diagnostic);
            }
        }
    }

    fn can_return(&self, id: EntityId) -> bool {
        let layout = self.access.layout.as_ref().map(|name| name.value.as_str());
        self.subject.rows_at(self.table, self.key.place).any(|row| {
            let right_kind = match (row.kind, layout) {
                (RowKind::Main, None) => true,
                (RowKind::Layout(own), Some(wanted)) => own == wanted,
                // Kept apart from what it is returned with, by the layout that is written: its old rows are met.
                (RowKind::Layout(own), None) => {
                    own == Layout::DECLARED && self.subject.model.entity(id).table != self.table
                }
                _ => false,
            };
            let met = || self.is_written_alike(row) || !self.verdict(row).is_proven();
            row.entity == id && right_kind && met()
        })
    }

    /// Whether the condition is the entity's own template, or the beginning of it: then it matches for sure, and
    /// there is no need to look for a key.
    fn is_written_alike(&self, row: &RowShape<'_>) -> bool {
        let is_alike = |(asked, own): (&Template, &Template)| {
            if !asked.open_end {
                return asked.text == own.text;
            }
            let prefix = asked.text.trim_end_matches('*');
            asked.fields().all(|field| field.mode == Mode::Plain) && own.text.starts_with(prefix)
        };
        let (asked, own) = (self.key, row.key);
        let sort = asked.sort_templates().count() <= own.sort_templates().count()
            && (asked.sort_templates().zip(own.sort_templates())).all(is_alike);
        let mut partition = asked.partition_templates().zip(own.partition_templates());
        sort && partition.all(|(asked, own)| asked.text == own.text)
    }
}

//! The model as the rules see it: every key that can be in a table, as patterns.

use super::satisfiable::narrowed;
use monotable_language::{Language, Pattern};
use monotable_model::model::{
    Access, AccessId, EntityId, Guard, Key, KeyPlace, Mode, Model, TableId, Template, Way,
};
use monotable_model::shape::{Variables, Vocabulary, pattern, with_tenant};
use monotable_model::span::Span;

/// A model, and the shapes of everything stored in its tables.
pub(crate) struct Subject<'m> {
    pub(crate) model: &'m Model,
    pub(crate) vocabulary: Vocabulary<'m>,
    pub(crate) rows: Vec<RowShape<'m>>,
}

/// The keys of one kind of row at one place.
pub(crate) struct RowShape<'m> {
    pub(crate) kind: RowKind<'m>,
    pub(crate) entity: EntityId,
    pub(crate) table: TableId,
    pub(crate) place: KeyPlace,
    pub(crate) key: &'m Key,
    /// Partition and sort key: one for each attribute of the key.
    pub(crate) patterns: Vec<Pattern>,
    pub(crate) variables: Variables,
}

impl RowShape<'_> {
    /// The partition key: one pattern for each of its attributes.
    pub(crate) fn partition(&self) -> &[Pattern] {
        let partition = self.patterns.get(..self.key.partition_count());
        partition.unwrap_or_default()
    }
}

/// What kind of row it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowKind<'m> {
    /// As the entity writes it.
    Main,
    /// As an old or other layout has it.
    Layout(&'m str),
    /// The guard of a claim.
    Guard(&'m str),
}

/// A key condition as patterns.
pub(crate) struct Condition {
    /// Partition and sort key, one for each attribute of the key; the sort key may end in anything.
    pub(crate) patterns: Vec<Pattern>,
    pub(crate) variables: Variables,
}

impl<'m> Subject<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        let mut subject = Self {
            model,
            vocabulary: Vocabulary::of(model),
            rows: Vec::new(),
        };
        let mut rows = Vec::new();
        for (id, entity) in model.stored() {
            for key in &entity.keys {
                rows.push(subject.shape(RowKind::Main, id, entity.table, key));
            }
            for layout in &entity.layouts {
                for key in &layout.keys {
                    rows.push(subject.shape(
                        RowKind::Layout(&layout.name.value),
                        id,
                        layout.table,
                        key,
                    ));
                }
            }
            for claim in &entity.claims {
                if let Guard::Row { key, kind, .. } = &claim.guard {
                    rows.push(subject.shape(RowKind::Guard(kind), id, entity.table, key));
                }
            }
        }
        subject.rows = rows;
        subject
    }

    fn shape(
        &self,
        kind: RowKind<'m>,
        entity: EntityId,
        table: TableId,
        key: &'m Key,
    ) -> RowShape<'m> {
        let mut variables = Variables::default();
        if let Some(when) = &key.when {
            for (attribute, language) in narrowed(self.model.entity(entity), when) {
                variables.narrow(&attribute, language);
            }
        }
        let mut patterns = Vec::new();
        for (position, template) in key.templates().enumerate() {
            let shown = pattern(template, entity.index(), &self.vocabulary, &mut variables);
            let prefix = self
                .vocabulary
                .tenant_prefix()
                .filter(|_| position == 0 && !key.global);
            patterns.push(with_tenant(&shown, prefix, &mut variables));
        }
        RowShape {
            kind,
            entity,
            table,
            place: key.place,
            key,
            patterns,
            variables,
        }
    }

    /// The rows that stand in a table or index.
    pub(crate) fn rows_at(
        &self,
        table: TableId,
        place: KeyPlace,
    ) -> impl Iterator<Item = &RowShape<'m>> {
        let at = move |row: &&RowShape<'m>| row.table == table && row.place == place;
        self.rows.iter().filter(at)
    }

    /// A pattern's key condition; None if it has none.
    fn condition(&self, access: &'m Access) -> Option<(TableId, &'m Key, Condition)> {
        let (table, key) = match &access.way {
            Way::Get { table, key } | Way::Query { table, key } => (*table, key.as_ref()),
            _ => return None,
        };
        let mut variables = Variables::default();
        let mut patterns = Vec::new();
        for (position, template) in key.partition_templates().enumerate() {
            let shown = self.condition_pattern(template, access, true, &mut variables);
            let prefix = self.vocabulary.tenant_prefix();
            let prefix = prefix.filter(|_| position == 0 && !key.global);
            patterns.push(with_tenant(&shown, prefix, &mut variables));
        }
        // What is not asked for may be anything.
        let mut asked = key.sort_templates();
        for _ in self.model.table(table).sort_attributes(key.place) {
            patterns.push(match asked.next() {
                Some(template) => self.condition_pattern(template, access, false, &mut variables),
                None => Pattern::default().anything(),
            });
        }
        Some((
            table,
            key,
            Condition {
                patterns,
                variables,
            },
        ))
    }

    /// A template of a condition. In a partition a range asks for one value after the other.
    fn condition_pattern(
        &self,
        template: &Template,
        access: &Access,
        partition: bool,
        variables: &mut Variables,
    ) -> Pattern {
        let mut shown = Pattern::default();
        for part in &template.parts {
            match part {
                monotable_model::model::Part::Literal(text) => shown = shown.literal(&text.value),
                monotable_model::model::Part::Field(field)
                    if field.mode == Mode::Plain || partition =>
                {
                    let language = self.parameter_language(field, access);
                    shown = shown.variable(variables.of_field(field), &language);
                }
                // From here on anything may follow: it is left out, begun or a range.
                monotable_model::model::Part::Field(_) => return shown.anything(),
            }
        }
        if template.open_end {
            shown.anything()
        } else {
            shown
        }
    }

    /// What a parameter may be: whatever one of the returned entities has there.
    fn parameter_language(
        &self,
        field: &monotable_model::model::Field,
        access: &Access,
    ) -> Language {
        let known = access.returns.iter().filter(|id| {
            let mut names = field.attributes();
            names.all(|name| self.vocabulary.attribute(id.index(), &name.value).is_some())
        });
        let languages = known
            .map(|id| monotable_model::shape::field_language(field, id.index(), &self.vocabulary));
        let union = languages.reduce(|all, language| all.union(&language));
        union.unwrap_or_else(|| {
            monotable_model::shape::field_language(field, usize::MAX, &self.vocabulary)
        })
    }

    /// The name of a kind of row, for messages.
    pub(crate) fn name(&self, row: &RowShape<'_>) -> String {
        let entity = &self.model.entity(row.entity).name.value;
        match row.kind {
            RowKind::Main => entity.clone(),
            RowKind::Layout(layout) => format!("{entity} (layout {layout})"),
            RowKind::Guard(kind) => format!("the guard {kind}"),
        }
    }

    /// A place to point to for a kind of row.
    pub(crate) fn span(&self, row: &RowShape<'_>) -> Span {
        if row.key.implied {
            self.model.entity(row.entity).span
        } else {
            row.key.span
        }
    }

    /// Every pattern that is a key condition.
    pub(crate) fn conditions(
        &self,
    ) -> impl Iterator<Item = (AccessId, &'m Access, TableId, &'m Key, Condition)> {
        self.model.patterns().filter_map(|(id, access)| {
            let (table, key, condition) = self.condition(access)?;
            Some((id, access, table, key, condition))
        })
    }
}

/// The key as people write it: `(USER#a, PERSON#b)`.
pub(crate) fn shown_key(texts: &[String]) -> String {
    match texts {
        [only] => format!("\"{only}\""),
        texts => {
            let texts: Vec<_> = texts.iter().map(|text| format!("\"{text}\"")).collect();
            format!("({})", texts.join(", "))
        }
    }
}

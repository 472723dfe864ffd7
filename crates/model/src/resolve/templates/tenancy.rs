//! What concerns the model as a whole: isolation, tenants, the layout that is written, times to live.

use super::Checker;
use crate::diagnostic::{Code, Findings};
use crate::model::{Kind, Root, Source};

impl Checker<'_> {
    /// What concerns the model as a whole.
    pub(super) fn tenancy(&self, findings: &mut Findings) {
        for template in self
            .model
            .isolation
            .iter()
            .flat_map(|isolation| &isolation.partitions)
        {
            for source in template.fields().flat_map(|field| &field.sources) {
                match source {
                    Source::Path {
                        root: Some(Root::Principal),
                        names,
                        ..
                    } if names.len() == 1 => {
                        if let Some(name) = names.first() {
                            self.known(
                                name,
                                "attribute of the principal",
                                &self.model.principal,
                                findings,
                            );
                        }
                    }
                    Source::Path { span, .. } | Source::Nothing(span) => {
                        findings.error(
                            Code::UnknownName,
                            *span,
                            "a partition is told by what is known of the caller: `{principal.x}`",
                        );
                    }
                    Source::Literal(_) => {}
                }
            }
        }
        if let Some(tenant) = self
            .model
            .tenant
            .as_ref()
            .filter(|tenant| tenant.prefix.is_constant())
        {
            findings.error(
                Code::BadTemplate,
                tenant.prefix.span,
                "the prefix does not show the tenant's id: all tenants would be one",
            );
        }
        for (position, table) in self.model.tables.iter().enumerate() {
            let Some(ttl) = &table.ttl else { continue };
            let in_table = |entity: &&crate::model::Entity| {
                entity.table.index() == position
                    || entity
                        .layouts
                        .iter()
                        .any(|layout| layout.table.index() == position)
            };
            let has = |entity: &crate::model::Entity| {
                entity.attributes.iter().any(|attribute| {
                    attribute.stored == ttl.value && matches!(attribute.kind, Kind::Epoch)
                })
            };
            if !self.model.entities.iter().filter(in_table).any(has) {
                let message = format!(
                    "no entity of `{}` has an attribute `{}` of type `epoch`",
                    table.name.value, ttl.value
                );
                findings.error(Code::UnknownName, ttl.span, message);
            }
        }
    }
}

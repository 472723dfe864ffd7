//! M022: names that DynamoDB refuses.

use super::{Report, Subject};
use monotable_model::diagnostic::{Code, Diagnostic};
use monotable_model::model::{Environment, Model, Projection, Table, is_table_name};
use monotable_model::span::Name;

/// The most bytes of the name of an attribute that a key or a projection names.
const MAX_KEY_NAME_BYTES: usize = 255;

/// The most bytes of the name of any attribute.
const MAX_NAME_BYTES: usize = 65_535;

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    let model = subject.model;
    for table in &model.tables {
        check_name("table", &table.physical, &table.name, report);
        for index in &table.indexes {
            check_name("index", &index.physical, &index.name, report);
        }
        for name in key_names(table) {
            check_length(name, MAX_KEY_NAME_BYTES, "a key", report);
        }
        for index in &table.indexes {
            if let Projection::Include(names) = &index.projection {
                for name in names {
                    let name = Name::new(name.clone(), index.name.span);
                    check_length(&name, MAX_KEY_NAME_BYTES, "a projection", report);
                }
            }
        }
    }
    for environment in &model.environments {
        check_environment(model, environment, report);
    }
    for (id, entity) in model.stored() {
        for attribute in &entity.attributes {
            if attribute.stored.len() > MAX_NAME_BYTES {
                let message = format!(
                    "the name of an attribute has {} bytes; DynamoDB allows {MAX_NAME_BYTES}",
                    attribute.stored.len()
                );
                report.entity(
                    id,
                    Diagnostic::new(Code::RefusedName, attribute.span, message),
                );
            }
        }
    }
}

/// The attributes of all keys of a table.
fn key_names(table: &Table) -> impl Iterator<Item = &Name> {
    std::iter::once(&table.hash)
        .chain(&table.range)
        .chain(table.index_attributes())
}

fn check_name(what: &str, physical: &str, declared: &Name, report: &mut Report) {
    if is_table_name(physical) {
        return;
    }
    let message = format!(
        "DynamoDB refuses the name `{physical}` of the {what}: it has 3 to 255 letters, digits, `_`, `.` or `-`"
    );
    let diagnostic = Diagnostic::new(Code::RefusedName, declared.span, message);
    report.model(diagnostic.help("give it another name in DynamoDB: `name = \"...\"`"));
}

/// A name is made of the prefix, so it is judged as a whole.
fn check_environment(model: &Model, environment: &Environment, report: &mut Report) {
    for (id, table) in model.tables() {
        let physical = environment.name_table(id, &table.physical);
        // What is wrong without the environment has been said.
        if is_table_name(&physical) || physical == table.physical {
            continue;
        }
        let own = environment.tables.iter().find(|named| named.table == id);
        let declared = own.map(|named| &named.physical);
        let declared = declared.or(environment.table_prefix.as_ref());
        let span = declared.map_or(environment.span, |name| name.span);
        let message = format!(
            "DynamoDB refuses the name `{physical}` of the table `{}` in the environment `{}`: it has 3 to 255 letters, \
             digits, `_`, `.` or `-`",
            table.name.value, environment.name.value
        );
        report.model(Diagnostic::new(Code::RefusedName, span, message));
    }
}

fn check_length(name: &Name, most: usize, place: &str, report: &mut Report) {
    if name.value.len() <= most {
        return;
    }
    let bytes = name.value.len();
    let message =
        format!("the name of an attribute in {place} has {bytes} bytes; DynamoDB allows {most}");
    report.model(Diagnostic::new(Code::RefusedName, name.span, message));
}

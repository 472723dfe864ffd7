//! M009: many rows in few partitions. One partition takes about a thousand writes a second.

use super::subject::RowKind;
use super::{Report, Subject};
use monotable_model::diagnostic::{Code, Diagnostic};
use monotable_model::model::{KeyPlace, Volume};
use monotable_model::shape::{Variables, pattern};

/// Partitions that are few.
const FEW: usize = 32;

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    for row in subject.rows.iter().filter(|row| row.kind == RowKind::Main) {
        let entity = subject.model.entity(row.entity);
        if entity.volume != Volume::High {
            continue;
        }
        let mut variables = Variables::default();
        let entity_index = row.entity.index();
        let mut language = |template| {
            pattern(template, entity_index, &subject.vocabulary, &mut variables).language()
        };
        let languages: Vec<_> = row.key.partition_templates().map(&mut language).collect();
        let counts = languages.iter().map(|language| language.count(FEW));
        let partitions: Option<usize> = counts.product();
        let Some(partitions) = partitions.filter(|partitions| *partitions <= FEW) else {
            continue;
        };
        let place = match row.place {
            KeyPlace::Primary => "the table".to_owned(),
            KeyPlace::Index(index) => {
                let index = subject.model.table(row.table).indexes.get(index);
                index.map_or_else(String::new, |index| format!("`{}`", index.name.value))
            }
        };
        let many = if partitions == 1 {
            "one partition"
        } else {
            "a few partitions"
        };
        let message = format!(
            "`{}` has many rows, and all stand in {many} of {place}",
            entity.name.value
        );
        let words = languages.iter().flat_map(|language| language.words(3));
        let sample = words.collect::<Vec<_>>().join("\", \"");
        let diagnostic = Diagnostic::new(Code::HotPartition, row.key.hash.span, message)
            .example("partition keys", format!("\"{sample}\""))
            .help("put something that varies into the partition key: a day, an id, or `{id:shard(8)}`");
        report.entity(row.entity, diagnostic);
    }
}

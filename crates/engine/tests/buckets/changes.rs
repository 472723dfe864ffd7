//! Exports of what has changed in a period.

use crate::{ARN, BUCKET, NOW, TABLE, World, cases};
use flate2::read::GzDecoder;
use monotable_api::{
    DeleteItemInput, ExportDescription, ExportStatus, ExportTableToPointInTimeInput, ExportType,
    ExportViewType, FilterSpecification, IncrementalExportSpecification, Timestamp,
};
use monotable_item::Item;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Read;
use std::time::Duration;

const MINUTE: u64 = 60_000;

/// The text of each item, by its number.
type State = BTreeMap<u32, String>;

fn changes(from: u64, to: Option<u64>, view: ExportViewType) -> ExportTableToPointInTimeInput {
    ExportTableToPointInTimeInput {
        export_type: Some(ExportType::IncrementalExport.into()),
        incremental_export_specification: Some(IncrementalExportSpecification {
            export_from_time: Some(Timestamp::from_millis(from)),
            export_to_time: to.map(Timestamp::from_millis),
            export_view_type: Some(view.into()),
        }),
        s3_prefix: Some("daily".into()),
        ..ExportTableToPointInTimeInput::new(ARN, BUCKET)
    }
}

/// The lines of an export, by the number of their item.
fn lines(world: &World, export: &ExportDescription) -> BTreeMap<u32, Value> {
    assert_eq!(export.export_status, Some(ExportStatus::Completed));
    let manifest = world.read(export.export_manifest.as_ref().unwrap());
    let manifest: Value = serde_json::from_slice(&manifest).unwrap();
    let files = world.read(manifest["manifestFilesS3Key"].as_str().unwrap());
    let mut lines = BTreeMap::new();
    for file in String::from_utf8(files).unwrap().lines() {
        let file: Value = serde_json::from_str(file).unwrap();
        let key = file["dataFileS3Key"].as_str().unwrap();
        assert!(key.starts_with("daily/AWSDynamoDB/data/"), "{key}");
        let mut text = String::new();
        let packed = world.read(key);
        GzDecoder::new(packed.as_slice())
            .read_to_string(&mut text)
            .unwrap();
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let number = line["Keys"]["id"]["N"].as_str().unwrap();
            assert!(
                lines
                    .insert(number.parse().unwrap(), line.clone())
                    .is_none()
            );
        }
    }
    assert_eq!(manifest["itemCount"], lines.len());
    lines
}

fn image(number: u32, text: &str) -> Value {
    json!({"id": {"N": number.to_string()}, "text": {"S": text}, "bytes": {"B": "AAH/"}})
}

/// What became of an item, as a line of an export shows it.
fn line(number: u32, old: Option<&String>, new: Option<&String>, time: u64) -> Value {
    let micros = (time * 1000).to_string();
    let mut line = json!({
        "Metadata": {"WriteTimestampMicros": {"N": micros}},
        "Keys": {"id": {"N": number.to_string()}},
    });
    if let Some(old) = old {
        line["OldImage"] = image(number, old);
    }
    if let Some(new) = new {
        line["NewImage"] = image(number, new);
    }
    line
}

fn delete(world: &World, number: u32) {
    let key = Item::new().with("id", number);
    let delete = DeleteItemInput::new(TABLE, key);
    world.engine.delete_item(delete).unwrap();
}

#[test]
fn changes_are_written_with_both_images_or_one() {
    let world = World::open();
    world.load(4);
    world.clock.advance(Duration::from_secs(60));
    let from = NOW + MINUTE;
    world.put(1, "second");
    world.put(1, "third");
    delete(&world, 2);
    world.put(7, "new");
    world.put(8, "for a moment");
    delete(&world, 8);
    world.clock.advance(Duration::from_secs(15 * 60));
    // The end is not part of the period.
    let to = from + 15 * MINUTE;
    world.put(3, "later");
    world.put(1, "later");
    let both = world.export(changes(from, Some(to), ExportViewType::NewAndOldImages));
    let (first, third, new) = ("first".into(), "third".into(), "new".into());
    assert_eq!(
        lines(&world, &both),
        BTreeMap::from([
            (1, line(1, Some(&first), Some(&third), from)),
            (2, line(2, Some(&first), None, from)),
            (7, line(7, None, Some(&new), from)),
        ])
    );
    let one = world.export(changes(from, Some(to), ExportViewType::NewImage));
    assert_eq!(
        lines(&world, &one),
        BTreeMap::from([
            (1, line(1, None, Some(&third), from)),
            (2, line(2, None, None, from)),
            (7, line(7, None, Some(&new), from)),
        ])
    );
    // The filter looks at what an item has become, and at what a deleted one was.
    let filter = FilterSpecification::default()
        .filter("#text IN (:first, :new)")
        .projection("#text")
        .name("#text", "text")
        .value(":first", "first")
        .value(":new", "new");
    let filtered = world.export(ExportTableToPointInTimeInput {
        filter_specification: Some(filter),
        ..changes(from, Some(to), ExportViewType::NewAndOldImages)
    });
    let mut gone = line(2, Some(&first), None, from);
    gone["OldImage"] = json!({"text": {"S": "first"}});
    let mut added = line(7, None, Some(&new), from);
    added["NewImage"] = json!({"text": {"S": "new"}});
    assert_eq!(
        lines(&world, &filtered),
        BTreeMap::from([(2, gone), (7, added)])
    );
    assert_eq!(one.export_time, None);
    let told = one.incremental_export_specification.unwrap();
    assert_eq!(told.export_from_time, Some(Timestamp::from_millis(from)));
    assert_eq!(told.export_to_time, Some(Timestamp::from_millis(to)));
    let manifest = world.read(&both.export_manifest.unwrap());
    let manifest: Value = serde_json::from_slice(&manifest).unwrap();
    assert_eq!(manifest["version"], "2023-08-01");
    assert_eq!(manifest["exportType"], "INCREMENTAL_EXPORT");
    assert_eq!(manifest["outputView"], "NEW_AND_OLD_IMAGES");
    assert_eq!(manifest["exportFromTime"], "2025-11-18T12:01:00.500Z");
    assert_eq!(manifest["exportToTime"], "2025-11-18T12:16:00.500Z");
    assert_eq!(manifest.get("exportTime"), None);
}

#[test]
fn a_period_is_as_long_as_periods_are() {
    let world = World::open();
    world.load(1);
    world.clock.advance(Duration::from_secs(48 * 3600));
    let view = ExportViewType::NewImage;
    let hour = 60 * MINUTE;
    for (from, to, words) in [
        (NOW, Some(NOW + 15 * MINUTE - 1), "less than 15 minutes"),
        (NOW, Some(NOW + 24 * hour + 1), "more than 24 hours"),
        (NOW, None, "more than 24 hours"),
        (NOW + hour, Some(NOW), "less than 15 minutes"),
        (
            NOW - MINUTE,
            Some(NOW + hour),
            "Incremental export period from time cannot be less than the table creation time : 2025-11-18T11:59:00Z",
        ),
        (NOW - 1, Some(NOW + hour), "Export Time is invalid"),
        (
            NOW + 47 * hour + 1,
            Some(NOW + 48 * hour + 1),
            "Incremental export period to time cannot be greater than the current time : 2025-11-20T12:00:00Z",
        ),
    ] {
        let refused = world
            .engine
            .export_table_to_point_in_time(changes(from, to, view));
        let refused = refused.unwrap_err().to_string();
        assert!(
            refused.starts_with("InvalidExportTimeException: "),
            "{refused}"
        );
        assert!(refused.contains(words), "{refused}");
    }
    world.export(changes(NOW + 47 * hour, None, view));
}

/// Random changes; every export must lead from the state before its period to that at its end.
#[test]
fn an_export_leads_from_one_state_to_another() {
    for seed in 0..u64::from(cases::cases(8)) {
        let mut dice = fastrand::Rng::with_seed(seed);
        let world = World::open();
        world.load(5);
        let mut state: State = (0..5).map(|number| (number, "first".to_owned())).collect();
        // The states in the order of time, each with the time from which on it held.
        let mut states = vec![(NOW, state.clone())];
        let mut written: Vec<(u64, u32)> = Vec::new();
        let mut now = NOW;
        for step in 0..60 {
            let pause = dice.u64(0..4 * MINUTE);
            world.clock.advance(Duration::from_millis(pause));
            now += pause;
            let number = dice.u32(0..8);
            if dice.u8(0..3) == 0 {
                delete(&world, number);
                if state.remove(&number).is_none() {
                    continue;
                }
            } else {
                let text = format!("step {step}");
                world.put(number, &text);
                state.insert(number, text);
            }
            written.push((now, number));
            states.push((now, state.clone()));
        }
        let before = |time: u64| {
            let found = states.iter().rev().find(|(since, _)| *since < time);
            &found.unwrap_or(&states[0]).1
        };
        for _ in 0..3 {
            let from = dice.u64(NOW + 1..now - 15 * MINUTE);
            let to = dice.u64(from + 15 * MINUTE..=now);
            let export = world.export(changes(from, Some(to), ExportViewType::NewAndOldImages));
            let mut expected = BTreeMap::new();
            for (time, number) in &written {
                let (old, new) = (before(from).get(number), before(to).get(number));
                if (from..to).contains(time) && (old.is_some() || new.is_some()) {
                    expected.insert(*number, line(*number, old, new, *time));
                }
            }
            assert_eq!(lines(&world, &export), expected, "seed {seed}");
        }
    }
}

//! Regions: each has data of its own, in memory and on disk, and begins when it is asked for.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use monotable_api::{
    Chosen, CreateBackupInput, CreateTableInput, DescribeTableInput, Error, GetItemInput,
    GetRecordsInput, GetShardIteratorInput, ListExportsInput, ListTablesInput, PutItemInput,
    ScalarAttributeType, ScanInput, ShardIteratorType, StreamSpecification, StreamViewType,
    UpdateTimeToLiveInput,
};
use monotable_api::{DescribeStreamInput, TableDescription};
use monotable_engine::{
    Clock, Engine, EngineOptions, ManualClock, OpenError, RegionError, RegionName, Regions,
};
use monotable_item::{Item, Number};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

const MOST: usize = 4;
const NOW: u64 = 1_763_467_200;

fn region(name: &str) -> RegionName {
    RegionName::parse(name).unwrap()
}

fn open(path: &Path, most: usize) -> Result<Regions, RegionError> {
    Regions::open(path, EngineOptions::new(), most)
}

fn make(regions: &Regions, name: &str) -> Engine {
    regions.find_or_make(&region(name)).unwrap()
}

fn create_table(engine: &Engine) -> TableDescription {
    let table = CreateTableInput::new("Sessions", "id", ScalarAttributeType::S);
    let table = CreateTableInput {
        stream_specification: Some(StreamSpecification {
            stream_enabled: Some(true),
            stream_view_type: Some(Chosen::Known(StreamViewType::NewImage)),
        }),
        ..table
    };
    let created = engine.create_table(table).unwrap();
    created.table_description.unwrap()
}

fn put(engine: &Engine, id: &str, expires: u64) {
    let item = Item::new()
        .with("id", id)
        .with("expires", Number::from(expires));
    engine
        .put_item(PutItemInput::new("Sessions", item))
        .unwrap();
}

fn count(engine: &Engine) -> u64 {
    engine.scan(ScanInput::new("Sessions")).unwrap().count
}

fn tables(engine: &Engine) -> usize {
    let listed = engine.list_tables(ListTablesInput::default()).unwrap();
    listed.table_names.len()
}

/// What holds of regions wherever they are.
fn check_separation(regions: &Regions) {
    let (frankfurt, ohio) = (make(regions, "eu-central-1"), make(regions, "us-east-2"));
    create_table(&frankfurt);
    put(&frankfurt, "a", NOW);
    assert_eq!(tables(&ohio), 0);
    create_table(&ohio);
    put(&ohio, "b", NOW);
    put(&ohio, "c", NOW);
    assert_eq!((count(&frankfurt), count(&ohio)), (1, 2));
    assert_eq!(tables(&make(regions, RegionName::LOCAL)), 0);
    let again = regions.find(&region("us-east-2")).unwrap();
    assert_eq!(count(&again), 2);
    let names: Vec<_> = regions.all().into_iter().map(|(name, _)| name).collect();
    assert_eq!(
        names,
        [region("eu-central-1"), region("local"), region("us-east-2")]
    );
}

#[test]
fn regions_have_data_of_their_own() {
    check_separation(&Regions::in_memory(EngineOptions::new(), MOST).unwrap());
    let folder = tempfile::tempdir().unwrap();
    check_separation(&open(folder.path(), MOST).unwrap());
    // And again when they are opened again.
    let regions = open(folder.path(), MOST).unwrap();
    assert_eq!(regions.all().len(), 3);
    assert_eq!(count(&make(&regions, "eu-central-1")), 1);
    assert_eq!(count(&make(&regions, "us-east-2")), 2);
}

#[test]
fn arns_and_records_name_the_region() {
    let regions = Regions::in_memory(EngineOptions::new(), MOST).unwrap();
    let engine = make(&regions, "ap-south-1");
    let begin = "arn:aws:dynamodb:ap-south-1:000000000000:table/Sessions";
    let table = create_table(&engine);
    assert_eq!(table.table_arn.as_deref(), Some(begin));
    let stream = table.latest_stream_arn.unwrap();
    assert!(stream.starts_with(&format!("{begin}/stream/")), "{stream}");
    let backup = engine.create_backup(CreateBackupInput {
        table_name: Some("Sessions".into()),
        backup_name: Some("before".into()),
    });
    let backup = backup.unwrap().backup_details.unwrap().backup_arn.unwrap();
    assert!(backup.starts_with(&format!("{begin}/backup/")), "{backup}");
    put(&engine, "a", NOW);
    let describe = DescribeStreamInput {
        stream_arn: Some(stream.clone()),
        ..DescribeStreamInput::default()
    };
    let described = engine.describe_stream(describe).unwrap();
    let described = described.stream_description.unwrap();
    assert_eq!(described.stream_arn.as_deref(), Some(stream.as_str()));
    let shard = described.shards.unwrap().remove(0);
    let iterator = GetShardIteratorInput {
        stream_arn: Some(stream),
        shard_id: shard.shard_id,
        shard_iterator_type: Some(Chosen::Known(ShardIteratorType::TrimHorizon)),
        ..GetShardIteratorInput::default()
    };
    let iterator = engine.get_shard_iterator(iterator).unwrap().shard_iterator;
    let records = engine.get_records(GetRecordsInput {
        shard_iterator: iterator,
        ..GetRecordsInput::default()
    });
    let record = records.unwrap().records.remove(0);
    assert_eq!(record.aws_region.as_deref(), Some("ap-south-1"));
}

#[test]
fn the_store_itself_is_the_local_region() {
    let folder = tempfile::tempdir().unwrap();
    {
        let engine = Engine::open(folder.path()).unwrap();
        create_table(&engine);
        put(&engine, "a", NOW);
    }
    {
        let regions = open(folder.path(), MOST).unwrap();
        assert_eq!(count(&make(&regions, "local")), 1);
        create_table(&make(&regions, "eu-west-1"));
    }
    // A store with regions is still a store, and so is each region.
    assert_eq!(count(&Engine::open(folder.path()).unwrap()), 1);
    let region = folder.path().join("regions/eu-west-1");
    assert_eq!(tables(&Engine::open(region).unwrap()), 1);
}

#[test]
fn items_expire_in_a_region_that_nobody_asks_for() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::at(Duration::from_secs(NOW)));
    let options = || {
        let clock: Arc<dyn Clock> = Arc::<ManualClock>::clone(&clock);
        EngineOptions::new().clock(clock)
    };
    {
        let regions = Regions::open(folder.path(), options(), MOST).unwrap();
        for name in ["eu-west-1", "eu-west-2"] {
            let engine = make(&regions, name);
            create_table(&engine);
            let enable = UpdateTimeToLiveInput::enable("Sessions", "expires");
            engine.update_time_to_live(enable).unwrap();
            put(&engine, "goes", NOW + 10);
            put(&engine, "stays", NOW + 1_000);
        }
    }
    clock.advance(Duration::from_secs(60));
    let regions = Regions::open(folder.path(), options(), MOST).unwrap();
    for (name, engine) in regions.all() {
        if name.as_str() == RegionName::LOCAL {
            continue;
        }
        for _ in 0..2_000 {
            if count(&engine) == 1 {
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(count(&engine), 1, "{name}");
    }
}

#[test]
fn there_are_only_so_many_regions() {
    let folder = tempfile::tempdir().unwrap();
    let regions = open(folder.path(), 2).unwrap();
    make(&regions, "eu-west-1");
    let refused = regions.find_or_make(&region("eu-west-2")).unwrap_err();
    assert!(
        matches!(refused, RegionError::TooMany { most: 2, .. }),
        "{refused:?}"
    );
    assert!(refused.to_string().contains("--regions=MOST"), "{refused}");
    let told = Error::from(refused);
    assert!(
        matches!(told, Error::ValidationException { .. }),
        "{told:?}"
    );
    assert!(!folder.path().join("regions/eu-west-2").exists());
    make(&regions, "eu-west-1");
    drop(regions);
    let refused = open(folder.path(), 1).unwrap_err();
    assert!(
        matches!(
            refused,
            RegionError::Crowded {
                found: 2,
                most: 1,
                ..
            }
        ),
        "{refused:?}"
    );
    drop(open(folder.path(), 2).unwrap());
}

#[test]
fn what_is_no_region_is_not_taken_for_one() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path(), MOST).unwrap());
    let inside = folder.path().join("regions");
    for stranger in ["Backup of May", "local", "eu-west-1.old"] {
        std::fs::create_dir_all(inside.join(stranger)).unwrap();
        let refused = open(folder.path(), MOST).unwrap_err();
        assert!(
            matches!(&refused, RegionError::Stranger { path } if path.ends_with(stranger)),
            "{refused:?}"
        );
        std::fs::remove_dir(inside.join(stranger)).unwrap();
    }
    std::fs::write(inside.join("eu-west-1"), "a file").unwrap();
    assert!(open(folder.path(), MOST).is_err());
    assert_eq!(std::fs::read(inside.join("eu-west-1")).unwrap(), b"a file");
}

#[test]
fn a_second_process_is_kept_away_from_all_regions() {
    let folder = tempfile::tempdir().unwrap();
    let regions = open(folder.path(), MOST).unwrap();
    let refused = open(folder.path(), MOST).unwrap_err();
    assert!(
        matches!(refused, RegionError::Open(OpenError::Locked { .. })),
        "{refused:?}"
    );
    regions.close();
    let closed = regions.find_or_make(&region("eu-west-1")).unwrap_err();
    assert!(matches!(closed, RegionError::Closed), "{closed:?}");
    drop(open(folder.path(), MOST).unwrap());
}

/// What a crash leaves at each moment of making a region: a folder, a lock, the mark, half of the data.
#[test]
fn a_region_that_was_being_made_is_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path(), MOST).unwrap());
    let half = folder.path().join("regions/eu-west-1");
    let moments: [&[&str]; 4] = [
        &[],
        &["LOCK"],
        &["LOCK", "CREATING"],
        &["LOCK", "CREATING", "NOTED", "data/0.jnl", "FORMAT.new"],
    ];
    for left in moments {
        std::fs::create_dir_all(&half).unwrap();
        for file in left {
            let file = half.join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "").unwrap();
        }
        let regions = open(folder.path(), MOST).unwrap();
        let engine = make(&regions, "eu-west-1");
        create_table(&engine);
        put(&engine, "a", NOW);
        regions.close();
        drop((regions, engine));
        let regions = open(folder.path(), MOST).unwrap();
        assert_eq!(count(&make(&regions, "eu-west-1")), 1, "{left:?}");
        drop(regions);
        std::fs::remove_dir_all(&half).unwrap();
    }
}

/// Many that ask for a region at once get one data set.
#[test]
fn a_region_is_made_once() {
    let folder = tempfile::tempdir().unwrap();
    let regions = open(folder.path(), MOST).unwrap();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| make(&regions, "eu-west-1"));
        }
    });
    create_table(&make(&regions, "eu-west-1"));
    let found = regions.find(&region("eu-west-1")).unwrap();
    let input = DescribeTableInput::new("Sessions");
    assert!(found.describe_table(input).unwrap().table.is_some());
    assert_eq!(regions.all().len(), 2);
}

#[test]
fn a_table_of_another_region_is_not_the_one_of_that_name_here() {
    let regions = Regions::in_memory(EngineOptions::new(), MOST).unwrap();
    let (west, east) = (make(&regions, "eu-west-1"), make(&regions, "us-east-1"));
    for region in [&west, &east] {
        let table = CreateTableInput::new("Music", "pk", ScalarAttributeType::S);
        region.create_table(table).unwrap();
    }
    let arn = |region: &str| format!("arn:aws:dynamodb:{region}:000000000000:table/Music");
    let item = || Item::new().with("pk", "a");
    let put = |engine: &Engine, table: String| engine.put_item(PutItemInput::new(table, item()));
    put(&west, arn("eu-west-1")).unwrap();
    let refused = put(&east, arn("eu-west-1")).unwrap_err();
    assert_eq!(
        refused.to_string(),
        format!(
            "ValidationException: 1 validation error detected: Invalid AWS region in '{}'",
            arn("eu-west-1")
        )
    );
    let read = GetItemInput::new(arn("eu-west-1"), item());
    east.get_item(read).unwrap_err();
    let count = |engine: &Engine| engine.scan(ScanInput::new("Music")).unwrap().count;
    assert_eq!((count(&west), count(&east)), (1, 0));
    let exports = ListExportsInput {
        table_arn: Some(arn("eu-west-1")),
        ..ListExportsInput::default()
    };
    assert_eq!(east.list_exports(exports).unwrap().export_summaries, []);
}

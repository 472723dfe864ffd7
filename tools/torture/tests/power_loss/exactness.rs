use crate::under_shim::Disk;

const SCRIPTS: u64 = 20;
const COMMANDS: usize = 60;

/// A file as the process sees it, and as the disk has it.
#[derive(Default)]
struct Model {
    seen: Vec<u8>,
    synced: Vec<u8>,
}

impl Model {
    fn write(&mut self, offset: usize, text: &str) {
        let end = offset + text.len();
        self.seen.resize(self.seen.len().max(end), 0);
        self.seen[offset..end].copy_from_slice(text.as_bytes());
    }

    /// Does something to the file; returns the command that does the same to the real one.
    fn step(&mut self, name: &str, random: &mut fastrand::Rng) -> String {
        let text = "abcdefghijklmnopqrstuvwxyz"
            .get(..random.usize(1..26))
            .unwrap();
        let offset = random.usize(0..60);
        match random.u8(0..10) {
            0..5 => {
                self.write(offset, text);
                format!("write {name} {offset} {text}")
            }
            5..7 => {
                self.seen.resize(offset, 0);
                format!("resize {name} {offset}")
            }
            7 => {
                self.seen.clear();
                format!("empty {name}")
            }
            _ => {
                self.synced = self.seen.clone();
                format!("sync {name}")
            }
        }
    }
}

#[test]
fn after_a_power_cut_every_byte_is_as_last_synced() {
    for seed in 0..SCRIPTS {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut models = [Model::default(), Model::default()];
        let mut commands = vec!["create 0".to_owned(), "create 1".to_owned()];
        for _ in 0..COMMANDS {
            let name = random.usize(0..models.len());
            commands.push(models[name].step(&name.to_string(), &mut random));
        }
        let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
        let mut disk = Disk::new();
        disk.lose_all_unsynced(&commands);
        assert_eq!(
            disk.content("0"),
            models[0].synced,
            "seed {seed}: {commands:?}"
        );
        assert_eq!(
            disk.content("1"),
            models[1].synced,
            "seed {seed}: {commands:?}"
        );
    }
}

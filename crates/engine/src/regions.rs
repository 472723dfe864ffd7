//! Regions as data sets: an engine for each region that is asked for.
//!
//! On disk the store's own directory is the data set of the region `local`, which is also what it is where nobody asks
//! for regions. Every other region is a whole store, in the folder `regions/NAME` of that directory: with a lock, a format,
//! a journal and a crash of its own. What makes a store crash safe makes each of them so, and each can be opened by itself.
//!
//! A region begins with the first request for it. All that are on disk are opened at once when the store is: their
//! items expire and their streams are trimmed whether anybody asks for them or not.

mod fault;

pub use fault::RegionError;

use crate::engine::Engine;
use crate::options::EngineOptions;
use crate::region_name::RegionName;
use crate::store::{OpenError, make_private_directory};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The folder of a store that has the folders of its regions.
const FOLDER: &str = "regions";

/// The data sets of all regions. An engine that it gives out is a handle on the region's data set.
#[derive(Debug)]
pub struct Regions {
    options: EngineOptions,
    place: Place,
    most: usize,
    /// None once they are closed. Held for no longer than a look: requests wait for it.
    engines: RwLock<Option<BTreeMap<RegionName, Engine>>>,
    /// Held while a region is made, which takes many syncs.
    making: Mutex<()>,
}

/// Where data sets are.
#[derive(Debug)]
enum Place {
    Memory,
    /// The store's own directory.
    Directory(PathBuf),
}

impl Regions {
    /// Opens a store with all of its regions, of which there may be this many with the store's own; makes the store if there is none.
    pub fn open(
        path: impl AsRef<Path>,
        options: EngineOptions,
        most: usize,
    ) -> Result<Self, RegionError> {
        let path = path.as_ref();
        // The store's own data comes first: its lock keeps other processes away from all regions.
        let regions = Self::start(Place::Directory(path.to_owned()), options, most)?;
        let names = list_folders(&path.join(FOLDER))?;
        let found = names.len() + 1;
        if found > most {
            let path = path.join(FOLDER);
            return Err(RegionError::Crowded { path, found, most });
        }
        for name in names {
            regions.find_or_make(&name)?;
        }
        Ok(regions)
    }

    /// Regions in memory, of which there may be this many.
    pub fn in_memory(options: EngineOptions, most: usize) -> Result<Self, RegionError> {
        Self::start(Place::Memory, options, most)
    }

    fn start(place: Place, options: EngineOptions, most: usize) -> Result<Self, RegionError> {
        let regions = Self {
            options,
            place,
            most: most.max(1),
            engines: RwLock::new(Some(BTreeMap::new())),
            making: Mutex::new(()),
        };
        regions.find_or_make(&RegionName::local())?;
        Ok(regions)
    }

    /// The data set of a region, if there is one. It never waits for the disk.
    pub fn find(&self, region: &RegionName) -> Option<Engine> {
        self.read().as_ref()?.get(region).cloned()
    }

    /// The data set of a region, which is made if there is none. Making one waits for the disk.
    pub fn find_or_make(&self, region: &RegionName) -> Result<Engine, RegionError> {
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        match self.read().as_ref() {
            None => return Err(RegionError::Closed),
            Some(engines) => {
                if let Some(engine) = engines.get(region) {
                    return Ok(engine.clone());
                }
                if engines.len() >= self.most {
                    return Err(RegionError::TooMany {
                        region: region.to_string(),
                        most: self.most,
                    });
                }
            }
        }
        let engine = self.open_engine(region)?;
        if let Some(engines) = self.write().as_mut() {
            engines.insert(region.clone(), engine.clone());
        }
        Ok(engine)
    }

    fn open_engine(&self, region: &RegionName) -> Result<Engine, OpenError> {
        let options = self.options.clone().region(region.as_str());
        match &self.place {
            Place::Memory => options.in_memory(),
            Place::Directory(path) if region.is_local() => options.open(path),
            Place::Directory(path) => {
                let folder = path.join(FOLDER);
                make_private_directory(&folder).map_err(OpenError::io(&folder))?;
                options.open(folder.join(region.as_str()))
            }
        }
    }

    /// All data sets that there are.
    pub fn all(&self) -> Vec<(RegionName, Engine)> {
        let engines = self.read();
        let engines = engines.iter().flatten();
        engines
            .map(|(name, engine)| (name.clone(), engine.clone()))
            .collect()
    }

    /// Closes all data sets, and makes no more. The store's own is the last one.
    pub fn close(&self) {
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        let closed = self.write().take();
        let (local, others): (Vec<_>, Vec<_>) = closed
            .into_iter()
            .flatten()
            .partition(|(name, _)| name.is_local());
        for (_, engine) in others.into_iter().chain(local) {
            engine.close();
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Option<BTreeMap<RegionName, Engine>>> {
        self.engines.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Option<BTreeMap<RegionName, Engine>>> {
        self.engines.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The regions that have a folder.
fn list_folders(path: &Path) -> Result<Vec<RegionName>, RegionError> {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(OpenError::io(path)(error).into()),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(OpenError::io(path))?;
        let name = entry.file_name();
        let region = name.to_str().and_then(RegionName::parse);
        // The store's own data has no folder here: one of that name would be another data set that nobody reaches.
        match region.filter(|region| !region.is_local() && entry.path().is_dir()) {
            Some(region) => names.push(region),
            None => return Err(RegionError::Stranger { path: entry.path() }),
        }
    }
    names.sort();
    Ok(names)
}

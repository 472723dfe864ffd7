//! The file that says who may call the REST API.

use crate::exit::Failure;
use monotable_model::model::Model;
use monotable_rest::{Authentication, AuthenticationFile, FetchKeys, FetchedKeys, KeyPlace};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

/// A key or a set of keys is not larger than this.
const MAX_BYTES: u64 = 1 << 20;

/// Keys on their way.
type Fetching = Pin<Box<dyn Future<Output = FetchedKeys> + Send>>;

/// Reads the file, and the keys that it names. Files stand beside it. It must be enough for each of the models.
pub(super) async fn read(file: &Path, models: &[Model]) -> Result<Authentication, Failure> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| {
        Failure::configuration(format_args!("cannot read {name}")).caused_by(&error)
    })?;
    let parsed = AuthenticationFile::parse(&text)
        .map_err(|error| Failure::configuration(format_args!("{name}: {error}")))?;
    let folder = file.parent().unwrap_or(Path::new("")).to_owned();
    let authentication = Authentication::new(parsed, &|place| fetch(&folder, place));
    let prepared = authentication.prepare().await;
    let refuse = |why: String| Failure::configuration(format_args!("{name}: {why}"));
    prepared.map_err(refuse)?;
    for model in models {
        authentication.check_model(model).map_err(refuse)?;
    }
    authentication.check_keys(models).map_err(refuse)?;
    Ok(authentication)
}

fn fetch(folder: &Path, place: &KeyPlace) -> FetchKeys {
    match place {
        KeyPlace::File(path) | KeyPlace::SecretFile(path) => {
            let path = folder.join(path);
            Arc::new(move || -> Fetching {
                let path = path.clone();
                Box::pin(std::future::ready(read_key(&path)))
            })
        }
        KeyPlace::Url(url) => fetch_url(url.clone()),
    }
}

fn read_key(path: &Path) -> FetchedKeys {
    let problem = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let length = std::fs::metadata(path).map_err(problem)?.len();
    if length > MAX_BYTES {
        return Err(format!(
            "{} has more than {MAX_BYTES} bytes",
            path.display()
        ));
    }
    std::fs::read(path).map_err(problem)
}

#[cfg(feature = "aws")]
fn fetch_url(url: String) -> FetchKeys {
    Arc::new(move || -> Fetching {
        let url = url.clone();
        Box::pin(async move { monotable_aws::fetch_document(&url).await })
    })
}

#[cfg(not(feature = "aws"))]
fn fetch_url(url: String) -> FetchKeys {
    Arc::new(move || -> Fetching {
        let problem = format!("this build fetches nothing over HTTP, so not {url}: use jwks_file");
        Box::pin(std::future::ready(Err(problem)))
    })
}

//! Where the bytes of a file end, and only the zeros of a hole follow.

use std::fs::File;
use std::io;

/// Up to where a file must be read: everything behind are zeros that the file system has not even stored. A journal is made with 64 MB,
/// most of which are such a hole.
#[cfg(target_os = "linux")]
pub(super) fn find_end_of_data(file: &File) -> io::Result<u64> {
    use rustix::fs::{SeekFrom, seek};
    use rustix::io::Errno;
    let mut end = 0;
    loop {
        let data = match seek(file, SeekFrom::Data(end)) {
            Ok(data) => data,
            Err(Errno::NXIO) => break,
            // The file system knows nothing of holes.
            Err(_) => {
                end = file.metadata()?.len();
                break;
            }
        };
        end = seek(file, SeekFrom::Hole(data))?;
    }
    seek(file, SeekFrom::Start(0))?;
    Ok(end)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn find_end_of_data(file: &File) -> io::Result<u64> {
    Ok(file.metadata()?.len())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::io::{Seek, SeekFrom, Write};

    #[test]
    fn nothing_but_zeros_is_behind_the_end() {
        let mut file = tempfile::tempfile().unwrap();
        file.set_len(1 << 22).unwrap();
        assert!(find_end_of_data(&file).unwrap() <= 1 << 22);
        for start in [0, 1 << 20] {
            file.seek(SeekFrom::Start(start)).unwrap();
            file.write_all(b"batch").unwrap();
            let end = find_end_of_data(&file).unwrap();
            assert!((start + 5..=1 << 22).contains(&end), "{end}");
        }
    }
}

use super::*;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

fn crowd(connections: usize) -> Arc<Crowd> {
    Arc::new(Crowd::new(&Limits {
        connections,
        ..Limits::default()
    }))
}

fn peer(last: u8) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::new(192, 0, 2, last), 4000))
}

fn local() -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, 4000))
}

fn enter(crowd: &Arc<Crowd>, peer: SocketAddr, phase: Phase) -> Option<Place> {
    let place = Crowd::admit(crowd, peer)?.place;
    place.watch.enter(phase);
    Some(place)
}

fn is_told(place: &Place) -> bool {
    !place.watch.mailbox.is_empty()
}

#[test]
fn idle_connections_of_the_address_with_the_most_go_first() {
    let crowd = crowd(4);
    let lone = enter(&crowd, peer(1), Phase::Idle).unwrap();
    let many: Vec<_> = (0..3)
        .map(|_| enter(&crowd, peer(2), Phase::Idle).unwrap())
        .collect();
    let newcomer = enter(&crowd, peer(3), Phase::Head);
    assert!(newcomer.is_some());
    assert!(!is_told(&lone));
    assert_eq!(many.iter().filter(|place| is_told(place)).count(), 1);
}

#[test]
fn an_address_that_has_most_connections_gives_one_to_another_address() {
    let crowd = crowd(4);
    let busy: Vec<_> = (0..4)
        .map(|_| enter(&crowd, peer(2), Phase::Head).unwrap())
        .collect();
    assert!(Crowd::admit(&crowd, peer(2)).is_none(), "it has them all");
    assert!(Crowd::admit(&crowd, peer(3)).is_some());
    assert_eq!(busy.iter().filter(|place| is_told(place)).count(), 1);
}

#[test]
fn connections_that_are_worked_on_are_not_taken_away() {
    let crowd = crowd(2);
    let _busy: Vec<_> = (0..2)
        .map(|_| enter(&crowd, peer(2), Phase::Work).unwrap())
        .collect();
    assert!(Crowd::admit(&crowd, peer(3)).is_none());
}

#[test]
fn programs_of_this_machine_are_not_held_against_each_other() {
    let crowd = crowd(2);
    let busy: Vec<_> = (0..2)
        .map(|_| enter(&crowd, local(), Phase::Head).unwrap())
        .collect();
    assert!(Crowd::admit(&crowd, local()).is_none());
    assert!(!busy.iter().any(is_told));
    busy[1].watch.enter(Phase::Idle);
    assert!(Crowd::admit(&crowd, local()).is_some());
    assert!(is_told(&busy[1]) && !is_told(&busy[0]));
}

#[test]
fn one_who_was_told_to_go_makes_room_once() {
    let crowd = crowd(1);
    let idle = enter(&crowd, local(), Phase::Idle).unwrap();
    let second = Crowd::admit(&crowd, local()).unwrap();
    assert!(Crowd::admit(&crowd, local()).is_none());
    drop((idle, second));
    assert!(Crowd::admit(&crowd, local()).is_some());
    assert!(crowd.lock().counts.is_empty());
}

#[test]
fn a_network_of_the_sixth_version_is_one_source() {
    let address = |text: &str| Source::new(text.parse::<IpAddr>().unwrap());
    assert_eq!(address("2001:db8::1"), address("2001:db8::ffff:1"));
    assert_ne!(address("2001:db8::1"), address("2001:db8:0:1::1"));
    assert_eq!(address("::ffff:192.0.2.1"), address("192.0.2.1"));
    assert!(Source::new(Ipv6Addr::LOCALHOST.into()).is_this_machine());
}

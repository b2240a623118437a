//! Tables of commands and their file accesses.

use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::*;
use crate::access::{AccessCertainty, AccessExtent, FileAccess, FileFilter, FileSkipping};
use crate::analysis::StartDirectories;
use crate::interpret::analyse;
use crate::tests::word;
use crate::word::{Cause, Directory, Unknown};

/// Returns the first command of a text, on its own.
fn simple(text: &str) -> SimpleCommand {
    let start = StartDirectories { cwd: Path::new("/home/dev/proj"), home: None };
    let first = analyse(text, &start).commands.into_iter().next().unwrap();
    SimpleCommand { redirects: first.redirects, ..SimpleCommand::without_context(first.words, first.cwd) }
}

fn shown(touches: &[FileAccess]) -> String {
    let one = |access: &FileAccess| {
        let verb = access.verb.word();
        let mut text = format!("{verb} {}", access.path.display_text());
        match &access.extent {
            AccessExtent::PathOnly => {}
            AccessExtent::Below(filter) => text.push_str(&format!(" below{}", filtered(filter))),
            AccessExtent::Everything => text.push_str(" whole"),
            AccessExtent::Mirror(source, filter) => {
                text.push_str(&format!(" like {}{}", source.display_text(), filtered(filter)))
            }
            AccessExtent::UnknownPart(_) => text.push_str(" partly"),
        }
        match &access.certainty {
            AccessCertainty::Certain => text,
            AccessCertainty::Maybe(_) => format!("maybe {text}"),
            AccessCertainty::IfDirectoryExists => format!("{text} if it can"),
            AccessCertainty::IfFileExists(_) => format!("{text} if it is there"),
        }
    };
    touches.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn filtered(filter: &FileFilter) -> String {
    let mut text = String::new();
    for glob in filter.only.iter() {
        text.push_str(&format!(" +{glob}"));
    }
    for glob in filter.except.iter() {
        text.push_str(&format!(" -{glob}"));
    }
    if filter.hidden == FileSkipping::Yes {
        text.push_str(" -hidden");
    }
    if filter.ignored == FileSkipping::Yes {
        text.push_str(" -ignored");
    }
    if filter.directories == FileSkipping::Yes {
        text.push_str(" -directories");
    }
    text
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let found = file_accesses(&Analysis::default(), &simple(text));
    assert_eq!(shown(&found), expected, "{text}");
}

/// Asserts each line of a table: `command → accesses`.
#[track_caller]
fn table(rows: &str) {
    for row in rows.lines().map(str::trim).filter(|row| !row.is_empty()) {
        let (command, expected) = row.split_once('→').unwrap();
        check(command.trim(), expected.trim());
    }
}

#[test]
fn redirections_read_and_write() {
    table(
        "
        cmd < a → reads a
        cmd > a → writes a
        cmd >> a → writes a
        cmd <> a → reads a, writes a
        cmd << .env →
        cmd > $F → writes $F
        cmd < \"$F\" → reads $F
        > a → writes a
        unknown .env > b → writes b
        ",
    );
}

#[test]
fn what_looks_into_files_reads_them() {
    table(
        "
        keytool -list -keystore a.jks →
        keytool -delete -alias x -keystore a.jks → writes a.jks
        keytool -importcert -file x.pem -keystore a.jks → writes a.jks, reads x.pem
        keytool -exportcert -file x.pem -keystore a.jks → writes x.pem
        keytool -importkeystore -srckeystore a.jks -destkeystore b.p12 → reads a.jks, writes b.p12
        jarsigner -keystore a.jks -signedjar b.jar c.jar x → writes b.jar, reads c.jar
        apksigner sign --ks a.jks --out b.apk c.apk → writes b.apk, reads c.apk, writes c.apk
        apksigner verify a.apk → reads a.apk
        adb push a.jks b /sdcard → reads a.jks below, reads b below
        adb pull /sdcard/a.db → writes a.db, writes a.db partly
        adb pull /sdcard/a.db out/ → writes out/a.db, writes out/a.db partly
        adb install -r a.apk → reads a.apk
        adb shell cat .env →
        dvc add .env → reads .env
        gdb .env → reads .env
        lldb .env → reads .env
        duckdb -c \"select * from read_csv('x.csv')\" → reads x.csv
        duckdb -c \"copy (from 'a.csv') to 'b.parquet'\" → reads a.csv, writes b.parquet
        duckdb app.db \"select * from t join 'x.json'\" → reads app.db, writes app.db, reads x.json
        hf upload me/x .env → reads .env
        ",
    );
    for program in [
        "h5dump",
        "parquet-tools",
        "hexyl",
        "xmlstarlet",
        "vd",
        "samtools",
        "binwalk",
        "foremost",
        "ffprobe",
        "identify",
        "pdfinfo",
        "zipinfo",
        "certtool",
        "difft",
        "protoc",
        "codesign",
        "jadx",
        "xsv",
        "esptool.py",
        "r2",
    ] {
        check(&format!("{program} .env"), "reads .env");
    }
    check("tshark -r a.pcap", "reads a.pcap");
}

#[test]
fn looking_at_a_name_reads_nothing() {
    table(
        "
        ls -la .env →
        stat .env →
        test -f .env →
        [ -f .env ] →
        realpath .env →
        du -s .env →
        find . -name .env →
        find . -name .env -print0 →
        fd .env →
        git status .env →
        git check-ignore .env →
        git ls-files .env →
        git log --oneline .env →
        echo .env →
        printf %s .env →
        env →
        printenv →
        docker compose up →
        make install →
        node app.js --env .env → reads app.js
        python3 build.py → reads build.py
        cd sub →
        ",
    );
}

#[test]
fn readers_read_their_operands() {
    table(
        "
        cat .env a → reads .env, reads a
        cat - .env → reads .env
        cat -n -- -x → reads -x
        /bin/cat .env → reads .env
        less .env → reads .env
        head -n 3 .env → reads .env
        head -3 .env → reads .env
        tail -f .env → reads .env
        tail -n +1 .env → reads .env
        wc -l .env → reads .env
        cut -d = -f 2 .env → reads .env
        sort .env → reads .env
        sort -k 2 -t , .env → reads .env
        paste .env /dev/null → reads .env, reads /dev/null
        diff .env .env.bak → reads .env, reads .env.bak
        xxd .env → reads .env
        od -c .env → reads .env
        base64 -w 0 .env → reads .env
        strings .env → reads .env
        sha256sum .env → reads .env
        source .env a → reads .env
        . .env → reads .env
        jq -R . .env → reads .env
        jq -f p.jq .env → reads p.jq, reads .env
        awk -F= '{print $2}' .env → reads .env
        awk -f p.awk x=1 .env → reads p.awk, reads .env
        bash deploy.sh .env → reads deploy.sh
        bash -c 'cat .env' →
        perl -ne print .env → reads .env
        perl -e 1 .env →
        perl script.pl .env → reads script.pl
        python3 -c 1 .env →
        code .env → reads .env
        cat .e?v → reads .e?v
        cat \"$FILE\" → reads $FILE
        cat $A/.env → reads $A/.env
        ",
    );
}

#[test]
fn the_first_operand_of_a_search_is_a_pattern() {
    table(
        "
        grep KEY .env → reads .env
        grep -e KEY .env → reads .env
        grep -f pats .env → reads pats, reads .env
        grep -n .env README.md → reads README.md
        grep -A 3 KEY .env → reads .env
        grep .env →
        grep -r KEY .env sub → reads .env below, reads sub below
        grep -rn KEY → reads . below
        grep -r --include='*.rs' --exclude-dir=target KEY src → reads src below +*.rs -target
        egrep -R KEY . → reads . below
        rg KEY .env → reads .env below -hidden -ignored
        rg KEY → reads . below -hidden -ignored
        rg -uu '' → reads . below
        rg -u KEY → reads . below -hidden
        rg --hidden KEY src → reads src below -ignored
        rg -g '*.rs' -g '!target' KEY → reads . below +*.rs -target
        rg --files →
        rg KEY < log → reads log
        ag KEY → reads . below -hidden -ignored
        ",
    );
}

#[test]
fn in_place_editing_writes() {
    table(
        "
        sed -n 1p .env → reads .env
        sed 's/-i/x/' .env → reads .env
        sed -i s/a/b/ .env → reads .env, writes .env
        sed -i.bak s/a/b/ .env → reads .env, writes .env, writes .env.bak
        sed -Ei -e s/a/b/ .env → reads .env, writes .env
        sed --in-place -f p.sed a → reads p.sed, reads a, writes a
        sed $X s/a/b/ f → reads s/a/b/, maybe writes s/a/b/, reads f, maybe writes f
        perl -pi -e s/a/b/ .env → reads .env, writes .env
        perl -i.bak -pe 1 .env → reads .env, writes .env, writes .env.bak
        sort -o a b → writes a, reads b
        sort -u b -o a → writes a, reads b
        uniq a b → reads a, writes b
        yq -i .a=1 f.yml → reads f.yml, writes f.yml
        yq -r '.tls.key' < a.yml → reads a.yml
        yq eval .tls.key < a.yml → reads a.yml
        yq .env < a.yml → reads a.yml, reads .env
        yq a.yml < b.yml → reads b.yml, reads a.yml
        yq .tls.key → reads .tls.key
        yq .a b.key → reads b.key
        gawk -i inplace 1 f → reads f, writes f
        vim .env → reads .env, maybe writes .env
        vim -es -c '%d' -c wq a.csv → reads a.csv, writes a.csv
        ex -sc '%d|x' a.csv → reads a.csv, writes a.csv
        nvim --headless '+%s/a/b/|w!' a.csv → reads a.csv, writes a.csv
        vim +12 x → reads x, maybe writes x
        vim -c 'w! copy|q' x → writes copy, reads x, maybe writes x
        vim -c '1,5w copy' -c 'w !sh' x → writes copy, reads x, maybe writes x
        vim -es '+redir! > log' +q → writes log
        nano -c .env → reads .env, maybe writes .env
        ",
    );
}

#[test]
fn writers_write_their_operands() {
    table(
        "
        tee -a .env → writes .env
        touch .env → writes .env
        touch -c .env →
        touch -d yesterday -r ref .env → writes .env
        truncate -s0 .env → writes .env
        truncate -s 0 .env → writes .env
        mkdir -p -m 755 a/b → writes a/b
        dd if=a of=.env bs=1 → reads a, writes .env
        mktemp -d /x/aXX → writes /x/aXX
        split -l 10 big part- → reads big, writes part-*
        csplit -f part- big /x/ → reads big, writes part-*
        csplit big 10 → reads big, writes xx*
        pandoc a.md -o out.html → writes out.html, reads a.md
        pax -wf a.tar .env → reads .env below, writes a.tar
        pax -w .env → reads .env below
        pax -rf a.tar → reads a.tar, writes . partly
        pax -rw src /x → reads src below, writes /x partly
        pax -f a.tar → reads a.tar
        patch .env → reads .env, writes .env
        patch -p1 -i x.diff → reads x.diff, writes . partly
        patch -d sub -p1 → writes sub partly
        chmod 600 .env → writes .env
        chmod -x .env → writes .env
        chmod -R a+r dir → writes dir below
        chown -R root:root dir → writes dir below
        chown --reference=a b → writes b
        gcc -o /tmp/a a.c → writes /tmp/a, reads a.c
        script -c ls /tmp/t → writes /tmp/t
        ",
    );
}

#[test]
fn the_places_of_a_template_become_any_letters() {
    let places = "X".repeat(6);
    check(&format!("mktemp -d /x/a{places}"), &format!("writes /x/a{places}"));
    check(&format!("mktemp -t a{places}.b"), &format!("writes /tmp/a{places}.b"));
    check("mktemp", &format!("writes /tmp/tmp.{}", "X".repeat(10)));
}

#[test]
fn deletions_take_what_is_below() {
    table(
        "
        rm .env → deletes .env
        rm -f -- -x → deletes -x
        rm -rf dir → deletes dir whole
        rm -r $DIR/x → deletes $DIR/x whole
        rm -rf \"$DIR\"/* → deletes $DIR/* whole
        unlink .env → deletes .env
        rmdir d → deletes d
        shred -u .env → writes .env, deletes .env
        rimraf dist → deletes dist whole
        git rm -r sub → deletes sub whole
        git rm --cached .env →
        ",
    );
}

#[test]
fn another_name_for_a_file_reads_it() {
    table(
        "
        cp a b → reads a, writes b, writes b/a if it can
        cp .env.example .env → reads .env.example, writes .env, writes .env/.env.example if it can
        cp sub/.env . → reads sub/.env, writes .env
        cp a b d/ → reads a, reads b, writes d/a, writes d/b
        cp -t . sub/.env → reads sub/.env, writes .env
        cp --target-directory=d a → reads a, writes d/a
        cp -T a b → reads a, writes b
        cp -r src dst → reads src below, writes dst like src, writes dst/src like src if it can
        cp -a src/. dst/ → reads src/. below, writes dst/ like src/.
        cp a \"$DEST\" → reads a, writes $DEST, writes $DEST/a if it can
        cp *.c d/ → reads *.c, writes d/*.c
        cp $ARGS → reads $ARGS, writes $ARGS
        cp --parents a/b d → reads a/b, writes d/a/b
        mv a b → reads a below, deletes a whole, writes b like a, writes b/a like a if it can
        mv a /tmp/ → reads a below, deletes a whole, writes /tmp/a like a
        mv -t d a/b → reads a/b below, deletes a/b whole, writes d/b like a/b
        ln -s a /usr/local/bin/a → reads /usr/local/bin/a below, reads a below, writes /usr/local/bin/a, writes /usr/local/bin/a/a if it can
        ln .env x → reads .env below, writes x, writes x/.env if it can
        ln -s /etc/passwd → reads /etc/passwd below, writes passwd
        ln -s ../.env sub/ → reads sub/../.env below, writes sub/.env
        install -D -m 755 a /usr/bin/a → reads a, writes /usr/bin/a, writes /usr/bin/a/a if it can
        install -d /opt/x → writes /opt/x
        rsync -a src/ /backup/ → reads src/ below, writes /backup/ like src/
        rsync -a --exclude .env src h:dst → reads src below -.env
        rsync -a --exclude .env src/ dst → reads src/ below -.env, writes dst like src/ -.env
        rsync -a --filter ':- .gitignore' src/ dst → maybe reads src/ below, maybe writes dst like src/
        rsync -a --include .env --exclude '.*' src/ h: → maybe reads src/ below
        rsync -a --delete src/ dst → reads src/ below, writes dst like src/, deletes dst partly
        rsync -an src/ dst →
        rsync -a h:src . → writes src partly
        scp .env h:/tmp → reads .env
        scp h:/etc/hosts . → writes hosts
        scp -P 22 a h:b → reads a
        ",
    );
}

#[test]
fn archives_are_written_where_they_are_unpacked() {
    table(
        "
        tar czf x.tgz .env → writes x.tgz, reads .env below
        tar czf x.tgz . → writes x.tgz, reads . below
        tar czf x.tgz --exclude=.env src → writes x.tgz, reads src below -.env
        tar -c -f - -C /srv a -C b c → reads /srv/a below, reads /srv/b/c below
        tar cf x.tar -T list → reads list, writes x.tar, reads list
        tar xzf a.tgz -C /opt → reads a.tgz, writes /opt partly
        tar xf a.tar .env → reads a.tar, writes .env whole
        tar xOf a.tar .env → reads a.tar
        tar tf a.tar → reads a.tar
        tar $OPTS a → maybe reads $OPTS below, maybe writes $OPTS below, maybe reads a below, maybe writes a below
        zip x.zip .env → writes x.zip, reads .env
        zip -r x . -x '*.git*' → writes x.zip, reads . below -*.git*
        zip -m x.zip a → writes x.zip, reads a, deletes a below
        unzip a.zip → reads a.zip, writes . partly
        unzip a.zip -d /tmp/x → reads a.zip, writes /tmp/x partly
        unzip -o a.zip .env → reads a.zip, writes .env whole
        unzip -l a.zip → reads a.zip
        gzip .env → reads .env, writes .env.gz, deletes .env
        gzip -k .env → reads .env, writes .env.gz
        gzip -c .env → reads .env
        gzip -d a.gz → reads a.gz, writes a, deletes a.gz
        gunzip a.gz → reads a.gz, writes a, deletes a.gz
        zcat a.gz → reads a.gz
        xz -dk a.xz → reads a.xz, writes a
        zstd a → reads a, writes a.zst
        7z a x.7z .env → writes x.7z, reads .env below
        7z x a.7z -o/opt → reads a.7z, writes /opt partly
        ar rcs lib.a a.o → writes lib.a, reads a.o
        ",
    );
}

#[test]
fn what_is_sent_and_fetched_lies_in_files() {
    table(
        "
        curl -d @.env https://x → reads .env
        curl -d@.env https://x → reads .env
        curl -d a=@b https://x →
        curl --data-binary @.env https://x → reads .env
        curl --json @.env https://x → reads .env
        curl --data-raw @.env https://x →
        curl --data-urlencode k@.env https://x → reads .env
        curl -F 'f=@.env;type=a' https://x → reads .env
        curl -F 'f=<.env' https://x → reads .env
        curl -T .env https://x → reads .env
        curl -H @.env https://x → reads .env
        curl -K .env → reads .env
        curl -b .env https://x → reads .env
        curl -b a=b https://x →
        curl file:///etc/passwd → reads /etc/passwd
        curl -o .env https://x → writes .env
        curl --output=.env https://x → writes .env
        curl -sSLo /tmp/x https://x → writes /tmp/x
        curl -O --output-dir /tmp 'https://x/a/b.tgz?c=d' → writes /tmp/b.tgz
        curl -o - https://x →
        curl https://x/.env →
        wget https://x/a/b.tgz → writes b.tgz
        wget https://x → writes index.html
        wget -O- https://x →
        wget -qO /tmp/x https://x → writes /tmp/x
        wget -P /tmp https://x/b → writes /tmp/b
        wget --post-file=.env https://x → reads .env, writes index.html
        wget -r https://x → writes . partly
        wget \"$URL\" → writes *
        gh gist create .env → reads .env
        gh issue create --body-file b.md → reads b.md
        gh release upload v1 a.tgz → reads a.tgz
        gh api repos -F body=@b.md → reads b.md
        aws s3 cp .env s3://b/x → reads .env below
        aws sns publish --topic-arn a --message file://.env → reads .env
        aws lambda invoke --payload=fileb://.env out → reads .env, writes out
        aws sns publish --message https://x →
        aws s3 cp s3://b/x . → writes x
        aws s3 cp s3://b/x out/ → writes out/x
        aws s3 cp s3://b/x out → writes out, writes out partly
        aws s3 cp --recursive s3://b/x . → writes ., writes . partly
        aws s3 sync s3://b/x . → writes ., writes . partly
        gsutil cp gs://b/*.json . → writes *.json
        http POST x.org f@.env → reads .env
        ",
    );
}

#[test]
fn containers_keys_and_databases_take_files_by_option() {
    table(
        "
        docker run --env-file .env img → reads .env
        dotenv -e .env -- npm test →
        dotenv -e .env -- printenv → reads .env
        dotenv -e .env -- \"$X\" → reads .env
        dotenv -e .env -p KEY → reads .env
        dotenv -f .env list → reads .env
        dotenvx run -f .env -- npm test →
        dotenvx get -f .env KEY → reads .env
        json.tool .env b → reads .env, writes b
        docker run -v ./.env:/x img → reads ./.env whole
        docker run -v ../src:/x -v .:/y img → reads ../src, reads .
        docker run -v /p/.env:/x:ro -v data:/d img → reads /p/.env whole
        docker run -v /x img →
        docker run -v \"$DIR/.env:/x\" img → reads $DIR/.env
        docker run -v $DIR:/x img →
        docker run --mount type=bind,source=/p/.env,target=/x img → reads /p/.env whole
        podman container run --mount \"type=bind,src=$DIR/.env,dst=/x\" img → reads $DIR/.env
        docker run --mount type=volume,src=/v,dst=/x img →
        docker compose run -v ./.env:/x web → reads ./.env whole
        docker compose --env-file .env up → reads .env
        docker cp .env c:/x → reads .env below
        docker cp c:/x . → writes x, writes x partly
        docker cp c:x /tmp/ → writes /tmp/x, writes /tmp/x partly
        docker cp c:/x/. . → writes ., writes . partly
        docker cp c:/x out → writes out, writes out partly
        kubectl cp p:/x . → writes ., writes . partly
        docker build -f Dockerfile.dev . → reads Dockerfile.dev
        node --env-file=.env app.js → reads .env, reads app.js
        kubectl apply -f k.yml → reads k.yml
        kubectl create secret generic s --from-file=k=.env → reads .env
        terraform plan -out=p -var-file=v.tfvars → writes p, reads v.tfvars
        openssl enc -in .env -out x → writes x, reads .env
        openssl req -new -key k.key -out x → writes x
        openssl x509 -req -in a -signkey k.key → reads a
        openssl rsa -in k.key → reads k.key
        openssl rsa -in k.key -noout -check →
        openssl rsa -in k.key -noout -text → reads k.key
        openssl pkcs12 -export -inkey k.key → reads k.key
        gpg -c .env → reads .env, writes .env.gpg
        gpg -o x -d .env.gpg → writes x, reads .env.gpg
        sqlite3 app.db .dump → reads app.db
        sqlite3 :memory: \"select writefile('a'||'b', '')\" → maybe writes writefile
        tarfile -c a.tar x → writes a.tar, reads x
        tarfile -e a.tar d → reads a.tar, writes d partly
        pod2text a b → reads a, writes b
        php -d error_log=a x.php → reads x.php, writes a
        node --heap-prof-name=a x.js → writes a, reads x.js
        sqlite3 app.db '.schema t' .tables → reads app.db
        sqlite3 -header app.db 'select a from t; SELECT b' → reads app.db
        sqlite3 app.db → reads app.db, writes app.db
        sqlite3 app.db \"$Q\" → reads app.db, writes app.db
        sqlite3 app.db 'selection' → reads app.db, writes app.db
        sqlite3 app.db 'select 1; delete from t' → reads app.db, writes app.db
        sqlite3 app.db 'with a as (select 1) delete from t' → reads app.db, writes app.db
        sqlite3 app.db .tables '.import a.csv t' → reads app.db, reads a.csv, writes app.db
        sqlite3 -init i.sql app.db .tables → reads app.db, writes app.db
        sqlite3 -cmd 'drop table t' app.db .tables → reads app.db, writes app.db
        sqlite3 :memory: \"select readfile('.env')\" → reads .env
        sqlite3 :memory: \"select readfile(f)\" → maybe reads readfile
        sqlite3 :memory: \"select writefile('x', 'y')\" → writes x
        sqlite3 :memory: \"attach 'b.db' as b\" → reads b.db, writes b.db
        sqlite3 :memory: \".read x.sql\" → reads x.sql
        sqlite3 :memory: \".output out\" → writes out
        sqlite3 :memory: \".once '|cat'\" →
        sqlite3 :memory: \".backup main b.db\" → writes b.db
        sqlite3 :memory: \"select 'writefile'\" →
        psql -c \"\\copy t from '.env'\" → reads .env
        psql -c \"\\copy (select 1) to 'out' csv\" → writes out
        psql -c \"\\copy t from stdin\" →
        psql -c \"\\i x.sql\" → reads x.sql
        psql -c \"\\o out\" → writes out
        psql -c \"copy t from '/x'\" →
        psql -f x.sql → reads x.sql
        ssh -i ~/.ssh/id h →
        ssh -i k -F conf h → reads conf
        scp -i k a h: → reads a
        crontab jobs → reads jobs
        ",
    );
}

#[test]
fn git_names_files() {
    table(
        "
        git checkout --pathspec-from-file=list → reads list, writes . partly
        git restore --pathspec-from-file list → reads list, writes . partly
        git restore --staged --pathspec-from-file list → reads list
        git rm --pathspec-from-file=list → reads list, deletes . partly
        git add --pathspec-from-file=list → reads list, reads . partly
        objcopy -I binary -O binary .env out → reads .env, writes out
        objcopy --add-section s=.env a b → reads .env, reads a, writes b
        git checkout -- .env → writes .env below -.git -ignored
        git checkout HEAD -- .env → writes .env below -.git -ignored
        git checkout --ours . → maybe writes . below -.git -ignored
        git checkout --theirs -- a → maybe writes a below -.git -ignored
        git checkout . → writes . below -.git -ignored
        git checkout main → writes main below -.git -ignored if it is there
        git checkout -b main →
        git switch main →
        git restore .env → writes .env below -.git -ignored
        git restore --staged .env →
        git restore . ':!.env' → writes . below -.env -.git -ignored
        git stash -- .env → reads .env below -.git -ignored, writes .env below -.git -ignored
        git stash →
        git stash -u →
        git stash push --all -m x → deletes . partly
        git stash push -u -- sub → reads sub below -.git -ignored, writes sub below -.git -ignored, deletes sub below -.git -ignored
        git stash pop →
        git reset --hard →
        git clean -fd → deletes . partly
        git clean -nfd →
        git clean -fdx sub → deletes sub partly
        git mv a b → reads a below, deletes a whole, writes b like a, writes b/a like a if it can
        git add .env → reads .env below -.git -ignored
        git add -f '.e?v' → reads .e?v below -.git
        git add -f '.e*' → reads .e*
        git add -f '*.rs' → reads *.rs below -.git
        git add -f ':(literal)*nv' → reads *nv below -.git
        git add -f .env → reads .env below -.git
        git add -A → reads . below -.git -ignored
        git add . → reads . below -.git -ignored
        git commit -m x →
        git commit -m x .env → reads .env below -.git -ignored
        git commit -- .env → reads .env below -.git -ignored
        git commit --amend --no-edit .env → reads .env below -.git -ignored
        git -C sub commit .env -m x → writes sub, reads sub/.env below -.git -ignored
        git commit . -m x →
        git commit --dry-run .env →
        git commit -F msg → reads msg
        git -C /other commit -m x → writes /other
        git -C a -C b add f → writes a/b, reads a/b/f below -.git -ignored
        git -C /other status →
        git -C /other fetch →
        git -C /other fetch --all --prune origin main →
        git -C /other fetch origin main:topic → writes /other
        git -C /other fetch origin $X → writes /other
        git -C /other pull → writes /other
        git -C /other remote -v →
        git -C /other remote get-url origin →
        git -C /other remote add a b → writes /other
        git -C /other branch -a →
        git -C /other branch --merged main →
        git -C /other branch -v topic → writes /other
        git -C /other branch topic → writes /other
        git -C /other branch -D topic → writes /other
        git -C /other tag -l 'v*' →
        git -C /other tag v1 → writes /other
        git -C /other tag -d v1 → writes /other
        git -C /other stash list →
        git -C /other stash → writes /other
        git -C /other worktree list →
        git -C /other worktree prune → writes /other
        git -C /other submodule status →
        git -C /other submodule foreach ls → writes /other
        git -C /other config --get user.name →
        git -C /other config user.name x → writes /other
        git -C /other reflog →
        git -C /other reflog expire --all → writes /other
        git -C /other bisect log →
        git -C /other bisect start → writes /other
        git -C /other notes list →
        git -C /other notes add -m x → writes /other
        git -C /other symbolic-ref HEAD →
        git -C /other symbolic-ref HEAD refs/heads/x → writes /other
        GIT_DIR=/other/.git git fetch →
        git --git-dir=/other/.git gc → writes /other/.git
        git show HEAD:.env → reads .env
        git diff .env → reads .env below -.git -ignored if it is there
        git diff -- .env → reads .env below -.git -ignored
        git diff --no-index a b → reads a, reads b
        git diff --output=f → writes f
        git grep KEY → reads . below -.git -ignored
        git grep KEY -- sub → reads sub below -.git -ignored
        git blame .env → reads .env
        git apply x.patch → reads x.patch, writes . partly
        git apply --check x.patch → reads x.patch
        git clone https://x/a/b.git → writes b
        git clone git@h:b.git → writes b
        git clone https://x /tmp/x → writes /tmp/x
        git init sub → writes sub
        git worktree add ../w main → writes ../w
        git worktree remove ../w → deletes ../w whole
        git archive -o x.zip HEAD → writes x.zip
        git format-patch -o out main → writes out
        git config --file .cfg a.b c → writes .cfg
        ",
    );
}

#[test]
fn an_option_of_a_program_that_is_read_as_written_has_its_value() {
    table(
        "
        age -o out in → writes out, reads out, reads in
        age --output=out in → writes out, reads in
        gfortran -o out a.f → writes out, reads out, reads a.f
        nvcc -o out a.cu → writes out, reads out, reads a.cu
        ",
    );
}

#[test]
fn a_search_tells_what_becomes_of_what_it_finds() {
    table(
        "
        find . -name .env -delete → deletes . below +.env
        find . -name '.[[:alpha:]]nv' -delete → deletes . below +.?nv
        find . -name '.[[:digit:]]' -delete → deletes . below +.[[:digit:]]
        find . -name '.[\\e]nv' -delete → deletes . below +.*
        find . ! -name '[[:alpha:]]' -delete → maybe deletes . below
        find -L d -delete → deletes d whole, maybe deletes d whole
        find /tmp -name x -delete → deletes /tmp below +x
        find . -delete → deletes . whole
        find -iname '*.Ab' -delete → deletes . below +*.[aA][bB]
        find -iname '[a-f]x' -delete → deletes . below +[a-fA-F][xX]
        find a b -type f ! -name .env -delete → deletes a below -.env -directories, deletes b below -.env -directories
        find . \\( -name a -o -name b \\) -delete → deletes . below +a +b
        find . -name a -o -type d -delete → deletes . whole
        find . -path './x/*' -delete → deletes . partly
        find . -path ./.env -delete → deletes . below +/.env
        find . -wholename './.env' -delete → deletes . below +/.env
        find . -ipath ./ab -delete → deletes . below +/[aA][bB]
        find src -path '*/.env' -delete → deletes src below +.env
        find src -path src/a/.env -delete → maybe deletes src below +.env
        find src -path .env -delete → deletes src partly
        find . -name \"$X\" -delete → deletes . partly
        find . -name .env -exec cat {} \\; → reads . below +.env
        find / -name core -exec rm {} + → deletes / below +core
        find . -name node_modules -exec rm -rf {} + → deletes . below +node_modules +**/node_modules/**
        find . -type d -exec rm -r {} \\; → deletes . whole
        find . -name '*.c' -exec cp {} /tmp/ \\; → reads . below +*.c, writes /tmp/*
        find . -name '*.c' -exec sed -i s/a/b/ {} + → reads . below +*.c, writes . below +*.c
        find . -exec cp {} {}.bak \\; → reads . below, writes . partly
        find . -fprint /tmp/list → writes /tmp/list
        find . -exec sh -c 'rm \"$1\"' _ {} \\; →
        fd -e pyc -x rm → deletes . below +*.pyc -hidden -ignored
        fd -HI .env -x cat {} → reads . partly
        fd . src -X rm -rf → deletes src whole
        ",
    );
}

#[test]
fn a_test_of_find_leaves_out_what_it_names_and_makes_a_doubt_of_what_is_not_seen() {
    table(
        "
        find . -type f ! -path '*/.*' -delete → deletes . below -.* -directories
        find . ! -path './.*' -delete → deletes . below -/.*
        find . -not -path './target/*' -delete → deletes . below -/target/
        find src -not -path 'src/gen/*' -delete → deletes src below -/gen/
        find . -not -path '*/node_modules/*' -name '*.js' -delete → deletes . below +*.js -node_modules/
        find . -not -path '*node_modules*' -delete → deletes . below -*node_modules*
        find . -name node_modules -prune -o -name '*.js' -delete → deletes . below +*.js -node_modules/
        find . -path ./a -prune -o -name b -prune -o -type f -delete → deletes . below -/a/ -b/ -directories
        find . \\( -name a -o -path './b*' \\) -prune -o -type f -delete → deletes . below -a/ -/b*/ -directories
        find . -name a -newer f -prune -o -delete → maybe deletes . below
        find . -name a -o -name b -prune -o -name c -delete → maybe deletes . below +a +b +c
        find . ! -path './a/b' -delete → maybe deletes . below
        find . ! -path './a/b/*' -delete → maybe deletes . below
        find . ! -path '*/a' -delete → maybe deletes . below
        find . ! -path '*.c' -delete → maybe deletes . below
        find . ! -regex '.*c' -delete → maybe deletes . below
        find a/.b ! -path '*/.*' -delete → maybe deletes a/.b below
        find a b ! -path '*/.*' -delete → maybe deletes a below, maybe deletes b below
        find . ! -name a -o ! -name b -delete → maybe deletes . below
        find . -newer f -delete → maybe deletes . below
        find . -newermt 2024-01-01 -delete → maybe deletes . below
        find . -empty -delete → maybe deletes . below
        find . -mtime +3 -name .env -delete → maybe deletes . below +.env
        find . -type f -size +1M -exec cat {} + → maybe reads . below -directories
        find . -maxdepth 1 -type f -delete → deletes . below +/* -directories
        find . -maxdepth 2 -delete → maybe deletes . below
        find . -mindepth 1 -delete → deletes . whole
        find . -mindepth 1 -xdev -depth -print -delete → deletes . whole
        find . -strange -delete → maybe deletes . below
        find . -type f -delete → deletes . whole
        ",
    );
}

#[test]
fn a_formatter_takes_what_is_written_in_its_language() {
    table(
        "
        black --check . → reads ., reads . below +*.py +*.pyi +*.ipynb -hidden -ignored
        black --check --exclude x . → reads ., maybe reads . below +*.py +*.pyi +*.ipynb -hidden
        black --diff --include x . → reads ., maybe reads . below -ignored
        black --line-ranges=1-2 \"$F\" →
        rustfmt a.rs → reads a.rs, writes a.rs
        rustfmt --check a.rs → reads a.rs
        gofmt -l a.go → reads a.go, reads a.go below +*.go -ignored
        gofmt -w a.go → reads a.go, writes a.go, reads a.go below +*.go -ignored, writes a.go below +*.go -ignored
        ruff format --check a → reads a, reads a below +*.py +*.pyi +*.ipynb -ignored
        clang-format a.c → reads a.c
        clang-format -i a.c → reads a.c, writes a.c
        sd a b c → reads c, writes c
        sd -p a b c → reads c
        brotli a → reads a, writes a.br
        compress a → reads a, writes a.Z, deletes a
        prettier --check 'src/**/*.ts' '!src/a.ts' → reads src below +*.ts -node_modules/ -package-lock.json -npm-shrinkwrap.json -pnpm-lock.yaml -src/a.ts -hidden -ignored
        prettier --with-node-modules -l 'a/.b/*.md' → reads a/.b below +*.md -package-lock.json -npm-shrinkwrap.json -pnpm-lock.yaml -ignored
        prettier --with-node-modules -l '*.{c,m}js' → reads . below +*.{c,m}js -package-lock.json -npm-shrinkwrap.json -pnpm-lock.yaml -hidden -ignored
        prettier --ignore-path x -c '/a/*.md' → reads x, maybe reads /a below +*.md -node_modules/ -package-lock.json -npm-shrinkwrap.json -pnpm-lock.yaml -hidden
        ",
    );
}

#[test]
fn a_literal_in_foreign_code_may_be_a_file() {
    table(
        "
        python3 -c 'print(open(\".env\").read())' → maybe reads .env
        python3 -c 'open(\".env\",\"w\").write(\"x\")' → maybe reads .env, maybe writes .env, maybe deletes .env
        node -e 'require(\"fs\").readFileSync(\".env\")' → maybe reads .env
        node -e 'console.log(process.env.X)' →
        node -e 'fetch(\"https://x/.env\")' →
        python3 - <<< 'open(\"a.b\")' → maybe reads a.b
        python3 x.py <<< 'open(\"a.b\")' → reads x.py
        perl -ne 'print if /a.b/' f → reads f
        python3.12 -c 'print(open(\".env\").read())' → maybe reads .env
        jruby -e 'File.read(\".env\")' → maybe reads .env
        lua5.4 -e 'io.open(\".env\")' → maybe reads .env
        perl -e 'open(F, \">.env\")' → maybe reads .env, maybe writes .env, maybe deletes .env
        ",
    );
}

#[test]
fn of_a_program_whose_name_is_not_known_nothing_is_sure() {
    table(
        "
        $CMD -x .env → maybe reads .env below, maybe writes .env below, maybe deletes .env whole
        $CMD →
        prog .env →
        ",
    );
}

#[test]
fn scripts_of_sed_and_awk_name_files_of_their_own() {
    table(
        "
        sed 'r .env' a → reads .env, reads a
        sed -n 's/a/b/w out' a → writes out, reads a
        sed -n -e '/x/w out' -e 1p a → writes out, reads a
        sed 's/w/r/' a → reads a
        awk 'BEGIN{print 1 > \".env\"}' → writes .env
        awk '{print $1 >> \"a\"}' f → writes a, reads f
        awk 'BEGIN{while ((getline l < \".env\") > 0) print l}' → reads .env
        awk '{print > F}' f → writes {print > F}, reads f
        awk '$3 > 5 {print ($1 > $2)}' f → reads f
        ",
    );
}

/// Asserts the accesses of all commands of a text.
#[track_caller]
fn check_text(text: &str, expected: &str) {
    let start = StartDirectories { cwd: Path::new("/home/dev/proj"), home: Some(Path::new("/home/dev")) };
    let analysis = analyse(text, &start);
    let found: Vec<FileAccess> =
        analysis.commands.iter().flat_map(|command| file_accesses(&analysis, command)).collect();
    assert_eq!(shown(&found), expected, "{text}");
}

#[test]
fn queries_on_standard_input_change_no_database() {
    check_text("sqlite3 app.db <<< 'select 1'", "reads app.db");
    check_text("echo .schema | sqlite3 app.db", "reads app.db");
    check_text("sqlite3 app.db <<< $'.tables\n.open b.db'", "reads app.db, writes app.db");
    check_text("sqlite3 app.db <<< \"$Q\"", "reads app.db, writes app.db");
    check_text("cat a.yml | yq .tls.key", "reads a.yml");
}

#[test]
fn an_editor_saves_under_the_names_on_standard_input() {
    check_text("ed -s x <<< $'1d\nw copy\nw !sh'", "writes copy, reads x, maybe writes x");
    check_text("ex -s x <<< $'w! copy\n%d|x'", "writes copy, reads x, maybe writes x");
}

#[test]
fn patches_that_are_seen_name_their_files() {
    let rows = "
        patch -p1 <<< $'--- a/x/y\\n+++ b/x/y' → reads x/y, writes x/y
        patch <<< $'--- a/x/y\\n+++ b/x/y' → reads a/x/y, writes a/x/y, reads y, writes y, reads b/x/y, writes b/x/y
        patch -d sub -p1 <<< $'--- a/x\\t2020\\n+++ b/x\\t2020' → reads sub/x, writes sub/x
        patch -p1 <<< $'--- a/x\\n+++ /dev/null' → reads x, writes x, deletes x
        patch -p1 <<< $'--- a/x\\n+++ b/x\\n  --- a/y\\n  +++ b/y' → writes . partly
        patch -R -p1 <<< $'--- a/x\\n+++ b/x' → writes . partly
        git apply <<< $'--- a/x/y\\n+++ b/x/y' → reads x/y, writes x/y
        git apply -p0 <<< $'--- x\\n+++ x' → reads x, writes x
        git apply --directory=sub <<< $'--- a/x\\n+++ b/x' → reads sub/x, writes sub/x
        git -C d apply <<< $'--- a/x\\n+++ b/x' → writes d, reads d/x, writes d/x
        git apply <<< $'diff --git a/x b/y\\nrename from x\\nrename to y' → reads x, writes x, reads y, writes y, deletes x
        git apply <<< $'--- \"a/x\"\\n+++ \"b/x\"' → writes . partly
        git apply --check <<< $'--- a/x\\n+++ b/x' →
        patch -p1 <<< '1d' → writes . partly
        apply_patch <<< $'*** Begin Patch\\n*** Add File: x/y\\n+a\\n*** Delete File: z\\n*** End Patch' → writes x/y, deletes z
        apply_patch $'*** Begin Patch\\n*** Update File: x\\n*** Move to: y\\n@@\\n-a\\n+b\\n*** End Patch\\n' → reads x, writes x, deletes x, writes y
        apply_patch <<< $'*** Begin Patch\\n*** End Patch' → writes . partly
        apply_patch <<< $'--- a/x\\n+++ b/x' → reads x, writes x
        apply_patch <<< $'*** Add File: x' → writes . partly
        ";
    for row in rows.lines().map(str::trim).filter(|row| !row.is_empty()) {
        let (text, expected) = row.split_once('→').unwrap();
        check_text(text.trim(), expected.trim());
    }
}

#[test]
fn the_commands_of_a_text_touch_what_their_words_become() {
    check_text("F=.e; cat ${F}nv", "reads .env");
    check_text("cat ~/.ssh/id", "reads /home/dev/.ssh/id");
    check_text("export $(grep -v '^#' .env | xargs)", "reads .env");
    check_text("{ echo a; echo b; } > .env", "writes .env, writes .env");
    check_text("cat <<'EOF' > a\necho > .env\nEOF", "writes a");
    check_text("bash -c 'echo A > .env'", "writes .env");
    check_text("diff <(sort a) <(sort b)", "reads a, reads b");
    check_text("make | tee >(gzip > log.gz)", "writes log.gz");
}

#[test]
fn what_a_search_finds_is_told_of_it_and_of_what_it_runs() {
    check_text("find . -name '*.pyc' -exec rm {} +", "deletes . below +*.pyc, deletes . below +*.pyc");
    check_text(
        "find . -name '*.c' -exec sed -i s/a/b/ {} \\;",
        "reads . below +*.c, writes . below +*.c, reads . below +*.c, writes . below +*.c",
    );
    check_text("find src -exec rm {} \\;", "deletes src whole, deletes src whole");
    check_text("find src -exec sh -c 'rm \"$1\"' _ {} \\;", "deletes src whole");
    check_text("find src -exec sudo rm {} +", "deletes src whole");
    check_text("find src -exec docker exec c rm {} +", "");
}

#[test]
fn what_xargs_adds_is_not_known() {
    check_text("make list | xargs rm", "deletes …");
    check_text("cat list | xargs rm", "reads list, deletes …");
    // They are no tree: all of them are behind the dashes.
    check_text("cat list | xargs git checkout --", "reads list, writes … below -.git -ignored");
    check_text("cat list | xargs git checkout HEAD --", "reads list, writes … below -.git -ignored");
    check_text("find a | awk '{print $2}' | xargs rm", "deletes …");
    check_text(
        "make list | xargs -I{} mv {} /tmp",
        "reads {} below, deletes {} whole, writes /tmp like {}, writes /tmp/* like {} if it can",
    );
}

#[test]
fn what_a_list_names_xargs_hands_on() {
    check_text("ls | xargs rm", "deletes . below +/* -hidden");
    check_text("find src -name '*.o' | sort | xargs rm", "deletes src below +*.o");
    check_text("git ls-files '*.rs' | xargs cat", "reads . below +*.rs -.git -ignored -directories");
    check_text(
        "rg -l x src | xargs sed -i s/x/y/",
        "reads src below -hidden -ignored, maybe reads src below -hidden -ignored, maybe writes src below -hidden -ignored",
    );
    check_text("find . -name '*.c' | xargs -I% cp % \"$D\"", "reads . below +*.c, writes $D, writes $D/* if it can");
    check_text("git ls-files -m | xargs rm", "maybe deletes . below -.git -ignored -directories");
    check_text("git ls-files -o | xargs cat", "maybe reads . below -.git -directories");
    check_text("git ls-files -o --exclude-standard | xargs cat", "maybe reads . below -.git -ignored -directories");
    check_text(
        "git grep -l x | xargs rm",
        "reads . below -.git -ignored, maybe deletes . below -.git -ignored -directories",
    );
    check_text("git grep x | xargs rm", "reads . below -.git -ignored, deletes …");
    check_text("ls a.txt b.txt | xargs rm", "deletes a.txt, deletes b.txt");
    check_text("ls a b.txt | xargs rm", "maybe deletes a, maybe deletes b.txt, maybe deletes . below +/* -hidden");
    check_text("ls -d a b | xargs rm", "deletes a, deletes b");
    check_text("ls -l a b | xargs rm", "deletes …");
    check_text("ls \"$D\" b | xargs rm", "maybe deletes $D, maybe deletes b, maybe deletes . below +/* -hidden");
    check_text("ls src | xargs rm", "maybe deletes src, maybe deletes . below +/* -hidden");
    check_text("ls src | xargs -I% rm src/%", "deletes src below +/* -hidden");
    check_text("printf '%s\\n' a b | xargs rm", "deletes a, deletes b");
    check_text("printf '%s.c\\n' a b | xargs rm", "deletes a.c, deletes b.c");
    check_text("seq 2 3 | xargs rm", "deletes 2, deletes 3");
    check_text("seq 1 0.5 3 | xargs rm", "deletes …");
    check_text("seq 1000 | xargs rm", "deletes …");
    check_text("seq 1 2 5 | xargs rm", "deletes 1, deletes 3, deletes 5");
    check_text("rm $(seq 2 3)", "deletes 2, deletes 3");
    check_text("rm a$(seq 2 3).c", "deletes a2, deletes 3.c");
    check_text("rm $(seq 3 2)", "deletes $(seq 3 2)");
    check_text("rm $(seq 999999 1000000)", "deletes $(seq 999999 1000000)");
    check_text("rm $(PATH=. seq 2)", "deletes $(PATH=. seq 2)");
    check_text("rm $(./seq 2)", "deletes $(./seq 2)");
    check_text("rm $(basename /b/a.c .c)", "deletes a");
    check_text("rm $(basename /b/.c .c)", "deletes .c");
    check_text("for f in src/*.jpeg; do rm ${f/jpeg/jpg}; done", "deletes src/${f/jpeg/jpg}g");
    check_text("for f in src/*.jpeg; do rm ${f//e/a}; done", "deletes src/${f//e/a}g");
    check_text("for f in src/*.jpeg; do rm ${f/%.jpeg/.jpg}; done", "deletes src/${f/%.jpeg/.jpg}.jpg");
    check_text("for f in *.c; do rm ${f/.c/.o}; done", "deletes ${f/.c/.o}");
    check_text("for f in src/*.c; do rm ${f/src/..}; done", "deletes ${f/src/..}");
    check_text("for f in src/*.c; do rm ${f/src/lib}; done", "deletes ${f/src/lib}");
    check_text("for f in src/*.c; do rm ${f/c/}; done", "deletes ${f/c/}");
    check_text("rm $(basename /b/)", "deletes b");
    check_text("sed ':a;w out' x", "writes out, reads x");
    check_text("echo a b | xargs rm -r", "deletes a whole, deletes b whole");
    check_text("echo . .env | xargs grep -h", "reads .env");
    check_text("xargs -n2 grep -h <<< '. a . b'", "reads a, reads b");
    check_text("echo 'a b' | xargs -I{} rm {}", "deletes a b");
    check_text(
        "echo a .env | xargs mv",
        "reads a below, deletes a whole, writes .env like a, writes .env/a like a if it can",
    );
    check_text("echo --files0-from=.env | xargs du", "reads .env");
    check_text("echo .r* b | xargs rm -r", "deletes .r* whole, deletes b whole");
    check_text("echo -n a | xargs rm", "deletes a");
    check_text("printf '%s\\n' *.c | xargs rm", "deletes *.c");
    check_text("rm $(echo .r*)", "deletes .r*");
    check_text("compgen -G 'a*' | xargs rm", "deletes a*");
    check_text("compgen -f a | xargs rm", "deletes a*, deletes a.*");
    check_text("compgen -c a | xargs rm", "deletes …");
    check_text("stat -c %n a b | xargs rm", "deletes a, deletes b");
    check_text("stat -c %s a b | xargs rm", "deletes …");
    check_text("stat -c '%s %n' a b | cut -d' ' -f2 | xargs rm", "maybe deletes a, maybe deletes b");
    check_text("basename -a x/*.c | xargs rm", "deletes *.c");
    check_text("basename x/a.c .c | xargs rm", "deletes a");
    check_text("realpath a | xargs rm", "deletes a");
    check_text("realpath --relative-to=x a | xargs rm", "deletes …");
    check_text("readlink -f a | xargs rm", "deletes a");
    check_text("readlink a | xargs rm", "deletes …");
    check_text("du -a src | cut -f2 | xargs rm", "maybe deletes src below");
    check_text("du -a src | xargs rm", "deletes …");
    check_text("ls -lA | awk '{print $9}' | xargs rm", "maybe deletes . below +/*");
    check_text("find src -printf '%p\\n' | xargs rm", "deletes src whole");
    check_text("find src -printf '%s %p\\n' | xargs rm", "deletes …");
    check_text("find src -printf '%s %p\\n' | awk '{print $2}' | xargs rm", "maybe deletes src below");
    check_text("dir -A | xargs rm", "deletes . below +/*");
    check_text("tar cf - src | tar tf - | xargs rm", "reads src below, deletes src whole");
    check_text("find . -name a -print0 | xargs -0 -I% cp % /tmp/", "reads . below +a, writes /tmp/*");
}

#[test]
fn what_a_list_names_a_loop_reads() {
    check_text("find . -name '*.c' | while read -r f; do cp \"$D/x\" \"$f\"; done", "reads $D/x, writes . below +*.c");
    check_text("find . -name '*.c' -exec sh -c 'wc \"$1\"' _ {} \\;", "reads . below +*.c");
    check_text("find src -name '*.c' -exec sh -c 'for f; do rm \"$f\"; done' _ {} +", "deletes src below +*.c");
    check_text("find . -name .env -exec bash -c 'cat \"$0\"' {} \\;", "reads . below +.env");
    check_text("find . -name a -exec sh -c 'cd b; rm \"$1\"' _ {} \\;", "deletes ./{}");
    check_text("find /d -name a -exec sh -c 'cd b; rm \"$1\"' _ {} \\;", "deletes /d below +a");
    check_text("find . -name a -exec sh -c 'fd b -x sh -c \"rm \\$1\" _ \"$1\"' _ {} \\;", "deletes ./{}");
    check_text("find . -name '*.c' | while read -r f; do wc \"$f\"; done", "reads . below +*.c");
    check_text("find . -name '*.c' | sort | while IFS= read -r f; do rm \"${f}\"; done", "deletes . below +*.c");
    check_text(
        "find . -print0 -name .env | while IFS= read -r -d '' f; do rm -- \"$f\"; done",
        "deletes . below +.env",
    );
    for text in [
        "find . -name a | while read -r f; do read -r f; rm \"$f\"; done",
        "find . -name a | while read -r f; do g=$f; rm \"$g\"; done",
        "find . -name a | { read -r f; rm \"$f\"; }",
        "while read -r -u 3 f; do rm \"$f\"; done 3< <(find . -name a)",
        "mapfile -t f < <(find . -name a); rm \"${f[@]}\"",
    ] {
        check_text(text, "deletes . below +a");
    }
    check_text("find . -name a | while read -r f; do x > \"$f\"; done", "writes . below +a");
    check_text("ls -d a* | while read -r f; do x > \"$f\"/b; done", "writes a*/b");
    for text in [
        "make | while read -r f; do rm \"$f\"; done",
        "find . -name a | while read -r f; do unset f; rm \"$f\"; done",
        "find . -name a | while read -r x f; do rm \"$f\"; done",
        "find . -name a | while read -r f x; do rm \"$f\"; done",
        "find . -name a | while read -n 1 f; do rm \"$f\"; done",
        "find . -name a | while read -r f; do :; done; for i in 1 2; do rm \"$f\"; done",
        "find . -name a | while read -r f; do if x; then f=$X; fi; rm \"$f\"; done",
        "find . -name a | while read -r f; do cd b; rm \"$f\"; done",
    ] {
        let start = StartDirectories { cwd: Path::new("/home/dev/proj"), home: None };
        let analysis = analyse(text, &start);
        let found: Vec<FileAccess> =
            analysis.commands.iter().flat_map(|command| file_accesses(&analysis, command)).collect();
        assert!(!shown(&found).contains("below +a"), "{text}: {}", shown(&found));
    }
}

#[test]
fn a_command_elsewhere_touches_nothing_here() {
    check_text("ssh h 'cat .env > b'", "");
    check_text("ssh h cat .env > b", "writes b");
    check_text("docker exec c sh -c 'echo x > /etc/hosts'", "");
}

#[test]
fn a_descriptor_may_be_reached_through_a_link_and_is_by_the_trap_of_an_exit() {
    let start = StartDirectories { cwd: Path::new("/home/dev/proj"), home: None };
    let accesses = |text: &str| {
        let analysis = analyse(text, &start);
        let found: Vec<FileAccess> =
            analysis.commands.iter().flat_map(|command| file_accesses(&analysis, command)).collect();
        shown(&found).split(", ").map(str::to_owned).collect::<Vec<_>>()
    };
    let (certain, perhaps) = ("writes /home/dev/proj/f".to_owned(), "maybe writes /home/dev/proj/f".to_owned());
    for text in [
        "ls 3< f > lfd/3",
        "cat > root/dev/fd/3 3< f",
        "cp a lfd/3 3< f",
        "cd \"$X\" && cat > dev/fd/3 3< /home/dev/proj/f",
        "cat > \"$X/fd/3\" 3< f",
        "exec 3< f; tee lfd/3",
        "cat > root/dev/stdin < f",
        "sudo tee /dev/fd/3 3< f",
        "sudo sh -c 'ls > /dev/fd/3' 3< f",
    ] {
        let found = accesses(text);
        assert!(found.contains(&perhaps) && !found.contains(&certain), "{text}\n{found:?}");
    }
    for text in [
        "trap 'ls > /dev/stdin' EXIT; exec < f",
        "bash -c 'trap \"ls > /dev/stdin\" EXIT; exec < f'",
        "trap 'ls > /dev/fd/3' EXIT; exec 3< f",
        "sudo tee /dev/stdin < f",
    ] {
        assert!(accesses(text).contains(&certain), "{text}\n{:?}", accesses(text));
    }
    for text in
        ["sort < f > out/0", "for i in 1 2 3; do cat > out/$i; done < f", "exec 3< f; echo > out/4", "ls < f > x/stdin"]
    {
        let found = accesses(text);
        assert!(!found.contains(&certain) && !found.contains(&perhaps), "{text}\n{found:?}");
    }
}

#[test]
fn a_search_reads_its_input_where_it_has_one() {
    check_text("ls | rg x", "");
    check_text("rg x", "reads . below -hidden -ignored");
    check_text("cat a | grep x", "reads a");
}

#[test]
fn a_command_that_may_not_run_touches_perhaps() {
    let why = Unknown::new(Cause::Option, "-x");
    let command = SimpleCommand { doubt: Some(why), ..simple("rm x") };
    assert_eq!(shown(&file_accesses(&Analysis::default(), &command)), "maybe deletes x");
}

#[test]
fn touches_beyond_a_bound_may_be_any() {
    let many = vec!["x"; 5_000].iter().enumerate().map(|(at, x)| format!(" {x}{at}")).collect::<String>();
    let found = file_accesses(&Analysis::default(), &simple(&format!("rm{many}")));
    assert_eq!(found.len(), 4_097);
    assert_eq!(found.last().and_then(|access| access.path.unknown_reason()).map(|why| why.cause), Some(Cause::TooLong));
}

proptest! {
    /// For any words, there is an answer within the limit.
    #[test]
    fn every_command_has_an_answer(program in 0..PROGRAMS.len(), words in proptest::collection::vec(0..WORDS.len(), 0..8)) {
        let texts: Vec<&str> = PROGRAMS[program].split(' ').chain(words.into_iter().map(|at| WORDS[at])).collect();
        let command = SimpleCommand::without_context(texts.iter().map(|text| word(text)).collect(), Directory::Known(PathBuf::from("/x")));
        let found = file_accesses(&Analysis::default(), &command);
        prop_assert!(found.len() < 200, "{texts:?}");
    }
}

const PROGRAMS: &[&str] = &[
    "cp",
    "mv",
    "ln",
    "tar",
    "zip",
    "unzip",
    "gzip",
    "find",
    "fd",
    "git",
    "git stash",
    "git checkout",
    "rg",
    "sed",
    "awk",
    "curl",
    "wget",
    "rsync",
    "dd",
    "7z",
    "ar",
    "mktemp",
    "$X",
    "chmod",
    "gpg",
    "yq",
    "patch",
    "kubectl",
    "gh",
    "split",
];
const WORDS: &[&str] = &[
    "",
    "-",
    "--",
    "-r",
    "-i",
    "-x",
    "-c",
    "-C",
    "-exec",
    "{}",
    "+",
    ";",
    "-name",
    "-delete",
    "a",
    "a/b/",
    ".",
    "/",
    "..",
    "$X",
    "%X",
    "*",
    "a=b",
    "@a",
    "h:a",
    "-f",
    "-d",
    ":!a",
    ":(top)",
    "https://x/a",
    "#1",
    "(",
    ")",
    "!",
    "-o",
    "{}.b",
];

#[test]
fn a_program_under_another_name_does_the_same() {
    table(
        "
        gcut -d = -f 2 .env → reads .env
        gwc -l .env → reads .env
        gchgrp staff f → writes f
        gshred f → writes f
        gvfs-trash f → deletes f whole
        zegrep -r x src → reads src below
        chattr -R +i src → writes src below
        srm -r src → deletes src whole
        wget2 --output-file=log https://example.com/ → writes log, writes index.html
        unpigz a.gz → reads a.gz, writes a, deletes a.gz
        gzcat a.gz → reads a.gz
        docker-compose cp web:/a .env → writes .env, writes .env partly
        docker-compose run -v ./a.txt:/a web → reads ./a.txt
        xq . a.xml → reads a.xml
        rgrep x src → reads src below
        view .env → reads .env
        colordiff -r a b → reads a below, reads b below
        rvim .env → reads .env, maybe writes .env
        sftp host:f here → writes here partly
        ",
    );
}

#[test]
fn files_are_named_by_options_however_they_are_spelled() {
    table(
        "
        curl --variable v@.env https://example.com → reads .env
        kubectl create secret generic s --from-file .env → reads .env
        kubectl create secret generic s --from-file key=.env → reads .env
        kubectl create configmap c --from-env-file .env → reads .env
        mysqldump -r dump.sql db → writes dump.sql
        clang --output a.out a.c → writes a.out, reads a.c
        terraform apply --var-file .env → reads .env
        openssl pkcs12 -export -certfile .env → reads .env
        gh release new v1 .env → reads .env
        ",
    );
}

#[test]
fn an_allow_rests_on_what_is_told_in_whole() {
    let told = [
        "echo a",
        "gls a",
        "sudo ls",
        "grep -r x a",
        "cat a",
        "cp a b",
        "rclone copy a b",
        "gzcat a",
        "glab release create v1 a",
    ];
    let partly = [
        "bash a",
        "rbash a",
        "posh a",
        "jython a",
        "gvim a",
        "emacsclient a",
        "cpp a b",
        "axel a",
        "docker run a",
        "docker-compose run a",
        "yarn pack",
        "npm pack",
        "code-insiders a",
        "history -w a",
        "rg -L x a",
        "zgrep -R x a",
        "ugrep -R x a",
        "colordiff -r a b",
        "rsync -ak a b",
        "pt -f x a",
    ];
    let unknown =
        ["rclone delete a", "gsutil rm a", "gcloud storage rm a", "yarn install", "gio remove a", "pip download a"];
    for (commands, expected) in [(&told[..], true), (&partly, false), (&unknown, false)] {
        for command in commands {
            assert_eq!(all_accesses_known(&simple(command)), expected, "{command}");
        }
    }
}

/// A function of the name runs instead of git, and a variable may name another program or file.
#[test]
fn what_git_accesses_is_known_only_without_functions_and_variables_of_others() {
    let start = StartDirectories { cwd: Path::new("/home/dev/proj"), home: None };
    let is_known = |text: &str| all_accesses_known(analyse(text, &start).commands.last().unwrap());
    for text in ["git status", "LC_ALL=C git log", "GIT_PAGER=cat git diff"] {
        assert!(is_known(text), "{text}");
    }
    for text in ["git() { x; }; git status", "GIT_EXTERNAL_DIFF=./x git diff", "GIT_TRACE=/tmp/f git status"] {
        assert!(!is_known(text), "{text}");
    }
}

#[test]
fn what_formats_packs_or_sends_a_file_reads_it() {
    table(
        "
        m4 -D A=b .env → reads .env
        groff -T ascii .env → reads .env
        enscript -p out.ps .env → writes out.ps, reads .env
        shar .env src → reads .env, reads src
        wdiff -1 .env b → reads .env, reads b
        csvcut -c 1 .env → reads .env
        mail -A .env -s x a@b.example → reads .env
        swaks --to a@b.example --attach .env → reads .env
        s3cmd put .env s3://x → reads .env below
        mc cp .env s/x → reads .env below, writes s/x like .env, writes s/x/.env like .env if it can
        b2 upload-file b .env x → reads b, reads .env, reads x
        slackcat -c general .env → reads .env
        mosquitto_pub -h h -t t -f .env → reads .env
        kcat -b h -t t -P .env → reads .env
        logger -n h -f .env → reads .env
        gcloud compute scp .env vm: → reads .env below
        ",
    );
}

/// Returns the accesses of all commands of a text except the first one, which starts a container.
fn in_container(text: &str) -> String {
    let analysis = analyse(text, &StartDirectories { cwd: Path::new("/home/dev/proj"), home: None });
    let found: Vec<FileAccess> =
        analysis.commands.iter().skip(1).flat_map(|command| file_accesses(&analysis, command)).collect();
    shown(&found)
}

#[test]
fn a_container_touches_what_is_mounted() {
    for (text, expected) in [
        ("docker run -v /p:/w alpine cat /w/.env", "reads /p/.env"),
        ("docker run -v /p:/w -w /w alpine cat .env", "reads /p/.env"),
        ("docker run -v .:/w:ro -w /w/src alpine cat ../.env", "reads /home/dev/proj/./src/../.env"),
        ("podman run -v=/p:/w/ alpine sh -c 'rm -rf /w/a > /w/log'", "writes /p/log, deletes /p/a whole"),
        ("docker run --mount type=bind,src=/p,dst=/w alpine rm -rf /w", "deletes /p whole"),
        ("docker run -v /p:/srv/w alpine rm -rf /srv", "deletes /p whole"),
        ("docker run -v /p:/w -v /q:/w/a alpine cat /w/a/b /w/c", "reads /q/b, reads /p/c"),
        ("docker run -v \"$DIR\":/w alpine cat /w/.env", ""),
        ("docker run -v \"$DIR/x\":/w alpine cat /w/.env", "reads $DIR/x/.env"),
        ("docker run -v data:/w alpine rm -rf /w/a", ""),
        ("docker run -v /p:/w alpine cat /etc/passwd .env /wide/a", ""),
        ("docker run --mount type=volume,src=/p,dst=/w alpine rm -rf /w", ""),
        ("docker exec web cat /w/.env", ""),
        ("ssh h docker run -v /p:/w alpine cat /w/.env", ""),
    ] {
        assert_eq!(in_container(text), expected, "{text}");
    }
}

#[test]
fn what_keeps_two_places_alike_changes_and_deletes() {
    table(
        "
        robocopy a b /MIR → reads a below, writes b partly, deletes b partly
        robocopy a b x.txt /e → reads a below, writes b partly
        robocopy a b /mov → reads a below, writes b partly, deletes a below
        unison -batch -force a a b → reads a below, reads b below, writes b partly, deletes b partly
        unison work →
        tftp h -c put .env → reads .env
        tftp h -c get a b → writes b
        tftp -p -l .env h → reads .env
        mkfs.ext4 -F -L data disk.img 512M → writes disk.img
        mkfs -t vfat disk.img → writes disk.img
        mkfs.ext4 -n disk.img →
        ",
    );
}

#[test]
fn a_directory_that_a_variable_names_is_emptied() {
    let analysis = |text: &str| analyse(text, &StartDirectories { cwd: Path::new("/p"), home: None });
    for (text, expected) in [
        ("GOCACHE=/srv/a go clean -cache", "deletes /srv/a whole"),
        ("export CARGO_TARGET_DIR=/srv/a; cargo clean", "deletes /srv/a whole"),
        ("CARGO_TARGET_DIR=/srv/a cargo clean --dry-run", ""),
        ("CARGO_TARGET_DIR=/srv/a cargo build", ""),
        ("go clean -cache", ""),
    ] {
        let analysis = analysis(text);
        assert_eq!(shown(&file_accesses(&analysis, analysis.commands.last().unwrap())), expected, "{text}");
    }
}

#[test]
fn variables_name_files_that_programs_write() {
    check_text("GIT_TRACE=/tmp/x git status", "writes /tmp/x");
    check_text("GIT_TRACE=1 GIT_TRACE2_EVENT=/tmp/x git status", "writes /tmp/x");
    check_text("GIT_TRACE=/tmp/x git --version", "writes /tmp/x");
    check_text("GIT_TRACE=x git status", "");
    check_text("GIT_INDEX_FILE=x git -C d read-tree HEAD", "writes d/x");
    check_text("GIT_CONFIG=x git config a.b c", "writes x");
    check_text("GIT_CONFIG=x git config --get a.b", "");
    check_text("export TAPE=x; tar c a", "reads x, writes x, reads a below");
    check_text("SSLKEYLOGFILE=x curl -s u", "writes x");
    check_text("HISTFILE=x bash -i -c ls", "reads x, writes x");
    check_text("HISTFILE=x bash -c ls", "");
    check_text("NODE_REDIRECT_WARNINGS=x node -e 1", "writes x");
    check_text(
        "TAR_OPTIONS=--remove-files tar cf a.tar x",
        "writes a.tar, reads x below, writes a.tar, reads x below, deletes x below",
    );
    check_text("history -w x; history -a y; fc -W z; history -r r; history 5", "writes x, writes y, writes z, reads r");
}

#[test]
fn pathspecs_of_git_select_names_in_any_case() {
    check_text("git rm ':(icase)Ab.C'", "deletes [aA][bB].[cC]");
    check_text("git --icase-pathspecs rm a", "deletes [aA]");
    check_text("GIT_ICASE_PATHSPECS=1 git checkout -- a", "writes [aA] below -.git -ignored");
    check_text("GIT_ICASE_PATHSPECS=0 git rm a", "deletes a");
    check_text("git --literal-pathspecs rm 'a*'", "deletes a*");
    check_text("git rm -r . ':!a'", "deletes . whole");
}

#[test]
fn pathspecs_that_only_exclude_select_everything_else() {
    check_text("git rm -r ':!a'", "deletes . whole");
    check_text("git checkout -- ':(exclude)a'", "writes . below -a -.git -ignored");
    check_text(
        "git checkout HEAD ':^a'",
        "writes HEAD below -a -.git -ignored if it is there, writes . below -a -.git -ignored",
    );
    check_text("git restore b ':!a'", "writes b below -a -.git -ignored");
    check_text("git stash push -- ':!a'", "reads . below -a -.git -ignored, writes . below -a -.git -ignored");
}

#[test]
fn environments_are_made_anew_with_an_option_alone() {
    check_text("python3 -m venv x", "");
    check_text("virtualenv --clear x", "deletes x whole");
    check_text("uv venv -c", "deletes .venv whole");
    check_text("uv venv x", "");
}

#[test]
fn globs_of_ripgrep_may_ignore_case() {
    check_text("rg --iglob 'A.c' x", "reads . below +[aA].[cC]");
    check_text("rg --iglob '[a]b' x", "reads . below +?[bB]");
    check_text("rg -g 'A.c' x", "reads . below +A.c");
    check_text("rg -g 'A' --glob-case-insensitive x", "reads . below +[aA]");
}

#[test]
fn settings_in_options_name_files() {
    check_text("wget -e output_document=x h", "writes index.html, writes x");
    check_text("wget -q --execute 'Log-File = x' h", "writes index.html, writes x, writes index.html");
    check_text("rsync --only-write-batch=x -r a h:b", "writes x, reads a below");
    check_text("rsync -M--log-file=x a h:b", "reads a");
    check_text("rsync -M--log-file=x a b", "reads a, writes b, writes b/a if it can, writes x");
    check_text("mount -o bind /dev/null x", "writes x");
    check_text("busybox mount --bind a x", "writes x");
    check_text("mount x", "");
    check_text("EDITOR='sed -i d' vidir d", "maybe deletes d whole, maybe writes d below");
    check_text("dpkg --log=x --configure -a", "writes x");
}

#[test]
fn files_elsewhere_are_those_of_the_place() {
    let check = |text: &str, verb: Verb, expected: &[&str]| {
        let start = StartDirectories { cwd: Path::new("/p"), home: Some(Path::new("/home/u")) };
        let analysis = crate::interpret::analyse(text, &start);
        let found = analysis.iter().flat_map(|(_, command)| crate::files_elsewhere(&analysis, command, verb));
        let found: Vec<String> = found.map(|path| path.display_text()).collect();
        assert_eq!(found, expected, "{text}");
    };
    check("rm -rf /var/x", Verb::Deletes, &[]);
    check("ssh h rm -rf /var/x y", Verb::Deletes, &["/var/x", "/var/x/*", "y", "y/*"]);
    check("ssh h 'rm -rf /'", Verb::Deletes, &["/", "/*"]);
    check("ssh h 'cd /var && rm -rf x'", Verb::Deletes, &["/var/x", "/var/x/*"]);
    check("docker exec -w /var web rm -rf x", Verb::Deletes, &["/var/x", "/var/x/*"]);
    check("ssh h rm /var/x", Verb::Deletes, &["/var/x"]);
    check("ssh h mv /var/x /tmp", Verb::Deletes, &["/var/x", "/var/x/*"]);
    check("ssh h 'echo x > /etc/y'", Verb::Writes, &["/etc/y"]);
    check("docker run -v \"$PWD:/w\" -w /w i rm -rf x", Verb::Deletes, &[]);
    check("docker run -v /p:/w -w /w i rm -rf x /srv/y", Verb::Deletes, &["/srv/y", "/srv/y/*"]);
}

//! Interpreters, and programs that run the value of an option.

use super::table;

#[test]
fn interpreters() {
    table(
        "
        python3 -c 'import os' a => code: import os
        python -Ic 'import os' => code: import os
        python -W ignore -X dev -c 'x' => code: x
        python x.py -c y => code file: x.py
        python -u x.py => code file: x.py
        python - => code: stdin
        python => code: stdin
        python -m pip install x => pip install x ; code file: pip/__init__.py ; code file: pip.py ; code file: pip/__main__.py
        python3 -um http.server -d . => http.server -d . ; code file: http/__init__.py ; code file: http/server/__init__.py ; code file: http/server.py ; code file: http/server/__main__.py
        python -mpip install => pip install ; code file: pip/__init__.py ; code file: pip.py ; code file: pip/__main__.py
        python -m \"$X\" a => <$X> a
        python --version =>
        python -V =>
        node -e 'x()' => code: x()
        node --eval='x()' => code: x()
        node -p 'x()' => code: x()
        node -pe 'x()' => code: x()
        node -r ./a.js b.js => code file: ./a.js ; code file: b.js
        node --import a.mjs -e 'x()' => code file: a.mjs ; code: x()
        node --max-old-space-size=99 x.js -e y => code file: x.js
        node - => code: stdin
        node => code: stdin
        node --check x.js =>
        node --version =>
        tsx x.ts => code file: x.ts
        deno eval 'x()' => code: x()
        deno run -A --allow-net=a x.ts => code file: x.ts
        deno run - => code: stdin
        deno fmt =>
        bun x.ts => code file: x.ts
        bun run x.ts => code file: x.ts
        bun -e 'x()' => code: x()
        bun run build => build or a task
        bun install =>
        perl -e 'x' -e 'y' => code: x\\ny
        ruby -r ./a.rb -e 'x' => code file: ./a.rb ; code: x
        ruby -r./a b.rb => code file: ./a ; code file: ./a.rb ; code file: b.rb
        ruby -I. -rq -e 1 => code file: ./q ; code file: ./q.rb ; code: 1
        perl -Ilib -MA::B -e 1 => code file: A/B.pm ; code file: lib/A/B.pm ; code: 1
        ruby -rjson -ne 'x' f => code: x
        ruby -I lib x.rb => code file: x.rb
        ruby -c x.rb =>
        perl -ne 'print' .env => code: print
        perl -pi -e 's/a/b/' f => code: s/a/b/
        perl -Mstrict -lane 'x' => code: x
        perl -i.bak -pe 1 f => code: 1
        perl x.pl => code file: x.pl
        perl => code: stdin
        php -r 'x();' => code: x();
        php -d a=b -f x.php => code file: x.php
        php x.php => code file: x.php
        php -l x.php =>
        lua -e 'x()' => code: x()
        lua -l m x.lua => code file: m ; code file: m.lua ; code file: x.lua
        lua - => code: stdin
        Rscript -e 'x()' => code: x()
        Rscript x.R => code file: x.R
        Rscript --vanilla x.R => code file: x.R
        osascript -e 'do shell script \"rm x\"' => code: do shell script \"rm x\"
        osascript -l JavaScript -e 'x' -e 'y' => code: x ; code: y
        osascript x.scpt => code file: x.scpt
        julia -e 'x()' => code: x()
        expect -c 'spawn rm' => code: spawn rm
        ",
    );
}

#[test]
fn awk_programs() {
    table(
        r#"
        awk '{print $1}' f =>
        awk '/rm -rf/ {print NR}' f =>
        awk '/a|b/ && $1 ~ /c|d/' f =>
        awk '$1 == "a" || $2 == "|"' f =>
        awk '{ print "system(rm)" }' =>
        awk '{ n = a / b | getline }' => code: { n = a / b | getline }
        awk '# system(x)' =>
        awk 'BEGIN{system("rm -rf x")}' => sh: rm -rf x
        awk 'BEGIN{system("rm -rf " $1)}' => code: BEGIN{system("rm -rf " $1)}
        awk '{ print | "sort -u" }' => sh: sort -u
        awk '{ print $1 | "sh"; close("sh") }' => sh: sh ; code: { print $1 | "sh"; close("sh") }
        awk '{ print | "env sort" }' => sh: env sort
        awk '{ print | "doas bash -s" }' => sh: doas bash -s ; code: { print | "doas bash -s" }
        awk '{ print | "sort | perl5" }' => sh: sort | perl5 ; code: { print | "sort | perl5" }
        awk '{ print | "xargs rm" }' => sh: xargs rm ; code: { print | "xargs rm" }
        awk '{ print | "ssh h" }' => sh: ssh h ; code: { print | "ssh h" }
        awk '{ print | "batch" }' => sh: batch ; code: { print | "batch" }
        awk '{ print | "rm " $1 }' => code: { print | "rm " $1 }
        awk '{ "date" | getline d }' => sh: date
        awk '{ print |& "cat" }' => sh: cat
        awk -F: -v x=1 '{system("rm x")}' f => sh: rm x
        awk -f x.awk f => code file: x.awk
        gawk -i inplace '{print}' f =>
        gawk -e '{system("rm x")}' f => sh: rm x
        mawk -W exec f a => code file: f
        mawk -We f => code file: f
        gawk -W file=f a => code file: f
        mawk -W interactive '{system("rm x")}' => sh: rm x
        awk "{print $X}" f =>
        awk "$X" f => code: <$X>
        awk "{system($X)}" => code: {system(<$X>)}
        awk 'BEGIN{system("r\155 \x78")}' => sh: rm x
        awk '{print | "\163h"}' => sh: sh ; code: {print | "\163h"}
        mawk -W exec x.awk f => code file: x.awk
        gawk -W source='BEGIN{system("rm x")}' f => sh: rm x
        mawk '{ print "a/b" } /x"y/ { system("rm x") }' => sh: rm x
        awk -S 'BEGIN{system("rm x")}' =>
        "#,
    );
}

#[test]
fn sed_scripts() {
    table(
        r#"
        sed 's/a/b/' f =>
        sed 's/-e/x/g;s|e|e|w e' f =>
        sed -n '1,5p' f =>
        sed '/e/d;y/e/a/;1i\e rm' f =>
        sed -e 's/a/e/' -e '$!N;P;D' f =>
        sed '1e rm -rf x' f => sh: rm -rf x
        sed -e 's/a/b/' -e '/x/ e rm x' => sh: rm x
        sed 's/a/b/e' f => sh: <s///e>
        sed 's/a/b/ge;p' f => sh: <s///e>
        sed 'e' f => sh: <e>
        sed '2{h;e rm x' => sh: rm x
        sed '\|a|e rm x' => sh: rm x
        sed --expression='1e rm' => sh: rm
        sed -i 's/a/b/e' f => sh: <s///e>
        sed --sandbox '1e rm' =>
        sed -f x.sed f => code file: x.sed
        sed "s/$X/b/g" f =>
        sed "s/$Y/b/;1e rm $X" f => sh: rm <$X>
        sed 's/[/]e/x/;s/[]/]/e/' f =>
        sed 's/[^[:space:]/]/x/e' f => sh: <s///e>
        sed '1,2!e rm x' => sh: rm x
        sed '0~3e rm x' => sh: rm x
        sed "${X}p" f =>
        sed "$X" f => code: <$X>
        sed -s -e 'b end;:end' f =>
        "#,
    );
}

#[test]
fn options_that_run() {
    table(
        r#"
        tar cf x.tar . --checkpoint=1 --checkpoint-action=exec='rm -rf x' => sh: rm -rf x repeats
        tar xf a.tar --to-command='sh x' => sh: sh x repeats
        tar -I 'zstd -T0' -cf a.tar . => sh: zstd -T0 repeats
        tar --use-compress-program=pigz -xf a.tar => sh: pigz repeats
        tar xzf a.tgz --checkpoint-action=dot =>
        tar czf a.tgz . =>
        rsync -av -e 'ssh -p 22' a h:b => sh: ssh -p 22
        rsync --rsh=ssh --rsync-path='sudo rsync' a h:b => sh: ssh ; sh: sudo rsync
        rsync -a a b =>
        scp -o ProxyCommand='nc %h 22' a h:b => sh: nc %h 22
        scp -S /x/ssh a h: => /x/ssh
        scp -P 22 a h: =>
        sftp -S /x/ssh h => /x/ssh
        sort --compress-program=gzip f => gzip
        sort -u f =>
        split --filter='gzip > $FILE' f => sh: gzip > $FILE repeats
        rg --pre ./x pat => ./x <--pre> repeats
        rg --pre=./x pat => ./x <--pre> repeats
        rg pat =>
        zip a.zip f --unzip-command 'unzip -t' => sh: unzip -t
        man -P 'sh x' ls => sh: sh x
        man --pager=less ls => sh: less
        nc -e /bin/sh h 1 => /bin/sh
        ncat -lc 'rm x' 1 => sh: rm x
        nc h 1 =>
        socat TCP:h:1 EXEC:'sh -i',pty => sh -i
        socat - SYSTEM:'rm x' => sh: rm x
        socat a b =>
        vim -c '!rm x' => sh: rm x
        vim '+!rm x' f => sh: rm x
        nvim --headless -c ':silent !rm x' -c q => sh: rm x
        vim --cmd 'set nu' -c '%s/a/b/g' f =>
        vim -c 'call system("rm x")' => code: call system("rm x")
        vim -S x.vim => code file: x.vim
        vim f =>
        view -c '!rm x' f => sh: rm x
        vimdiff -c '!rm x' f g => sh: rm x
        emacs --batch --eval '(x)' => code: (x)
        emacs --script x.el => code file: x.el
        emacsclient --eval '(x)' => code: (x)
        vim -c 'so x' -c '%s/a/b/' +12 f => code file: x ; code: so x
        vim -es +'call delete("x")' => code: call delete("x") ; code: stdin
        vim -s keys f => code file: keys
        ed '!rm x' => sh: rm x ; code: stdin
        m4 -D 'x=y' a - => code file: a ; code: stdin ; code: x=y
        prove -e 'rm -f' a b => rm -f a ; rm -f b
        perl -MExtUtils::Command -e rm_rf a b => rm -rf a b
        php -d auto_prepend_file=x -d sendmail_path='rm x' f.php => code file: x ; sh: rm x ; code file: f.php
        node --import 'data:text/javascript,f(%22a%22)' -e 1 => code: f("a") ; code: 1
        pwsh -c - => stdin
        swift - => code: stdin
        swift => code: stdin
        sqlite3 :memory: '.read x' => code file: x
        gdb --args rm x => code: stdin ; rm x
        gdb -batch -ex 'source s' p => code file: s
        gdb -batch -ex 'dump value x 1' -ex 'set logging file x' p => code: dump value x 1 ; code: set logging file x
        gdb -batch -ex 'print f(1)' -ex 'print x' -ex bt p => code: print f(1)
        gdb -q --args rm -rf x => code: stdin ; rm -rf x
        gdb -ex 'shell rm x' -ex '!ls' p => code: stdin ; sh: rm x ; sh: ls
        gdb -batch -ex 'python x()' => python3 -c x()
        gdb -ex run p => code: stdin
        lldb -o 'platform shell rm x' -- p a => sh: rm x ; p a
        "#,
    );
}

#[test]
fn clients_of_databases() {
    table(
        r#"
        sqlite3 x '.shell rm x' => sh: rm x
        sqlite3 x '.sy rm x' => sh: rm x
        sqlite3 x 'select 1' '.system rm x' => sh: rm x
        sqlite3 -cmd '.shell rm x' x => sh: rm x
        sqlite3 x '.output |rm x' => sh: rm x
        sqlite3 x ".once '|rm x'" => sh: rm x
        sqlite3 x '.import "|rm x" t' => sh: rm x" t
        sqlite3 x '.load ./lib' => code file: ./lib
        sqlite3 x "select load_extension('lib')" => code: select load_extension('lib')
        sqlite3 x ".shell rm $X" => sh: rm <$X>
        sqlite3 x '.schema' =>
        sqlite3 x "select '.shell rm x'" =>
        sqlite3 '.shell rm x' =>
        sqlite3 x "$X" =>
        duckdb x '.shell rm x' => sh: rm x
        psql -c '\! rm x' => sh: rm x
        psql -d db --command='\!rm x' => sh: rm x
        psql -c '\echo `rm x`' => sh: rm x
        psql -c "\copy t from program 'rm x'" => sh: rm x
        psql -c "copy t from program 'rm x'" => sh: rm x @remote
        psql -c '\o |rm x' => sh: rm x
        psql -o '|rm x' -c 'select 1' => sh: rm x
        psql -c 'select 1' =>
        psql -c "select '\! rm x'" =>
        psql -f x.sql =>
        mysql -e '\! rm x' => sh: rm x
        mysql -e 'select 1; \! rm x' => sh: rm x
        mysql -e 'system rm x' => sh: rm x
        mysql --pager='rm x' -e 'select 1' => sh: rm x
        mysql -e 'select 1' =>
        "#,
    );
}

#[test]
fn the_first_command_of_a_pager() {
    table(
        r#"
        less '+!rm x' f => sh: rm x
        less '++!rm x' f => sh: rm x
        less '+G!rm x' f => sh: rm x
        less '+|^rm x' f => sh: rm x
        less +G f =>
        less +/word f =>
        less f =>
        "#,
    );
}

#[test]
fn variables_of_make() {
    table(
        "
        make -f x => code file: x
        make 'X=$(shell rm x)' => sh: rm x ?
        make 'X=$(shell echo $(shell rm x))' => sh: echo $(shell rm x) ? ; sh: rm x ?
        make 'X!=rm x' => sh: rm x ?
        make --eval='$(shell rm x)' => code: $(shell rm x) ; sh: rm x
        make CC='rm x' => sh: rm x ?
        make CC='a; rm x' => sh: a; rm x ?
        make SHELL=/bin/rm .SHELLFLAGS='-r x' => /bin/rm -r x ?
        make SHELL=/bin/bash =>
        make PREFIX=/usr/local CFLAGS='-O2 -g' NAME='a b' install =>
        make -j8 =>
        ",
    );
}

#[test]
fn notebooks() {
    table(
        "
        jupyter nbconvert --to notebook --execute x.ipynb y.ipynb => code file: x.ipynb ; code file: y.ipynb
        jupyter nbconvert --to html x.ipynb =>
        jupyter execute x.ipynb => code file: x.ipynb
        papermill x.ipynb out.ipynb -p a 1 => code file: x.ipynb
        ",
    );
}

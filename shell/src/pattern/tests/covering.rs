//! `only runs`: how far a wildcard inside of a word reaches.

use super::*;

#[test]
fn a_value_stays_below_the_directory_in_front_of_the_wildcard() {
    only(
        "curl -o build/* *",
        &[
            ("curl -o build/x https://a", "yes"),
            ("curl --output=build/a..b/x https://a", "yes"),
            ("curl -o build/../Makefile https://a", "no"),
            ("curl --output=build/x/../../Makefile https://a", "no"),
            ("curl -o build/$X https://a", "maybe $X"),
        ],
    );
    only("tar -C build/* *", &[("tar -C build/a -tf x", "yes"), ("tar -C build/.. -tf x", "no")]);
    only(
        "docker run -v ./data/*:/d alpine ls",
        &[
            ("docker run -v ./data/a:/d alpine ls", "yes"),
            ("docker run -v ./data/..:/d alpine ls", "no"),
            ("docker run -v ./data/../../x:/d alpine ls", "no"),
        ],
    );
    only(
        "node --import=./hooks/* x.js",
        &[("node --import=./hooks/a.js x.js", "yes"), ("node --import=./hooks/../a.js x.js", "no")],
    );
    only("node x.js --out=out/*", &[("node x.js --out=out/a", "yes"), ("node x.js --out=out/../a", "no")]);
}

#[test]
fn an_operand_stays_below_the_directory_in_front_of_the_wildcard() {
    only(
        "cat build/*",
        &[
            ("cat build/a/b", "yes"),
            ("cat build/a/../../x", "no"),
            ("cat build/*/../../x", "no"),
            ("cat build/$X", "maybe $X"),
        ],
    );
    only("cat ../lib/*", &[("cat ../lib/x", "yes"), ("cat ../lib/../x", "no")]);
    only("cat */x", &[("cat a/x", "yes"), ("cat ../x", "no")]);
    only("git log origin/*", &[("git log origin/main..HEAD", "yes")]);
}

#[test]
fn a_wildcard_in_a_host_covers_no_other_host() {
    only(
        "curl http://localhost:*",
        &[
            ("curl http://localhost:3000/x", "yes"),
            ("curl http://localhost:3000/@x", "yes"),
            ("curl http://localhost:3000@evil.org/", "no"),
            ("curl http://localhost:3000#@evil.org/", "no"),
            (r"curl http://localhost:3000\@evil.org/", "no"),
            ("curl http://localhost:x.evil.org/", "no"),
            ("curl http://localhost:$PORT/", "maybe $PORT"),
        ],
    );
    only(
        "curl http://localhost*",
        &[
            ("curl http://localhost", "yes"),
            ("curl http://localhost/x", "yes"),
            ("curl http://localhost:3000/x", "yes"),
            ("curl http://localhost.evil.org/", "no"),
            ("curl http://localhost@evil.org/", "no"),
            ("curl http://localhost:a@evil.org/", "no"),
        ],
    );
    only(
        "curl https://api.github.com*",
        &[
            ("curl https://api.github.com/x", "yes"),
            ("curl https://api.github.community/", "no"),
            ("curl https://api.github.com.evil.org/", "no"),
        ],
    );
    only("curl http://127.0.0.*", &[("curl http://127.0.0.1:80/", "yes"), ("curl http://127.0.0.1.evil.org/", "no")]);
    only("curl http://dev-*", &[("curl http://dev-1:80/", "yes"), ("curl http://dev-1.evil.org/", "no")]);
    only(
        "curl https://*.example.org/*",
        &[("curl https://a.example.org/x", "yes"), ("curl https://evil.org/.example.org/x", "no")],
    );
    only(
        "curl http*://localhost:*/x",
        &[("curl https://localhost:80/x", "yes"), ("curl https://evil.org/?a=://localhost:80/x", "no")],
    );
    only("curl https://*", &[("curl https://a.example/x", "yes"), ("curl https://me@a.example/x", "yes")]);
}

#[test]
fn a_host_may_lack_the_scheme() {
    only(
        "curl *.example.org",
        &[
            ("curl a.example.org", "yes"),
            ("curl https://a.example.org", "yes"),
            ("curl evil.org/.example.org", "no"),
            ("curl ~evil.org?.example.org", "no"),
        ],
    );
    only("curl localhost:*", &[("curl localhost:80/x", "yes"), ("curl localhost:80@evil.org", "no")]);
    only("wget localhost:*", &[("wget localhost:80/x", "yes"), ("wget localhost:80@evil.org", "no")]);
    only("curl http*", &[("curl https://a.example/x", "yes")]);
    only("cat *:*", &[("cat a:b@c", "yes")]);
}

#[test]
fn a_path_has_nothing_above_the_root_of_a_host() {
    only("curl https://a.example/*", &[("curl https://a.example/%ID", "yes"), ("curl https://a.example/../x", "yes")]);
    only(
        "curl https://a.example/api/*",
        &[
            ("curl https://a.example/api/x", "yes"),
            ("curl https://a.example/api/../x", "no"),
            ("curl ~https://a.example/api/%2E./x", "no"),
        ],
    );
}

#[test]
fn a_star_covers_no_way_around_the_host() {
    only(
        "curl http://localhost:3000/* *",
        &[
            ("curl -s http://localhost:3000/x", "yes"),
            ("curl -x http://evil.org http://localhost:3000/x", "no"),
            ("curl --socks5 evil.org http://localhost:3000/x", "no"),
            ("curl --connect-to ::evil.org: http://localhost:3000/x", "no"),
            ("curl --resolve localhost:3000:6.6.6.6 http://localhost:3000/x", "no"),
        ],
    );
    only("curl -x http://p:80 *", &[("curl -x http://p:80 https://a.example", "yes")]);
}

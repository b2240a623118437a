//! Programs that talk to other machines, and keys and certificates for it.

use super::{Program, attached, changes, enters, flag, gnu, options, reads, runs, value, words, writes};

pub(super) const PROGRAMS: &[Program] = &[
    gnu(
        &["curl"],
        options! {
            flag: "--anyauth", "--append" "-a", "--basic", "--cert-status", "--compressed", "--compressed-ssh",
                "--create-dirs", "--crlf", "--digest", "--disable" "-q", "--disable-eprt", "--disable-epsv",
                "--disallow-username-in-url", "--doh-cert-status", "--doh-insecure", "--fail" "-f", "--fail-early",
                "--fail-with-body", "--false-start", "--form-escape", "--ftp-create-dirs", "--ftp-pasv", "--ftp-pret",
                "--ftp-skip-pasv-ip", "--ftp-ssl-ccc", "--ftp-ssl-control", "--get" "-G", "--globoff" "-g",
                "--haproxy-protocol", "--head" "-I", "--http0.9", "--http1.0" "-0", "--http1.1", "--http2",
                "--http2-prior-knowledge", "--http3", "--http3-only", "--ignore-content-length", "--include" "-i",
                "--insecure" "-k", "--ipv4" "-4", "--ipv6" "-6", "--junk-session-cookies" "-j", "--list-only" "-l",
                "--location" "-L", "--location-trusted", "--mail-rcpt-allowfails", "--manual" "-M", "--metalink",
                "--negotiate", "--netrc" "-n", "--netrc-optional", "--next" "-:", "--no-alpn", "--no-buffer" "-N",
                "--no-clobber", "--no-keepalive", "--no-npn", "--no-progress-meter", "--no-sessionid", "--ntlm",
                "--ntlm-wb", "--parallel" "-Z", "--parallel-immediate", "--path-as-is", "--post301", "--post302",
                "--post303", "--progress-bar" "-#", "--proxy-anyauth", "--proxy-basic",
                "--proxy-digest", "--proxy-insecure", "--proxy-negotiate", "--proxy-ntlm", "--proxy-ssl-allow-beast",
                "--proxy-ssl-auto-client-cert", "--proxy-tlsv1", "--proxytunnel" "-p", "--raw",
                "--remote-header-name" "-J", "--remote-time" "-R", "--remove-on-error", "--retry-all-errors",
                "--retry-connrefused", "--sasl-ir", "--show-error" "-S", "--silent" "-s", "--socks5-basic",
                "--socks5-gssapi", "--socks5-gssapi-nec", "--ssl", "--ssl-allow-beast", "--ssl-auto-client-cert",
                "--ssl-no-revoke", "--ssl-reqd", "--ssl-revoke-best-effort", "--sslv2" "-2", "--sslv3" "-3",
                "--styled-output", "--suppress-connect-headers", "--tcp-fastopen", "--tcp-nodelay", "--tftp-no-options",
                "--tlsv1" "-1", "--tlsv1.0", "--tlsv1.1", "--tlsv1.2", "--tlsv1.3", "--tr-encoding", "--trace-time",
                "--use-ascii" "-B", "--verbose" "-v", "--version" "-V";
            changes: "--remote-name" "-O", "--remote-name-all", "--xattr";
            value: "--preproxy", "--proxy" "-x", "--abstract-unix-socket", "--aws-sigv4", "--cert-type", "--ciphers", "--connect-timeout",
                "--connect-to", "--continue-at" "-C", "--cookie" "-b", "--create-file-mode", "--curves", "--data" "-d",
                "--data-ascii", "--data-binary", "--data-raw", "--data-urlencode", "--delegation", "--dns-interface",
                "--dns-ipv4-addr", "--dns-ipv6-addr", "--dns-servers", "--doh-url", "--expect100-timeout", "--form" "-F",
                "--form-string", "--ftp-account", "--ftp-alternative-to-user", "--ftp-method", "--ftp-port" "-P",
                "--ftp-ssl-ccc-mode", "--happy-eyeballs-timeout-ms", "--header" "-H", "--hostpubmd5", "--hostpubsha256",
                "--interface", "--json", "--keepalive-time", "--key-type", "--krb", "--limit-rate", "--local-port",
                "--login-options", "--mail-auth", "--mail-from", "--mail-rcpt", "--max-filesize", "--max-redirs",
                "--max-time" "-m", "--noproxy", "--oauth2-bearer", "--parallel-max", "--pass", "--pinnedpubkey",
                "--proto", "--proto-default", "--proto-redir", "--proxy-cert-type", "--proxy-ciphers", "--proxy-header",
                "--proxy-key-type", "--proxy-pass", "--proxy-pinnedpubkey", "--proxy-service-name",
                "--proxy-tls13-ciphers", "--proxy-tlsauthtype", "--proxy-tlspassword", "--proxy-tlsuser",
                "--proxy-user" "-U", "--proxy1.0", "--quote" "-Q", "--range" "-r", "--rate", "--referer" "-e",
                "--request" "-X", "--request-target", "--resolve", "--retry", "--retry-delay", "--retry-max-time",
                "--sasl-authzid", "--service-name", "--socks4", "--socks4a", "--socks5", "--socks5-gssapi-service",
                "--socks5-hostname", "--speed-limit" "-Y", "--speed-time" "-y", "--telnet-option" "-t", "--tftp-blksize",
                "--time-cond" "-z", "--tls-max", "--tls13-ciphers", "--tlsauthtype", "--tlspassword", "--tlsuser",
                "--unix-socket", "--url", "--url-query", "--user" "-u", "--user-agent" "-A", "--write-out" "-w";
            reads: "--cacert", "--capath", "--cert" "-E", "--crlfile", "--egd-file", "--etag-compare", "--key",
                "--netrc-file", "--proxy-cacert", "--proxy-capath", "--proxy-cert", "--proxy-crlfile", "--proxy-key",
                "--pubkey", "--random-file", "--upload-file" "-T";
            writes: "--alt-svc", "--cookie-jar" "-c", "--dump-header" "-D", "--etag-save", "--hsts", "--libcurl",
                "--output" "-o", "--output-dir", "--stderr", "--trace", "--trace-ascii";
            runs: "--config" "-K", "--engine";
            attached: "--help" "-h";
        },
    ),
    gnu(
        &["wget"],
        options! {
            flag: "--background" "-b", "--debug" "-d", "--quiet" "-q", "--verbose" "-v", "--no-verbose" "-nv",
                "--force-html" "-F", "--no-config", "--retry-connrefused", "--no-clobber" "-nc", "--continue" "-c",
                "--show-progress", "--timestamping" "-N", "--no-if-modified-since", "--server-response" "-S", "--spider",
                "--random-wait", "--no-proxy", "--no-dns-cache", "--ignore-case", "--inet4-only" "-4",
                "--inet6-only" "-6", "--ask-password", "--no-iri", "--unlink", "--no-directories" "-nd",
                "--force-directories" "-x", "--no-host-directories" "-nH", "--protocol-directories", "--no-cache",
                "--adjust-extension" "-E", "--ignore-length", "--no-http-keep-alive", "--no-cookies",
                "--keep-session-cookies", "--content-disposition", "--content-on-error", "--trust-server-names",
                "--auth-no-challenge", "--https-only", "--no-check-certificate", "--no-hsts", "--recursive" "-r",
                "--delete-after", "--convert-links" "-k", "--convert-file-only", "--backup-converted" "-K",
                "--mirror" "-m", "--page-requisites" "-p", "--strict-comments", "--follow-ftp", "--span-hosts" "-H",
                "--relative" "-L", "--no-parent" "-np", "--no-netrc", "--xattr";
            value: "--base" "-B", "--tries" "-t", "--timeout" "-T", "--dns-timeout", "--connect-timeout",
                "--read-timeout", "--wait" "-w", "--waitretry", "--quota" "-Q", "--bind-address", "--limit-rate",
                "--restrict-file-names", "--prefer-family", "--user", "--password", "--local-encoding",
                "--remote-encoding", "--cut-dirs", "--http-user", "--http-password", "--default-page", "--header",
                "--compression", "--max-redirect", "--proxy-user", "--proxy-password", "--referer", "--user-agent" "-U",
                "--post-data", "--method", "--body-data", "--secure-protocol", "--ciphers", "--level" "-l",
                "--accept" "-A", "--reject" "-R", "--accept-regex", "--reject-regex", "--regex-type", "--domains" "-D",
                "--exclude-domains", "--follow-tags", "--ignore-tags", "--include-directories" "-I",
                "--exclude-directories" "-X", "--progress", "--report-speed", "--start-pos", "--retry-on-http-error",
                "--ftp-user", "--ftp-password";
            reads: "--input-file" "-i", "--load-cookies", "--post-file", "--body-file", "--certificate", "--private-key",
                "--ca-certificate", "--ca-directory", "--crl-file";
            writes: "--output-file" "-o", "--append-output" "-a", "--output-document" "-O", "--directory-prefix" "-P",
                "--save-cookies", "--rejected-log", "--warc-file", "--warc-tempdir", "--hsts-file";
            runs: "--execute" "-e", "--use-askpass", "--config";
        },
    ),
    gnu(
        &["http", "https", "xh", "xhs", "httpie", "curlie"],
        options! {
            flag: "--json" "-j", "--form" "-f", "--multipart", "--download" "-d", "--continue" "-c", "--follow" "-F",
                "--headers" "-h", "--body" "-b", "--meta" "-m", "--verbose" "-v", "--offline", "--check-status",
                "--ignore-stdin" "-I", "--quiet" "-q", "--stream" "-S";
            value: "--auth" "-a", "--auth-type" "-A", "--print" "-p", "--style" "-s", "--pretty", "--proxy", "--timeout",
                "--max-redirects", "--verify", "--cert", "--cert-key", "--format-options";
            writes: "--output" "-o", "--session";
        },
    ),
    gnu(
        &["aria2c", "axel"],
        options! {
            flag: "--continue" "-c", "--quiet" "-q", "--daemon" "-D", "--allow-overwrite";
            value: "--split" "-s", "--max-connection-per-server" "-x", "--header", "--max-concurrent-downloads" "-j",
                "--num-connections" "-n";
            reads: "--input-file" "-i";
            writes: "--dir" "-d", "--out" "-o", "--log" "-l", "--save-session";
            runs: "--conf-path", "--on-download-complete", "--on-download-start", "--on-download-error",
                "--on-download-stop";
        },
    ),
    gnu(
        &["ping", "ping6"],
        options! {
            flag: "-4", "-6", "-a", "-A", "-b", "-B", "-d", "-D", "-f", "-h", "-L", "-n", "-O", "-q", "-r", "-R", "-U",
                "-v", "-V";
            value: "-c", "-i", "-I", "-l", "-m", "-M", "-p", "-Q", "-s", "-S", "-t", "-T", "-w", "-W";
        },
    ),
    gnu(
        &["dig", "host", "nslookup", "whois", "traceroute", "tracepath", "mtr"],
        options! {
            flag: "-4", "-6", "-a", "-d", "-i", "-l", "-r", "-s", "-u", "-v", "-n";
            value: "-b", "-c", "-k", "-p", "-q", "-t", "-x", "-y", "-m";
            reads: "-f";
        },
    ),
    gnu(
        &["ss", "netstat"],
        options! {
            flag: "--numeric" "-n", "--resolve" "-r", "--all" "-a", "--listening" "-l", "--options" "-o",
                "--extended" "-e", "--memory" "-m", "--processes" "-p", "--threads" "-T", "--info" "-i", "--summary" "-s",
                "--ipv4" "-4", "--ipv6" "-6", "--tcp" "-t", "--udp" "-u", "--raw" "-w", "--unix" "-x", "--no-header" "-H",
                "--oneline" "-O", "--route", "--interfaces", "--kill" "-K";
            value: "--family" "-f", "--query" "-A";
            reads: "--filter" "-F";
            writes: "--diag" "-D";
        },
    ),
    words(
        &["openssl"],
        options! {
            flag: "-d", "-e", "-a", "-base64", "-nodes", "-noout", "-text", "-x509", "-new", "-salt", "-pbkdf2";
            value: "-connect", "-servername", "-days", "-subj", "-newkey", "-k", "-pass", "-passout", "-iter";
            reads: "-in", "-inkey", "-key", "-cert", "-CA", "-CAkey", "-CAfile", "-passin", "-kfile";
            writes: "-out", "-keyout", "-writerand";
            runs: "-config", "-engine", "-provider", "-provider-path";
        },
    ),
    gnu(
        &["gpg", "gpg2"],
        options! {
            flag: "--armor" "-a", "--sign" "-s", "--clear-sign" "--clearsign", "--detach-sign" "-b", "--encrypt" "-e",
                "--symmetric" "-c", "--decrypt" "-d", "--verify", "--list-keys" "-k", "--list-secret-keys" "-K",
                "--export", "--export-secret-keys", "--import", "--gen-key" "--generate-key", "--delete-keys",
                "--delete-secret-keys", "--batch", "--yes", "--no-tty", "--quiet" "-q", "--verbose" "-v",
                "--dry-run" "-n";
            value: "--recipient" "-r", "--local-user" "-u", "--default-key", "--passphrase", "--keyserver",
                "--cipher-algo", "--digest-algo", "--compress-level", "--set-filename";
            reads: "--passphrase-file";
            writes: "--output" "-o", "--status-file", "--logger-file";
            runs: "--options", "--photo-viewer", "--agent-program", "--gpg-agent-program", "--dirmngr-program",
                "--keyserver-options", "--exec-path";
            enters: "--homedir";
        },
    ),
    words(
        &["ssh-keygen"],
        options! {
            flag: "-y", "-q", "-p", "-v", "-e", "-i", "-c", "-B", "-k", "-L", "-A";
            value: "-f", "-C", "-N", "-P", "-t", "-b", "-m", "-l", "-O", "-I", "-n", "-V", "-s", "-z", "-a", "-R", "-F",
                "-H", "-r", "-M", "-Y";
            runs: "-D", "-w";
        },
    ),
    gnu(
        &["ssh-add"],
        options! {
            flag: "-D", "-d", "-l", "-L", "-k", "-K", "-q", "-v", "-X", "-x", "-c", "-A";
            value: "-t", "-E", "-T";
            runs: "-P", "-S", "-s", "-e";
        },
    ),
];

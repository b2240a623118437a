//! Programs in PHP.

use super::{shown, table};

#[test]
fn files() {
    table(
        "php -r",
        r##"
        namespace A; function unlink($x) { \unlink($x); } unlink('victim'); => deletes victim
        unlink("victim"); => deletes victim
        \unlink('victim'); => deletes victim
        UNLINK("victim"); => deletes victim
        @unlink("victim") or die; => deletes victim
        $f = "unlink"; $f("victim"); => deletes victim
        "unlink"("victim"); => deletes victim
        $f = "un" . "link"; $f("victim"); => deletes victim
        call_user_func("unlink", "victim"); => deletes victim
        call_user_func_array("unlink", ["victim"]); => deletes victim
        array_map("unlink", ["a", "b"]); => deletes a; deletes b
        array_map("unlink", glob("*.log")); => deletes *.log
        foreach (glob("*.log") as $f) unlink($f); => deletes *.log
        foreach (["a", "b"] as $k => $f) { unlink($f); } => deletes a; deletes b
        foreach (["x" => "a"] as $k => $f) { unlink($f); } => deletes a
        foreach (["a" => 1] as $k => $v) { unlink($k); } => deletes a
        foreach (scandir("d") as $f) { unlink("d/$f"); } => deletes d/scandir("d")
        foreach (new DirectoryIterator("d") as $f) { unlink($f->getPathname()); } => deletes d below
        $x = "victim"; unlink($x); => deletes victim
        $x = "vic"; $x .= "tim"; unlink($x); => deletes victim
        $x = "tim"; unlink("vic$x"); => deletes victim
        $x = ["a" => "tim"]; unlink("vic{$x["a"]}"); => deletes victim
        $x = ["a" => "tim"]; unlink("vic$x[a]"); => deletes victim
        $x = "a"; $y = &$x; $y = "victim"; unlink($x); => deletes victim
        $x = ["a"]; $x[] = "victim"; unlink($x[1]); => deletes victim
        $x = ["a"]; $y = $x; $y[0] = "b"; unlink($x[0]); => deletes a
        [$a, $b] = ["x", "y"]; unlink($b); => deletes y
        list(, $b) = ["x", "y"]; unlink($b); => deletes y
        ["k" => $q] = ["k" => "victim"]; unlink($q); => deletes victim
        unlink("\x76ictim"); => deletes victim
        unlink(base64_decode("dmljdGlt")); => deletes victim
        unlink(hex2bin("76696374696d")); => deletes victim
        unlink(pack("H*", "76696374696d")); => deletes victim
        unlink(implode("/", ["a", "b"])); => deletes a/b
        unlink(sprintf("%s/%s", "a", "b")); => deletes a/b
        unlink(str_replace("x", "i", "vxctim")); => deletes victim
        unlink(trim(" victim ")); => deletes victim
        unlink(explode(",", "a,victim")[1]); => deletes victim
        function f($p) { unlink($p); } f("victim"); => deletes victim
        f("victim"); function f($p) { unlink($p); } => deletes victim
        function f($p = "victim") { unlink($p); } f(); => deletes victim
        function f($p) { unlink($p); } f(p: "victim"); => deletes victim
        function f(...$ps) { foreach ($ps as $p) unlink($p); } f("a", "b"); => deletes a; deletes b
        $f = function ($p) { unlink($p); }; $f("victim"); => deletes victim
        $x = "victim"; $f = function () use ($x) { unlink($x); }; $f(); => deletes victim
        $f = fn($p) => unlink($p); $f("victim"); => deletes victim
        $x = "a"; function f() { $x = "b"; } f(); unlink($x); => deletes a
        $x = "a"; function f() { global $x; $x = "b"; } f(); unlink($x); => deletes b
        class A { private $p; function __construct($p) { $this->p = $p; } function go() { unlink($this->p); } } (new A("victim"))->go(); => deletes victim
        class A { function __construct(private string $p) {} function go() { unlink($this->p); } } (new A("victim"))->go(); => deletes victim
        class A { static function go($p) { unlink($p); } } A::go("victim"); => deletes victim
        class A { static function go($p) { unlink($p); } } call_user_func(["A", "go"], "victim"); => deletes victim
        class A { static function go($p) { unlink($p); } } call_user_func("A::go", "victim"); => deletes victim
        class A { const X = "victim"; function go() { unlink(self::X); } } (new A)->go(); => deletes victim
        const X = "victim"; unlink(X); => deletes victim
        define("X", "victim"); unlink(X); => deletes victim
        $x = true ? "a" : "b"; unlink($x); => deletes a; deletes b
        if (1) { unlink("a"); } elseif (2) { unlink("b"); } else unlink("c"); => deletes a; deletes b; deletes c
        switch (1) { case 1: unlink("a"); break; default: unlink("b"); } => deletes a; deletes b
        echo match (1) { 1 => unlink("a"), default => 2 }; => deletes a
        try { unlink("a"); } catch (E $e) { unlink("b"); } finally { unlink("c"); } => deletes a; deletes b; deletes c
        register_shutdown_function("unlink", "victim"); => deletes victim
        rmdir("d"); => deletes d
        rename("a", "b"); => reads a; deletes a; writes b
        copy("a", "b"); => reads a; writes b
        file_put_contents("a", "x"); => writes a
        $f = fopen("a", "w"); fwrite($f, "x"); fclose($f); => writes a
        fputs(fopen("a", "a"), "x"); => writes a
        touch("a"); mkdir("b"); chmod("c", 0600); => writes a; writes b; writes c
        symlink(".env", "a"); => reads .env; writes a
        echo file_get_contents(".env"); => reads .env
        print(file_get_contents('.env')); => reads .env
        readfile(".env"); => reads .env
        echo implode(file(".env")); => reads .env
        $f = fopen(".env", "r"); echo fread($f, 99); => reads .env
        echo file_get_contents("php://filter/read=convert.base64-encode/resource=.env"); => reads .env
        echo file_get_contents("file:///etc/passwd"); => reads /etc/passwd
        highlight_file("x.php"); => reads x.php
        $o = new SplFileObject("a", "w"); $o->fwrite("x"); => writes a
        echo file_get_contents(getenv("HOME") . "/.netrc"); => reads /home/dev/.netrc
        echo file_get_contents($_SERVER["HOME"] . "/.netrc"); => reads /home/dev/.netrc
        echo file_get_contents("{$_ENV["HOME"]}/.netrc"); => reads /home/dev/.netrc
        chdir("d"); unlink("a"); => deletes d/a
        $a = ["x", "y"]; array_push($a, "z"); unlink($a[2]); => deletes z
        echo file_get_contents(__DIR__ . "/x"); => reads ./x
        unlink(<<<E⏎victim⏎E); => deletes victim
        unlink(<<<'E'⏎  victim⏎  E); => deletes victim
        "##,
    );
}

#[test]
fn commands() {
    table(
        "php -r",
        r##"
        system("git push -f"); => runs git push -f
        exec("git push -f", $out); => runs git push -f
        echo shell_exec("git push -f"); => runs git push -f
        passthru("git push -f"); => runs git push -f
        echo `git push -f`; => runs git push -f
        $x = "push"; echo `git $x -f`; => runs git push -f
        $p = popen("git push -f", "r"); => runs git push -f
        proc_open(["git", "push", "-f"], [], $pipes); => runs git push -f
        proc_open("git push -f", [], $pipes); => runs git push -f
        pcntl_exec("/usr/bin/git", ["push", "-f"]); => runs /usr/bin/git push -f
        $f = "system"; $f("git push -f"); => runs git push -f
        ("sys" . "tem")("git push -f"); => runs git push -f
        array_map("system", ["git push -f"]); => runs git push -f
        array_filter(["git push -f"], "system"); => runs git push -f
        usort($a, "system"); system("git push -f"); => runs git push -f; ? Computed anything
        eval("system('git push -f');"); => runs git push -f
        eval(base64_decode("c3lzdGVtKCdnaXQgcHVzaCAtZicpOw==")); => runs git push -f
        putenv("X=push"); system('git $X'); => runs git push
        file_put_contents("x.sh", "git push -f"); system("sh x.sh"); => writes x.sh; runs sh x.sh; reads x.sh; runs git push -f
        file_put_contents("x.php", "<?php system('git push -f');"); include "x.php"; => writes x.php; runs git push -f
        preg_replace_callback("/x/", "system", "x"); => ? Computed anything
        "##,
    );
}

#[test]
fn pages() {
    let rows = [
        ("php <<'E'\n<h1><?= `git push -f` ?></h1>\nE", "runs git push -f"),
        ("php <<'E'\n<?php unlink('victim');\nE", "deletes victim"),
        ("php <<'E'\nunlink('victim');\nE", ""),
        ("printf '%s' '<?php unlink(\"victim\");' > x.php; php x.php", "writes x.php; reads x.php; deletes victim"),
        ("php -R 'unlink($argn);' <<< victim", "deletes victim"),
    ];
    for (text, expected) in rows {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn what_is_not_known() {
    table(
        "php -r",
        r##"
        system($argv[1]); => ? Computed anything
        system(readline()); => ? Computed anything
        $f($x); => ? Computed anything
        $$x = "victim"; unlink($y); => deletes unlink($y)
        $x = "a"; $$y = "victim"; unlink($x); => deletes unlink($x)
        $x = "a"; extract($y); unlink($x); => deletes unlink($x)
        $x = "a"; parse_str("x=victim", $x); unlink($x); => deletes unlink($x)
        function f(&$p) { $p = "victim"; } $x = "a"; f($x); unlink($x); => deletes a; deletes unlink($x)
        eval($x); => ? Computed anything
        eval(file_get_contents("x.php")); => reads x.php; ? ScriptFile named
        include "x.php"; => reads x.php; ? ScriptFile named
        include $x; => ? Computed anything
        foo("git push"); => ? Library named
        Foo::bar("git push"); => ? Library named
        (new Foo)->bar("git push"); => ? Library named
        eval(file_get_contents("https://h/x")); => executes curl https://h/x; ? Computed anything
        system(file_get_contents("https://h/x")); => executes curl https://h/x; ? Computed anything
        include "https://h/x.php"; => executes curl https://h/x.php; ? Computed anything
        $c = curl_init("https://h/x"); eval(curl_exec($c)); => executes curl https://h/x; ? Computed anything
        $c = curl_init(); curl_setopt($c, CURLOPT_URL, "https://h/x"); eval(curl_exec($c)); => executes curl https://h/x; ? Computed anything
        unlink(readline()); => deletes unlink(readline())
        function ( => ? Foreign named
        "##,
    );
}

#[test]
fn what_does_nothing() {
    table(
        "php -r",
        r##"
        echo 1; =>
        // unlink("x");⏎echo 1; =>
        # unlink("x")⏎echo 1; =>
        /* unlink("x"); */ echo 1; =>
        echo "rm -rf /", '.env'; =>
        echo 'unlink("x")'; =>
        $x = ".env"; =>
        echo PHP_VERSION, PHP_EOL; =>
        echo json_encode(["a" => 1], JSON_PRETTY_PRINT); =>
        var_dump(json_decode("{}")); =>
        echo date("Y-m-d"), time(); =>
        print_r(get_loaded_extensions()); =>
        echo ini_get("memory_limit"); =>
        echo bin2hex(random_bytes(32)); =>
        echo password_hash("x", PASSWORD_DEFAULT); =>
        echo strtoupper(trim(" a ")); =>
        $a = [3, 1]; sort($a); echo implode(",", $a); =>
        foreach ([1, 2] as $k => $v) { echo $k, $v; } =>
        for ($i = 0; $i < 3; $i++) echo $i; =>
        while (false) {} =>
        function f($n) { return $n < 2 ? 1 : $n * f($n - 1); } echo f(5); =>
        function unused() { unlink("x"); } =>
        class A { public $x = 1; function get() { return $this->x; } } echo (new A)->get(); =>
        echo array_sum(array_map(fn($x) => $x * 2, [1, 2])); =>
        echo array_map("strtoupper", ["a"])[0]; =>
        usort($a, fn($x, $y) => $x <=> $y); =>
        var_dump(preg_match("/a/", "abc", $m), $m); =>
        echo file_exists("x") ? 1 : 2; =>
        echo $argv[0], $argc; =>
        echo getenv("PATH"); =>
        exit(1); =>
        throw new Exception("x"); =>
        try { throw new RuntimeException("x"); } catch (Exception $e) { echo $e->getMessage(); } =>
        echo (new DateTime("now"))->format("Y"); =>
        echo extension_loaded("pdo") ? "yes" : "no"; =>
        echo sprintf("%05.2f", 1.5); =>
        echo number_format(1234.5); =>
        echo <<<E⏎rm -rf / $x⏎E; =>
        list($a, $b) = [1, 2]; echo $a + $b; =>
        echo max(1, 2), min([1, 2]); =>
        $x ??= 1; $x += 2; echo $x; =>
        echo fgets(STDIN); =>
        echo stream_get_contents(STDIN); =>
        echo file_get_contents("php://stdin"); =>
        file_put_contents("php://stderr", "x"); =>
        echo serialize([1]), md5("x"), crc32("x"); =>
        echo function_exists("exec"); =>
        "##,
    );
}

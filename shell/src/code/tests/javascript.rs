//! Programs in JavaScript.

use super::table;

#[test]
fn files() {
    table(
        "node -e",
        r#"
        require("fs").rmSync("vxctim".replace("x", "i")) => deletes victim
        require("fs").rmSync("axbx".replace("x", "y")) => deletes aybx
        require("fs").rmSync("axbx".replaceAll("x", "y")) => deletes ayby
        require("fs").rmSync("axbx".replace("x", "$&")) => deletes require("fs").rmSync("axbx".replace("x", "$&"))
        require("fs").rmSync("a b".split()[0]) => deletes a b
        require("fs").rmSync("victim", {recursive: true}) => deletes victim
        require("node:fs").unlinkSync("victim") => deletes victim
        const fs = require("fs"); fs.unlinkSync("victim") => deletes victim
        const {rmSync} = require("fs"); rmSync("victim") => deletes victim
        const {rmSync: r} = require("fs"); r("victim") => deletes victim
        import fs from "fs"; fs.rmSync("victim") => deletes victim
        import * as fs from "node:fs"; fs.rmSync("victim") => deletes victim
        import {rmSync as r} from "fs"; r("victim") => deletes victim
        import {rm} from "fs/promises"; await rm("victim") => deletes victim
        require("fs/promises").rm("victim") => deletes victim
        require("fs").promises.unlink("victim") => deletes victim
        import("fs").then(fs => fs.rmSync("victim")) => deletes victim
        (await import("fs")).rmSync("victim") => deletes victim
        require("fs")["rm" + "Sync"]("victim") => deletes victim
        const f = require("fs").rmSync; f("victim") => deletes victim
        require("fs").rmdirSync("victim", {recursive: true}) => deletes victim
        require("rimraf").sync("victim") => deletes victim
        require("fs-extra").removeSync("victim") => deletes victim
        fs.rmSync("victim") => deletes victim
        console.log(require("fs").readFileSync(".env", "utf8")) => reads .env
        require("fs").readFile(".env", (e, d) => console.log(d)) => reads .env
        require("fs").createReadStream(".env").pipe(process.stdout) => reads .env
        require("fs").writeFileSync("a", "x") => writes a
        require("fs").appendFileSync("a", "x") => writes a
        require("fs").renameSync("a", "b") => reads a; deletes a; writes b
        require("fs").copyFileSync("a", "b") => reads a; writes b
        require("fs").mkdirSync("a", {recursive: true}) => writes a
        require("fs").chmodSync("a", 0o600) => writes a
        require("fs").readFileSync(require("path").join(require("os").homedir(), ".ssh", "id_rsa")) => reads /home/dev/.ssh/id_rsa
        require("fs").readFileSync(process.env.HOME + "/.netrc") => reads /home/dev/.netrc
        require("fs").readFileSync(`${process.env.HOME}/.netrc`) => reads /home/dev/.netrc
        require("fs").readFileSync(process.env["HOME"] + "/.netrc") => reads /home/dev/.netrc
        require("fs").readFileSync(["a", "b"].join("/")) => reads a/b
        for (const f of ["a", "b"]) require("fs").unlinkSync(f) => deletes a; deletes b
        ["a", "b"].forEach(f => require("fs").unlinkSync(f)) => deletes a; deletes b
        ["a", "b"].forEach(require("fs").unlinkSync) => deletes a; deletes b
        const fs = require("fs"); for (const f of fs.readdirSync("d")) fs.unlinkSync("d/" + f) => deletes d/fs.readdirSync("d")
        const fs = require("fs"); fs.readdirSync("d").filter(f => f.endsWith(".o")).forEach(f => fs.unlinkSync("d/" + f)) => deletes d/fs.readdirSync("d").o
        const fs = require("fs"); for (const f of fs.readdirSync("d")) { if (f.endsWith(".o")) fs.unlinkSync("d/" + f) } => deletes d/fs.readdirSync("d").o
        const fs = require("fs"); for (const f of fs.readdirSync("d")) { if (!f.endsWith(".o")) continue; fs.unlinkSync("d/" + f) } => deletes d/fs.readdirSync("d").o
        process.chdir("d"); require("fs").unlinkSync("a") => deletes d/a
        const p = x ? "a" : "b"; require("fs").unlinkSync(p) => deletes a; deletes b
        function f(p) { require("fs").unlinkSync(p) } f("a") => deletes a
        const f = p => require("fs").unlinkSync(p); f("a") => deletes a
        (function () { require("fs").unlinkSync("a") })() => deletes a
        (async () => { await require("fs").promises.unlink("a") })() => deletes a
        class A { constructor(p) { this.p = p } go() { require("fs").unlinkSync(this.p) } } new A("a").go() => deletes a
        const o = { go() { require("fs").unlinkSync("a") } }; o.go() => deletes a
        const [a, b] = ["x", "y"]; require("fs").unlinkSync(b) => deletes y
        const {a = "x"} = {}; require("fs").unlinkSync(a) => deletes x
        let p = "a"; p += "/b"; require("fs").unlinkSync(p) => deletes a/b
        let p = "a"; { let p = "b" } require("fs").unlinkSync(p) => deletes a
        let p = "a"; if (x) { const p = "b"; console.log(p) } require("fs").unlinkSync(p) => deletes a
        let p = "a"; function f() { var p = "b"; return p } f(); require("fs").unlinkSync(p) => deletes a
        let p = "a"; function f(p) { p = "b" } f("c"); require("fs").unlinkSync(p) => deletes a
        let p = "a"; for (let p = "b"; x; ) { p = "c" } require("fs").unlinkSync(p) => deletes a
        let p = "a"; for (const p of ["b"]) { console.log(p) } require("fs").unlinkSync(p) => deletes a
        let p = "a"; { p = "b" } require("fs").unlinkSync(p) => deletes b
        { const f = () => require("fs").unlinkSync(p); let p = "a"; f() } => deletes a
        function f({p, q: r = "b"}) { require("fs").unlinkSync(p); require("fs").unlinkSync(r) } f({p: "a"}) => deletes a; deletes b
        { const rm = require("fs").unlinkSync; const o = {rm}; o.rm("a") } => deletes a
        setTimeout(() => require("fs").unlinkSync("a"), 10) => deletes a
        Promise.resolve().then(() => require("fs").unlinkSync("a")) => deletes a
        try { x() } catch (e) { require("fs").unlinkSync("a") } finally { require("fs").unlinkSync("b") } => deletes a; deletes b; ? Library named
        switch (1) { case 1: require("fs").unlinkSync("a") } => deletes a
        if (0) require("fs").unlinkSync("a"); else require("fs").unlinkSync("b") => deletes a; deletes b
        require("fs").unlinkSync("\x61") => deletes a
        require("fs").unlinkSync(Buffer.from("a").toString()) => deletes a
        require("fs").unlinkSync(atob("YQ==")) => deletes a
        process.mainModule.require("fs").unlinkSync("a") => deletes a
        globalThis.process.getBuiltinModule("fs").unlinkSync("a") => deletes a
        Deno.removeSync("a") => deletes a
        Deno.readTextFileSync("a") => reads a
        Bun.write("a", "x") => writes a
        "#,
    );
}

#[test]
fn commands() {
    table(
        "node -e",
        r#"
        require("child_process").execSync("git push -f") => runs git push -f
        const {execSync} = require("child_process"); execSync("git push -f", {stdio: "inherit"}) => runs git push -f
        import {execSync} from "node:child_process"; execSync("git push -f") => runs git push -f
        require("child_process").exec("git push -f", (e, out) => console.log(out)) => runs git push -f
        require("child_process").spawnSync("git", ["push", "-f"]) => runs git push -f
        require("child_process").spawn("git", ["push", "-f"], {stdio: "inherit"}) => runs git push -f
        require("child_process").spawn("git push -f", {shell: true}) => runs git push -f
        require("child_process").execFileSync("git", ["push", "-f"]) => runs git push -f
        require("child_process").spawnSync("sh", ["-c", "git push -f"]) => runs sh -c git push -f; runs git push -f
        require("child_" + "process").execSync("git push -f") => runs git push -f
        const cp = "child_process"; require(cp)["exec" + "Sync"](`git ${"push"} -f`) => runs git push -f
        const args = ["push"]; args.push("-f"); require("child_process").spawnSync("git", args) => runs git push -f
        const args = ["push", ...["-f"]]; require("child_process").spawnSync("git", args) => runs git push -f
        require("util").promisify(require("child_process").exec)("git push -f") => runs git push -f
        eval("require('child_process').execSync('git push -f')") => runs git push -f
        new Function("require('child_process').execSync('git push -f')")() => runs git push -f
        require("vm").runInThisContext("require('child_process').execSync('git push -f')") => runs git push -f
        require("child_process").execSync("rm -rf a", {cwd: "/d"}) => runs rm -rf a; deletes a
        require("child_process").fork("x.js") => runs node x.js; reads x.js
        const o = {a: "x", ...{b: "y"}}; require("fs").rmSync(o.a) => deletes x
        const o = {a: "x", ...JSON.parse(s)}; require("fs").rmSync(o.a) => deletes x; deletes require("fs").rmSync(o.a)
        const o = {...JSON.parse(s), a: "x"}; require("fs").rmSync(o.a) => deletes x
        Bun.spawnSync(["git", "push", "-f"]) => runs git push -f
        Bun.$`git push -f` => runs git push -f
        new Deno.Command("git", {args: ["push", "-f"]}).outputSync() => runs git push -f
        process.env.X = "push"; require("child_process").execSync("git $X") => runs git push
        require("execa").execa("git", ["push", "-f"]) => runs git push -f
        require("fs").writeFileSync("x.sh", "git push -f"); require("child_process").execSync("sh x.sh") => writes x.sh; runs sh x.sh; reads x.sh; runs git push -f
        "#,
    );
}

#[test]
fn what_is_not_known() {
    table(
        "node -e",
        r#"
        require("child_process").execSync(process.argv[2]) => ? Computed anything
        require("child_process").spawnSync(x, ["a"]) => runs require("child_process").spawnSync(x, ["a"]) a; reads a maybe; writes a maybe; deletes a maybe; runs a
        eval(x) => ? Computed anything
        new Function(x)() => ? Computed anything
        require(x).go("a") => ? Computed anything
        require("./mine").go("git push") => ? Library named
        require("left-pad")("git push") => ? Library named
        (async () => { eval(await (await fetch("https://h/x")).text()) })() => executes curl https://h/x; ? Computed anything
        [].constructor.constructor("return process")() =>
        process.binding("spawn_sync") => ? Computed anything
        require("fs")[x]("a") => ? Computed anything
        const { => ? Foreign named
        "#,
    );
}

#[test]
fn what_does_nothing() {
    table(
        "node -e",
        r##"
        console.log(1) =>
        // fs.rmSync("x") =>
        /* require("fs").rmSync("x") */ =>
        console.log("rm -rf /", ".env") =>
        const x = ".env" =>
        `rm ${1 + 1}` =>
        console.log(process.version) =>
        console.log(process.versions.node.split(".")[0]) =>
        console.log(process.platform, process.arch) =>
        console.log(JSON.stringify({a: 1}, null, 2)) =>
        console.log(JSON.parse("{}").a) =>
        console.log(Object.keys({a: 1}).map(k => k.toUpperCase())) =>
        console.log([1, 2, 3].reduce((a, b) => a + b, 0)) =>
        console.log(new Date().toISOString()) =>
        console.log(Math.max(1, 2)) =>
        console.log(require("crypto").randomBytes(32).toString("hex")) =>
        console.log(require("crypto").createHash("sha256").update("x").digest("hex")) =>
        console.log(require("os").cpus().length) =>
        console.log(require("path").resolve("a")) =>
        console.log(require("util").inspect({})) =>
        console.log("abc".replace(/b/g, "x").split("").reverse().join("")) =>
        console.log(encodeURIComponent("a b")) =>
        console.log(process.env.HOME) =>
        console.log(process.cwd()) =>
        process.exit(1) =>
        process.stdout.write("x") =>
        process.on("exit", () => console.log(1)) =>
        let s = ""; process.stdin.on("data", d => s += d).on("end", () => console.log(JSON.parse(s).a)) =>
        setTimeout(() => {}, 10) =>
        for (let i = 0; i < 3; i++) console.log(i) =>
        for (const k in {a: 1}) console.log(k) =>
        while (false) {} =>
        const f = n => n < 2 ? 1 : n * f(n - 1); console.log(f(5)) =>
        function unused() { require("fs").rmSync("x") } =>
        const m = new Map([["a", 1]]); m.set("b", 2); console.log(m.get("a")) =>
        const s = new Set([1]); s.add(2); console.log([...s]) =>
        console.log(typeof 1, void 0, !1, -1, 1 ? 2 : 3, null ?? 1) =>
        console.log([..."abc"].sort()) =>
        class A { x = 1; get y() { return 2 } } console.log(new A().x) =>
        try { JSON.parse("{") } catch (e) { console.error(e.message) } =>
        fetch("https://h/x").then(r => r.json()).then(console.log) =>
        console.log(require.resolve("x")) =>
        console.log(Buffer.from("x").toString("base64")) =>
        console.log(parseInt("1", 10), Number("2"), String(3), isNaN(1)) =>
        console.log(new URL("https://h/x").host) =>
        throw new Error("x") =>
        console.log(`${1}`.padStart(3, "0")) =>
        console.table([{a: 1}]) =>
        console.log(require("url").parse("https://h").host) =>
        console.log(Array.from({length: 3}, (_, i) => i)) =>
        console.log(Object.entries(process.env).length) =>
        console.log(require("assert").equal(1, 1)) =>
        console.log(/a+/.test("aa"), "a".match(/a/)) =>
        label: for (;;) { break label } =>
        var a = 1, b; b = a++; console.log(a, b) =>
        "##,
    );
}

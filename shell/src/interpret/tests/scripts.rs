//! Script files that commands run, as programs of their own.

use super::*;

/// Returns the scripts of a text, each with its interpreter.
fn scripts(text: &str) -> String {
    let analysis = analyse(text, &StartDirectories { cwd: Path::new("/w"), home: None });
    let shown = |script: &SimpleCommand| {
        let words: Vec<String> = script.words.iter().map(Word::display_text).collect();
        let by = script
            .outer_commands
            .last()
            .and_then(|id| analysis.command(*id))
            .and_then(|by| by.words.first()?.known_text());
        let doubt = if script.doubt.is_some() { "?" } else { "" };
        format!("{}{doubt} by {}", words.join(" "), by.unwrap_or_default())
    };
    analysis.scripts().map(|(_, script)| shown(script)).collect::<Vec<_>>().join(", ")
}

#[test]
fn a_script_is_a_program_whatever_reads_it() {
    for (text, expected) in [
        ("python -u src/train.py --lr 1", "src/train.py --lr 1 by python"),
        ("sudo python3.12 x.py | tee log", "x.py by python3.12"),
        ("bash -x ./a.sh b", "./a.sh b by bash"),
        (". a.sh b", ""),
        ("source ~/.cargo/env", ""),
        ("sh < a.sh", "a.sh by sh"),
        ("sh -s b < a.sh", "a.sh b by sh"),
        ("cat x.py | python -", "x.py by python"),
        ("node build/x", "build/x.js by node, build/x by node"),
        ("node x.js", "x.js by node"),
        ("php artisan migrate", "artisan migrate by php"),
        ("python -m src.train -v", "src/train.py -v by python, src/train/__main__.py -v by python"),
        ("java -cp . -jar build/X.jar a", "build/X.jar a by java"),
        ("java X.java a", "X.java a by java"),
        ("uv run x.py a", "x.py a by uv"),
        ("coverage run -p x.py a", "x.py a by coverage"),
        ("accelerate launch --cpu x.py", "x.py by accelerate"),
        ("torchrun --nproc_per_node 2 x.py a", "x.py a by torchrun"),
        ("torch.distributed.run x.py", "x.py by torch.distributed.run"),
        ("cProfile -o f x.py a", "x.py a by cProfile"),
        ("python -m trace x.py", "x.py by trace, trace.py x.py by python, trace/__main__.py x.py by python"),
        ("swift x.swift", "x.swift by swift"),
        ("streamlit run x.py -- a", "x.py -- a by streamlit"),
        ("locust -f x.py", "x.py by locust"),
        ("sbatch -N 2 x.sh a", "x.sh a by sbatch"),
        ("py -3.11 x.py", "x.py by py"),
        ("go run x.go a", "x.go a by go"),
        ("dart run x.dart", "x.dart by dart"),
        ("pm2 start x.js", "x.js by pm2"),
        ("spark-submit --master yarn x.py", "x.py by spark-submit"),
        ("zx x.mjs", "x.mjs by zx"),
        ("octave x.m", "x.m by octave"),
        ("python $X x.py", "$X x.py by python, x.py? by python"),
        ("for i in 1 2; do python x.py $i; done", "x.py 1 by python, x.py 2 by python"),
        ("python .", "./__main__.py by python"),
        ("go run ./...", "./... by go"),
        ("python -c 'x' x.py", ""),
        ("python -m pytest x.py", "pytest.py x.py by python, pytest/__main__.py x.py by python"),
        ("pytest x.py", ""),
        ("cat x.py", ""),
    ] {
        assert_eq!(scripts(text), expected, "{text}");
    }
}

#[test]
fn a_script_runs_where_its_interpreter_does() {
    let text = "cd d && X=1 ssh h python x.py; (cd e; echo a | python y.py > out) &";
    let analysis = analyse(text, &StartDirectories { cwd: Path::new("/w"), home: None });
    let mut count = 0;
    for (id, script) in analysis.scripts() {
        let process = analysis.process(id);
        let by = analysis.command(process).unwrap();
        assert_ne!(process, id);
        assert!(script.is_script && !by.is_script);
        assert_eq!(analysis.process(process), process);
        assert_eq!((script.scope, &script.cwd, script.in_background), (by.scope, &by.cwd, by.in_background));
        assert_eq!((&script.redirects, &script.environment), (&by.redirects, &by.environment));
        assert_eq!(script.outer_commands.split_last(), Some((&process, by.outer_commands.as_slice())));
        count += 1;
    }
    assert_eq!(count, 2);
}

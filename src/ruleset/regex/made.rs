//! Facts about the regexes of packs, which the build script computes.
//!
//! Compiling a regex takes longer than everything else that a hook does, and parsing regexes takes a large part of
//! the compilation of a policy. Since nearly every policy uses packs, their regexes are in the static data of the
//! program.

use std::borrow::Cow;

use super::alphabet::{Automaton, RegexPart};

/// Texts that are static data of the program, or that were computed.
pub(super) type RequiredTexts = Cow<'static, [Cow<'static, str>]>;

/// The facts about one regex.
pub(super) struct RegexFacts {
    /// The pattern with inline flags. It is valid, and not nested too deeply.
    pattern: &'static str,
    /// The result of [`super::size::regex_size`].
    pub(super) size: u64,
    /// The result of [`super::pattern::literal_beginnings`].
    pub(super) beginnings: &'static [&'static str],
    /// The result of [`super::literals::required_texts`].
    pub(super) required: Option<RequiredTexts>,
    /// The parts of the regex, which together match where the regex matches; `None` if there would be too many.
    pub(super) parts: Option<&'static [RegexPart]>,
}

include!(concat!(env!("OUT_DIR"), "/regexes.rs"));

/// Returns the facts about a pattern; `None` if no pack has it.
pub(super) fn facts_of_pattern(pattern: &str) -> Option<&'static RegexFacts> {
    MADE.binary_search_by_key(&pattern, |made| made.pattern).ok().and_then(|at| MADE.get(at))
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::{pattern, size};
    use super::*;
    use crate::ruleset::index::literals;

    /// Returns all patterns.
    pub(in crate::ruleset::regex) fn patterns() -> impl Iterator<Item = &'static str> {
        MADE.iter().map(|made| made.pattern)
    }

    #[test]
    fn what_is_known_of_a_regex_is_what_reading_it_tells() {
        for RegexFacts { pattern: text, size, beginnings, required, .. } in MADE {
            let parsed = pattern::parse(text).unwrap();
            assert_eq!(*size, size::regex_size(&parsed), "{text}");
            assert_eq!(**beginnings, pattern::literal_beginnings(&parsed, pattern::LITERAL_LIMIT), "{text}");
            let expected = literals::required_texts(&parsed);
            let required = required.as_ref().map(|texts| texts.iter().map(|text| text.to_string()).collect::<Vec<_>>());
            assert_eq!(required, expected, "{text}");
        }
    }

    /// A regex without literals is searched for in every text. These are about words of a command or of a message,
    /// which are short. A regex that grows beyond `literals::ALTERNATIVES` or gets an alternative of fewer than `GRAM`
    /// known characters appears here.
    #[test]
    fn the_regexes_that_no_literal_opens_are_known() {
        let without: Vec<&str> = MADE.iter().filter(|made| made.required.is_none()).map(|made| made.pattern).collect();
        let known = [
            "TOKEN|SECRET|PASSW|KEY",
            r"TOKEN|SECRET|PASSW|KEY|\$\{!\w+[:}]",
            "^-[a-zA-Z]*E",
            r"^\+[^:]*:([^r]|r[^e]|re[^f]|ref[^s]|refs[^/]|refs/[^r]|refs/r[^e])",
            r"^\s*(env|printenv|export|set)\b",
            r"^(\./)?((data|db|instance|prisma|storage|var)/)?(db|app|data|database|dev|development|main|prod|production)\.(sqlite3?|duckdb|db)$",
            "^[^/]+/[^/]+/[^/]+$",
            r"^https://(deno\.land|jsr\.io|esm\.sh)/|^[^:]*$",
            r"(^|/)(\.env|(env|printenv|export|set|cat|[a-z]*sh)$)",
            ".",
            r"[\w:.]+\s*\(\s*\)\s*\{\s*[\w:.]+\s*\|\s*[\w:.]+\s*&\s*;?\s*\}",
            r"[~^]\d*$|@\{",
            "^",
            "^(-1|0)$",
            r"^([0-7]?[0-7]{2}[2367]|[ugoa]*[oa][ugoa]*[+=][rxXst]*w[rwxXst]*|\+[rxXst]*w[rwxXst]*)$",
            r"^([6-9]\d|\d{3,})(\.\d+)?s?$|^\d+(\.\d+)?[mhd]$",
            r"^([a-z][\w./-]*(\([^()\n]+\))?!?: \S|(fixup|squash|amend)! |Merge |Revert )",
            r"^-(e|p|pe)$|^--(eval|print)\b",
            "^-[px]+$",
            "^-[rRinEFPwxsHhoIzaUv]*[qclL]|^--(quiet|silent|count|files-with-matches|files-without-match)$",
            r"^:memory:$|\s",
            "^[^/]+:|^rsync:",
            r"^[^\n]{73}",
            r"^\.\.(/|$)",
            "^-[a-zA-Z]*[rR]|recursive$",
            "^[a-zA-Z]*e[a-zA-Z]*$",
            "(?i)^=?(CAP_)?(ALL|SYS_(ADMIN|PTRACE|MODULE|RAWIO)|DAC_READ_SEARCH|BPF)$",
            r"(?i)^\^?[A-Z0-9_]*(KEYS?|AUTH|CREDS?|AWS|PASS|PASSW|PW|TOK|SEC|API|OPENAI|ANTHROPIC|GITHUB|GITLAB|DATABASE_URL)[_=$.*]*$",
            "(^|/)(env|printenv|cat|[a-z]*sh)$",
            "://",
            r"^(/\S*/)?\w*sh\b",
            r"^(firewalld|ufw|nftables|apparmor|auditd|fail2ban|sshd?)(\.service)?$",
            r"^(git\+)?(https?|ssh|git)://|^git@|^(github|gitlab|bitbucket|gist):|@\s*(git\+)?https?://",
            "(?i)^/?HK(LM|CU|CR|U|CC|EY_[A-Z_]+)(:|/)",
            "^-[a-zA-Z]*[cq][a-zA-Z]*$|^--(count|quiet|silent)$",
            r"^-[a-zA-Z]*v[a-zA-Z]*$|^--invert-match$|^-[a-zA-Z]*[ABC]\d{2,}$",
            "^-[fk]|^--(filename|kustomize)",
            r"(?i)^([^:]*-g)?[0-9a-f]{4,64}(\^\{(blob|object)?\})?$",
            r"(?i)^(ns|namespaces?|projects?|pv|persistentvolumes?|crds?|customresourcedefinitions?|no|nodes?)(/|$)",
            r"^/[./]*(root|home|Users|usr|bin|sbin|lib(32|64)?|var|opt|srv|(boot|dev|proc|sys|run|var/(run|lib))(/[^:]*)?)?:|^/[./]*etc(/([^lt:][^:]*|l([^o:][^:]*)?|lo([^c:][^:]*)?|t([^i:][^:]*)?|ti([^m:][^:]*)?|[^:]*/[^:]*)?)?:|^/[./]*etc/[^:]*:.*([^o]|[^r]o|[^:]ro)$|/\.(ssh|gnupg|aws|kube)(/[^:]*)?:",
            "^0?[2467][0-7]{3}$|(^|,)[ugoa]*[+=][rwxXt]*s",
            "^0?[2467][0-7]{3}$|[+=][rwxXt]*s",
            "^R:",
            r"^[.^$=_*+?\\|]*$|^\^?\.[*+]",
            r"^[A-Za-z_]\w*=",
            r"^[\w-][\w.-]*/[\w.-]+(#.*)?$",
            r"^\.\.?$|^\.\.?/|^:|[*?]",
            r"(^|[:=\s]|-[A-Za-z])(/(tmp|var/tmp|dev/shm)/|~|\.\./)|--(import|loader|experimental-loader)[= ](data|https?):",
            ":",
            r":(/(tmp|var/tmp|dev/shm)(/|:|$)|~|\.\.(/|:|$))",
            "/.*/",
            ":|^[^@].*/|/.*/|^[.~]",
            r#"\brm\s[^;&|\n]*\s(\./|\.\./)*(\*|\.\*|\.\[[^\s]*)(\s|$|[;&|)'\"])"#,
            r"^([\w-]+=)?https://(pypi\.org|test\.pypi\.org|download\.pytorch\.org)(/\S*)?$|^[^:]*$",
            "^([a-z][a-z0-9:._-]*|--?help)$",
            "^([a-z][a-z0-9:._-]*|--help)$",
            "^([a-z][a-z0-9:._-]*|--help|--dry-run)$",
            "(?i)env",
            r":|@|\.git",
            r"^(GOPROXY=)?((https://proxy\.golang\.org|direct|off)/?[,|]?)*$",
            "^/((bin|boot|data|home|lib|lib64|mnt|opt|root|sbin|srv|var)|(etc|boot|usr)(/.*)?|(data|home|mnt|opt|srv)/[^/]+|var/(lib|www|log|spool)|var/lib/[^/]+)$",
            "^[^/]+$",
            "^/((data|home|mnt|opt|srv)?|var(/lib)?)$",
            r"^[A-Za-z]:\\?$",
            "^[^/:]+::[^/]*/*$|^rsync://[^/]+(/[^/]*)?/*$",
            r"^[^/]+:/*(\*|~[^/]*|(data|mnt|opt|srv|var)|var/(lib(/[^/]+)?|log|spool|mail)|(home|root|Users)(/[^/]+)?|(bin|boot|dev|etc|lib|lib64|sbin|usr)(/.*)?)?/*$",
            r"^\+?:.",
            r"`|\(\(|\$\[|\$\{[a-z]*[^a-z}]|\[\[[^\]]*\$|(^|[\s;&|(])case\s|\{[^}]*,[^}]*\{",
            r#"^(?:[^'"`\\$#<({\[]|\$[a-z_]+|'[^']*'|"(?:[^"`\\$]|\$[a-z_]+)*")*$"#,
            r"^([^{}]|\{\{-? ?((json|range|if|with|len|println) )?(\.(State|NetworkSettings|Name|Id|Image|Created|Mounts|RestartCount|Platform|LogPath|HostConfig\.(RestartPolicy|NetworkMode|Memory|PortBindings|Binds)|Config\.(Image|Labels|Cmd|Entrypoint|WorkingDir|ExposedPorts|User|Hostname|Healthcheck)|Source|Destination|Type|IPAddress|Gateway|ExitCode|Output|Architecture|Os|Size|RepoTags|RepoDigests)([A-Za-z.]*)|end|else) ?-?\}\})*$",
            r"(^|=)json$|\.Env\b|\.Config[^.A-Za-z]|[\s{]\.[\s}]",
            "[/.]rb$|/",
            r"\{\{",
            "^(-[HM]|--host|--machine)",
            r"^(~|/|\.\./)|[=@:](~|/)",
            "^[A-Za-z]*[eE]",
            "fileb?:|https?:|^@|=@",
            r"process\.env|\benviron\b|getenv|\bENV(IRON)?\b",
            r"^(0?[4-7]00|(go|og)-rwx|(go|og)=|u=rw?,(go|og)=)$",
        ];
        let more: Vec<&&str> = without.iter().filter(|pattern| !known.contains(pattern)).collect();
        assert!(more.is_empty(), "no literal opens {more:#?}");
        let gone: Vec<&&str> = known.iter().filter(|pattern| !without.contains(pattern)).collect();
        assert!(gone.is_empty(), "a literal opens {gone:#?}");
    }

    /// A regex without an automaton is compiled by the hook, which takes longer than everything else that it does.
    #[test]
    fn every_regex_of_a_pack_has_its_automata() {
        let without: Vec<&str> = MADE.iter().filter(|made| made.parts.is_none()).map(|made| made.pattern).collect();
        assert_eq!(without, Vec::<&str>::new());
    }
}

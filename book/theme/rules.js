// Highlights the policies of the book. `highlighting` in tests/it holds the words to the grammar.
(function () {
    "use strict";
    if (typeof hljs === "undefined") {
        return;
    }

    // The words that are reserved where an operand begins, and those that begin an item.
    const RESERVED = "rule mark let def use test "
        + "on by when unless unknown deny ask allow halt exit context warn rewrite notify run record fires quiet "
        + "in contains starts_with ends_with like mark matches under outside "
        + "and or not into exists all only runs pipes reads writes deletes sends connects where file_exists file_size true false null";
    // The words that mean something in one place only, and may be names elsewhere.
    const BESIDE = "except with replace to option given expect message rewrites happened key since within after then wait";
    const PLACES = "project tmp home main now";
    const CONSTANTS = ["true", "false", "null"];

    hljs.registerLanguage("rules", function () {
        const words = (RESERVED + " " + BESIDE).split(" ").filter((word) => !CONSTANTS.includes(word));
        const keywords = {
            $pattern: /[A-Za-z_][A-Za-z0-9_-]*/,
            keyword: words.join(" "),
            literal: CONSTANTS.join(" ") + " " + PLACES,
        };
        const placeholder = { className: "subst", begin: /\{[a-z_][A-Za-z0-9_.-]*\}/ };
        const escape = { begin: /\\./ };
        const string = (begin, end, contains) => ({ className: "string", begin, end, contains });
        return {
            keywords,
            contains: [
                { className: "comment", begin: /#/, end: /$/ },
                { className: "meta", begin: /@[a-z-]+/ },
                string(/"""/, /"""/, [escape, placeholder]),
                string(/"/, /"|$/, [escape, placeholder]),
                string(/'/, /'|$/, []),
                { className: "symbol", begin: /`/, end: /`|$/ },
                // The name behind the word.
                {
                    begin: /^(rule|mark|let|def)[ ]+[A-Za-z0-9_-]+/, returnBegin: true, end: /(?=[{=])|$/,
                    contains: [
                        { className: "keyword", begin: /^(rule|mark|let|def)/ },
                        { className: "title", begin: /[A-Za-z0-9_-]+/ },
                    ],
                },
                // No keyword is in these, and no regex begins in them.
                { begin: /[A-Za-z0-9_-]+(\/[A-Za-z0-9_*-]+)+/ },
                { begin: /[a-z_][A-Za-z0-9_]*(\.[A-Za-z0-9_-]+)+/ },
                { className: "built_in", begin: /\b(mcp__[A-Za-z0-9_*]+|[A-Z][A-Za-z]+)\b/ },
                { className: "regexp", begin: /\/(?=[^\s\/])/, end: /\/[imsx]*|$/, contains: [escape] },
                { className: "number", begin: /\b\d+(\.\d+)?(ms|s|m|h|B|KB|MB|GB)?\b/ },
            ],
        };
    });

    // Each line of its own, so that what does not fit goes on below, a little further in.
    function lines(html) {
        let open = [];
        return html.split("\n").map(function (line) {
            const start = open.join("");
            for (const tag of line.match(/<span[^>]*>|<\/span>/g) || []) {
                if (tag === "</span>") {
                    open.pop();
                } else {
                    open.push(tag);
                }
            }
            const indent = line.replace(/<[^>]*>/g, "").match(/^ */)[0].length + 4;
            const style = `padding-inline-start: ${indent}ch; text-indent: -${indent}ch`;
            return line ? `<span class="line" style="${style}">${start}${line}${"</span>".repeat(open.length)}</span>` : "";
        }).join("\n");
    }

    for (const block of document.querySelectorAll("code.language-rules")) {
        block.innerHTML = lines(hljs.highlight("rules", block.textContent).value);
    }
    for (const block of document.querySelectorAll("pre > code:not(.language-rules, .language-text), code.wrap")) {
        block.innerHTML = lines(block.innerHTML);
    }
})();

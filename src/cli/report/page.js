"use strict";
(() => {
  const rows = JSON.parse(document.getElementById("data").textContent);
  const STEP = 20;
  const at = (id) => document.getElementById(id);
  const [input, decision, rule, list, found, more] = ["text", "decision", "rule", "list", "found", "more"].map(at);
  const words = { pass: "pass", allow: "allow", ask: "ask", deny: "deny", halt: "halt", observe: "would decide" };
  let shown = STEP;

  // Whatever a row says is text, never markup.
  const element = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const kind = (row) => (row.d === "pass" && row.w.length ? "observe" : row.d);
  const word = (row) => (row.e ? `${row.d} → ${row.e}` : words[kind(row)] || row.d);
  const text = (row) =>
    [row.c, row.o, row.v, row.a, row.h, row.s, word(row), ...row.r, ...row.w, ...row.m, ...row.u, ...row.p]
      .filter(Boolean).join("\n").toLowerCase();
  const index = rows.map(text);

  const option = (select, value, label) => {
    const made = element("option", "", label);
    made.value = value;
    select.append(made);
  };
  const kinds = new Set(rows.map(kind));
  Object.keys(words).filter((name) => kinds.has(name)).forEach((name) => option(decision, name, words[name]));
  const names = new Set(rows.flatMap((row) => [...row.r, ...row.w]));
  [...names].sort().forEach((name) => option(rule, name, name));

  const details = (row) => {
    const made = element("dl");
    const add = (name, values) => {
      if (!values || !values.length) return;
      made.append(element("dt", "", name), element("dd", "", values.join("\n")));
    };
    add("message", row.m);
    add("rules", row.r);
    add("observed", row.w);
    add("unknown", row.u);
    add("problems", row.p);
    add("agent", [row.a]);
    add("host", row.h ? [row.h] : []);
    add("session", row.s ? [row.s] : []);
    add("event", [row.v]);
    add("hook", row.x ? [row.x] : []);
    add("not whole", row.i);
    add("line", row.n ? [String(row.n)] : []);
    return made;
  };
  const entry = (row) => {
    const made = element("details", "entry");
    const summary = element("summary");
    summary.append(
      element("span", "when", row.t.slice(0, 19).replace("T", " ").slice(5)),
      element("span", `word ${Object.hasOwn(words, kind(row)) ? kind(row) : ""}`, word(row)),
      element("span", "tool", row.o || row.v),
      element("span", "call", row.c || row.m[0] || ""),
    );
    made.append(summary);
    made.addEventListener("toggle", () => {
      if (made.open && made.children.length === 1) made.append(details(row));
    });
    return made;
  };

  const show = () => {
    const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const takes = (row, at) =>
      (!decision.value || kind(row) === decision.value) &&
      (!rule.value || row.r.includes(rule.value) || row.w.includes(rule.value)) &&
      wanted.every((part) => index[at].includes(part));
    const taken = rows.filter(takes);
    list.replaceChildren(...taken.slice(0, shown).map(entry));
    found.textContent = `${taken.length} of ${rows.length}`;
    more.hidden = taken.length <= shown;
  };
  const restart = () => { shown = STEP; show(); };
  input.addEventListener("input", restart);
  decision.addEventListener("change", restart);
  rule.addEventListener("change", restart);
  more.addEventListener("click", () => { shown += STEP; show(); });
  document.querySelectorAll("button.find").forEach((button) => button.addEventListener("click", () => {
    input.value = "";
    decision.value = "";
    rule.value = button.dataset.rule;
    restart();
    at("calls").scrollIntoView({ behavior: "smooth" });
  }));
  // The latest days are at the right.
  document.querySelectorAll(".scroll").forEach((part) => { part.scrollLeft = part.scrollWidth; });
  show();
})();

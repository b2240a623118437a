// The bridge between OpenCode, which calls plugins and no programs, and `rules hook opencode`.
//
// `rules install opencode` writes it to `~/.config/opencode/plugins/` or, for a project, to `.opencode/plugins/`. A copy
// works there, too, if `rules` is in the PATH. It imports nothing, so that OpenCode has nothing to install.
//
// A call runs only if the program says so: whatever else happens to the program, the call is denied.

const command = ["rules", "hook", "opencode"]
const events = ["session.start", "chat.message", "subagent.start", "tool.execute.before", "tool.execute.after", "tool.execute.failed", "permission.asked", "session.idle", "subagent.idle"]

export const Rules = async ({ client, directory, worktree }) => {
  // Only the policy of a project that brought this file itself is already trusted.
  const ofProject = [directory, worktree].some((root) => import.meta.dir === `${root}/.opencode/plugins`)
  const scope = command.includes("--scope") ? [] : ["--scope", ofProject ? "project" : "user"]

  // A subagent is a session of its own, with a parent. The session of the payload is the one that the user sees.
  const actors = new Map()
  const actor = (id) => {
    if (!actors.has(id)) actors.set(id, client.session.get({ path: { id } }).then(async ({ data }) => {
      if (!data) throw new Error("OpenCode did not say which agent acts.")
      if (!data.parentID) return { session_id: id }
      return { session_id: (await actor(data.parentID)).session_id, agent_id: id, agent_type: data.agent }
    }))
    return actors.get(id).catch((error) => {
      actors.delete(id)
      throw error
    })
  }

  // Returns the answer, with the reason of a denial as `reason`.
  const ask = async (hook, id, members) => {
    if (!events.includes(hook)) return {}
    const payload = { hook, directory, ...(await actor(id)), ...members }
    const options = { cwd: directory, stdin: new Blob([JSON.stringify(payload)]), stdout: "pipe", stderr: "pipe" }
    const program = Bun.spawn([...command, ...scope], options)
    const [stdout, stderr] = await Promise.all([program.stdout, program.stderr].map((it) => new Response(it).text()))
    const code = await program.exited
    if (code !== 0 && code !== 2) throw new Error(stderr.trim() || `\`rules\` failed with ${program.signalCode ?? code}, so the call is denied.`)
    const answer = stdout.trim() ? JSON.parse(stdout) : {}
    const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value)
    if (!isObject(answer) || ("args" in answer && !isObject(answer.args))) throw new Error("`rules` gave an answer of another form, so the call is denied.")
    return code === 0 ? answer : { ...answer, reason: stderr.trim() || "The policy denies it." }
  }

  // A failure of the program is reported by the calls that it denies, not by events that nothing waits for.
  const report = (hook, id, members) => ask(hook, id, members).catch(() => ({}))

  // OpenCode tells the model nothing before a call, so a context waits for the next result or prompt of its session.
  const contexts = new Map()
  const keep = (id, context) => context && contexts.set(id, [...(contexts.get(id) ?? []), context])
  const take = (id) => {
    const kept = contexts.get(id) ?? []
    contexts.delete(id)
    return kept
  }

  const created = new Set()
  const started = new Set()

  return {
    event: async ({ event }) => {
      const { sessionID, permission, patterns } = event.properties ?? {}
      if (event.type === "session.created") created.add(sessionID)
      if (event.type === "session.idle") {
        const who = await actor(sessionID).catch(() => ({}))
        await report(who.agent_id ? "subagent.idle" : "session.idle", sessionID, {})
      }
      if (event.type === "permission.asked") {
        const message = [permission, ...(patterns ?? [])].join(" ")
        await report("permission.asked", sessionID, { message, notification_type: "permission_prompt" })
      }
    },

    "chat.message": async (input, output) => {
      const id = input.sessionID
      const isSubagent = Boolean((await actor(id).catch(() => ({}))).agent_id)
      if (!isSubagent && !started.has(id)) {
        started.add(id)
        const source = created.has(id) ? "startup" : "resume"
        keep(id, (await report("session.start", id, { source })).context)
      }
      const prompt = output.parts.filter((part) => part.type === "text").map((part) => part.text).join("\n")
      const answer = await report(isSubagent ? "subagent.start" : "chat.message", id, isSubagent ? { prompt } : { prompt, input, output })
      if (answer.reason && !isSubagent) throw new Error(answer.reason)
      keep(id, answer.context)
      const last = output.parts.at(-1)
      if (!last) return
      const { id: part, messageID, sessionID } = last
      take(id).forEach((text, index) => output.parts.push({ id: `${part}r${index}`, messageID, sessionID, type: "text", text, synthetic: true }))
    },

    "tool.execute.before": async (input, output) => {
      const answer = await ask("tool.execute.before", input.sessionID, { input, output })
      keep(input.sessionID, answer.context)
      if (answer.reason) throw new Error(answer.reason)
      // The object itself cannot be replaced: OpenCode keeps the one that it has.
      if (answer.args) {
        for (const name of Object.keys(output.args)) if (!Object.hasOwn(answer.args, name)) delete output.args[name]
        Object.assign(output.args, answer.args)
      }
    },

    // OpenCode does not call this for tools that fail, but for commands that do.
    "tool.execute.after": async (input, output) => {
      const hasFailed = input.tool === "bash" && output.metadata?.exit !== 0
      const answer = await report(hasFailed ? "tool.execute.failed" : "tool.execute.after", input.sessionID, { input, output })
      if (answer.output !== undefined) output.output = typeof answer.output === "string" ? answer.output : JSON.stringify(answer.output)
      const texts = [...take(input.sessionID), answer.context].filter(Boolean)
      if (texts.length) output.output = [output.output, ...texts].join("\n\n")
    },
  }
}

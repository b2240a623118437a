// The bridge between OpenCode, which calls plugins and no programs, and `rules hook opencode`.
//
// Copy it to `.opencode/plugins/` of a project, or to `~/.config/opencode/plugins/` for every project. `rules` must be
// in the PATH. It imports nothing, so that OpenCode has nothing to install.
//
// A call runs only if the program says so: whatever else happens to the program, the call is denied.

export const Rules = async ({ directory, worktree }) => {
  // Only the policy of a project that brought this file itself is already trusted.
  const ofProject = [directory, worktree].some((root) => import.meta.dir === `${root}/.opencode/plugins`)
  const command = ["rules", "hook", "opencode", "--scope", ofProject ? "project" : "user"]

  const ask = async (payload) => {
    const options = { cwd: directory, stdin: new Blob([JSON.stringify(payload)]), stdout: "pipe", stderr: "pipe" }
    const program = Bun.spawn(command, options)
    const [stdout, stderr] = await Promise.all([program.stdout, program.stderr].map((it) => new Response(it).text()))
    const code = await program.exited
    if (code !== 0) throw new Error(stderr.trim() || `\`rules\` failed with ${program.signalCode ?? code}, so the call is denied.`)
    return stdout.trim() ? JSON.parse(stdout) : {}
  }

  return {
    "tool.execute.before": async (input, output) => {
      const answer = await ask({ hook: "tool.execute.before", directory, input, output })
      // The object itself cannot be replaced: OpenCode keeps the one that it has.
      if (answer.args) {
        for (const name of Object.keys(output.args)) if (!(name in answer.args)) delete output.args[name]
        Object.assign(output.args, answer.args)
      }
    },
  }
}

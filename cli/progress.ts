/** Shows how far long work has come: one line that changes on a terminal, a line every few seconds elsewhere. */
export function createProgress(
  output: NodeJS.WriteStream = process.stderr,
  { everyMs = 3000 }: { everyMs?: number } = {},
): { update(label: string, done: number, total: number): void; end(): void } {
  let lastAt = 0
  let shown = false
  return {
    update(label, done, total) {
      const now = Date.now()
      if (now - lastAt < (output.isTTY ? 80 : everyMs)) return
      lastAt = now
      const percent = total > 0 ? Math.min(100, Math.floor((100 * done) / total)) : 100
      if (output.isTTY) {
        const filled = Math.round(percent / 5)
        output.write(
          `\r\x1b[2K${'█'.repeat(filled)}${'░'.repeat(20 - filled)} ${String(percent).padStart(3)} %  ${label}`,
        )
        shown = true
      } else {
        output.write(`${String(percent).padStart(3)} %  ${label}\n`)
      }
    },
    end() {
      if (shown) output.write('\r\x1b[2K')
    },
  }
}

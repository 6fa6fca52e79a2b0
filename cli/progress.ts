/**
 * Shows the progress of long-running work: one line that changes on a terminal, a line every few seconds elsewhere.
 *
 * @param options.everyMs - Milliseconds between two lines where there is no terminal.
 */
export function createProgress(
  output: NodeJS.WriteStream = process.stderr,
  { everyMs = 3000 }: { everyMs?: number } = {},
): { update(label: string, done: number, total: number): void; end(): void } {
  // Elsewhere than on a terminal short work says nothing.
  let lastAt = output.isTTY ? 0 : Date.now()
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

import type { PageTokens } from './critical-rules.ts'

// Top-level await prevents `require` of this module, which the pool tries first: Node 24 aborts the process when a
// thread is terminated during `require`.
const { criticalRules } = await import('./critical-rules.ts')

/** Runs in a thread, since parsing a large sheet takes long. */
export default function work(task: { readonly css: string; readonly tokens: PageTokens }): string | undefined {
  return criticalRules(task.css, task.tokens)
}

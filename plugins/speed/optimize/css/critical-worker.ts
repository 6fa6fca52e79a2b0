import type { PageTokens } from './critical-rules.ts'

// Awaited, so that no `require` takes this module, which is what the pool tries first: Node 24 aborts the whole process
// when a thread is ended while it requires a module.
const { criticalRules } = await import('./critical-rules.ts')

/** Runs in a thread of its own: reading a large sheet takes long. */
export default function work(task: { readonly css: string; readonly tokens: PageTokens }): string | undefined {
  return criticalRules(task.css, task.tokens)
}

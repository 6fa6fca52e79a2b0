import { criticalRules, type PageTokens } from './critical-rules.ts'

/** Runs in a thread of its own: reading a large sheet takes long. */
export default function work(task: { readonly css: string; readonly tokens: PageTokens }): string | undefined {
  return criticalRules(task.css, task.tokens)
}

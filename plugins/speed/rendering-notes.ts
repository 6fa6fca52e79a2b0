import { AsyncLocalStorage } from 'node:async_hooks'

/** What the cache has to know of a page that its answer does not say: noted by those who see the page as it is rendered. */
export interface RenderingNotes {
  /** All tags of the page, however long; `undefined` where the answer is no page. */
  tags: readonly string[] | undefined
  /** Names of the settings that changed the page. */
  optimizations: readonly string[]
}

const storage = new AsyncLocalStorage<RenderingNotes>()

/** Renders a page for the cache. @returns what `render` comes to, with what was noted meanwhile */
export async function withNotes<Result>(render: () => Promise<Result>): Promise<[Result, RenderingNotes]> {
  const notes: RenderingNotes = { tags: undefined, optimizations: [] }
  return [await storage.run(notes, render), notes]
}

/** Takes notes of the page that is being rendered, if it is rendered for the cache. */
export function note(notes: Partial<RenderingNotes>): void {
  const current = storage.getStore()
  if (current) Object.assign(current, notes)
}

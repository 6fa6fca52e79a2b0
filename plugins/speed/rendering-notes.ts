import { AsyncLocalStorage } from 'node:async_hooks'

/** Data about a page that the cache needs and that its response does not contain, recorded while the page is rendered. */
export interface RenderingNotes {
  /** All tags of the page, regardless of their length; `undefined` if the response is not a page. */
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

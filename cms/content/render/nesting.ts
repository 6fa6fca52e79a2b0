import { AsyncLocalStorage } from 'node:async_hooks'

const inside = new AsyncLocalStorage<readonly string[]>()

/** Which contents are being rendered around this one, outermost first: `content-7` is the text of post 7. */
export function contentsAround(): readonly string[] {
  return inside.getStore() ?? []
}

/** Renders a content, which those within it then see around them. */
export function asContent<Result>(key: string, work: () => Result): Result {
  return inside.run([...contentsAround(), key], work)
}

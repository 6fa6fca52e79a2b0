import { AsyncLocalStorage } from 'node:async_hooks'

/** Shared by all hosts of the process: it only contains whether content is rendered for its words. */
const storage = new AsyncLocalStorage<true>()

/** Renders content for an excerpt; WordPress's `doing_filter( 'get_the_excerpt' )`. */
export function forExcerpt<Result>(work: () => Result): Result {
  return storage.run(true, work)
}

/** Whether the content is being rendered for an excerpt. */
export function isForExcerpt(): boolean {
  return storage.getStore() === true
}

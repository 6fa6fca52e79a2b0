import { ApiError } from './error.ts'
import { change, pathOf, type Query } from './rest.ts'

/** One writing request of several. */
export interface BatchRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Without a slash before it: `wp/v2/posts/7` */
  readonly path: string
  readonly query?: Query
  readonly body?: Readonly<Record<string, unknown>>
}

export interface BatchOutcome {
  readonly request: BatchRequest
  /** Why it was refused. */
  readonly error?: ApiError
}

interface Answers {
  readonly responses: readonly { readonly status: number; readonly body: unknown }[]
}

/** What the server takes at once. */
const AT_ONCE = 25

/**
 * Sends any number of requests, those the server takes at once together. One that is refused does not hold up the others.
 * @param onProgress told how many are done
 * @throws ApiError if the server can't be reached
 */
export async function batch(
  requests: readonly BatchRequest[],
  onProgress: (done: number) => void = () => {},
): Promise<BatchOutcome[]> {
  const outcomes: BatchOutcome[] = []
  for (let from = 0; from < requests.length; from += AT_ONCE) {
    const some = requests.slice(from, from + AT_ONCE)
    const sent = some.map(({ method, path, query, body }) => ({ method, path: pathOf(path, query), body: body ?? {} }))
    const { responses } = await change<Answers>('POST', 'batch/v1', { requests: sent })
    for (const [at, request] of some.entries()) {
      const { status = 500, body } = responses[at] ?? {}
      outcomes.push(status < 400 ? { request } : { request, error: await ApiError.of(body) })
    }
    onProgress(outcomes.length)
  }
  return outcomes
}

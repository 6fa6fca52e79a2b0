import { confirmPassword } from './confirm-password.ts'
import { ApiError } from './error.ts'
import { change, pathOf, type Query } from './rest.ts'

/** One write request of a batch. */
export interface BatchRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Without a leading slash: `wp/v2/posts/7` */
  readonly path: string
  readonly query?: Query
  readonly body?: Readonly<Record<string, unknown>>
}

export interface BatchOutcome {
  readonly request: BatchRequest
  /** Why the request failed. */
  readonly error?: ApiError
}

interface BatchResponse {
  readonly responses: readonly { readonly status: number; readonly body: unknown }[]
}

/** The maximum number of requests that the server accepts in one batch. */
const AT_ONCE = 25

/**
 * Sends any number of requests in batches of the size that the server accepts. A request that fails does not stop the
 * others.
 * Requests that need the current password are sent again once the user has confirmed it.
 * @param onProgress receives the number of requests done
 * @throws ApiError if the server can't be reached
 */
export async function batch(
  requests: readonly BatchRequest[],
  onProgress: (done: number) => void = () => {},
): Promise<BatchOutcome[]> {
  const outcomes: BatchOutcome[] = []
  for (let from = 0; from < requests.length; from += AT_ONCE) {
    const some = requests.slice(from, from + AT_ONCE)
    const first = await sendTogether(some)
    const unconfirmed = first.filter(needsPassword)
    if (unconfirmed.length > 0) await confirmPassword()
    const second = unconfirmed.length > 0 ? await sendTogether(unconfirmed.map(({ request }) => request)) : []
    for (const outcome of first) outcomes.push(needsPassword(outcome) ? (second.shift() ?? outcome) : outcome)
    onProgress(outcomes.length)
  }
  return outcomes
}

const needsPassword = ({ error }: BatchOutcome): boolean => error?.code === 'password_confirmation_required'

async function sendTogether(requests: readonly BatchRequest[]): Promise<BatchOutcome[]> {
  const sent = requests.map(({ method, path, query, body }) => ({
    method,
    path: pathOf(path, query),
    body: body ?? {},
  }))
  const { responses } = await change<BatchResponse>('POST', 'batch/v1', { requests: sent })
  return Promise.all(
    requests.map(async (request, at) => {
      const { status = 500, body } = responses[at] ?? {}
      return status < 400 ? { request } : { request, error: await ApiError.of(body) }
    }),
  )
}

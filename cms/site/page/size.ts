import { RestError, withStackOf } from '../../../core/errors.ts'
import { currentRequest } from '../../../core/http/request-context.ts'
import type { Logger } from '../../../core/log.ts'
import type { EncodedText } from '../send-response.ts'
import type { PageContext } from '../types.ts'

/** Maximum size in bytes, somewhat less than `Front.render` accepts, so that the page cache can still optimize the page. */
const MAX_BYTES = 15 * 1024 * 1024
/** Number of callbacks that the log names. */
const MOST_NAMED = 3

/**
 * Several texts that are not too long in themselves may add up to a page that is. The callback that lengthened them most gets the error.
 * @throws RestError `page_too_large`
 */
export function assertPageSize({ body }: EncodedText, page: PageContext, log: Logger): void {
  const size = body.length
  if (size <= MAX_BYTES) return
  const largest = [...(currentRequest()?.waiting.growth ?? [])].sort(([, one], [, other]) => other - one)
  const callbacks = largest
    .slice(0, MOST_NAMED)
    .map(([{ owner, name }, characters]) => ({ extension: owner?.id, hook: name, characters }))
  log.error(
    { requestId: page.request.id, path: page.request.path, size, maximum: MAX_BYTES, callbacks },
    'page too large',
  )
  const [culprit] = largest
  if (culprit) {
    const [{ owner, name, added }, characters] = culprit
    const message = `The page has ${size} bytes; the maximum is ${MAX_BYTES}. This callback added ${characters} characters.`
    owner?.onError(withStackOf(new RangeError(message), added), name)
  }
  throw new RestError('page_too_large', 'There has been a critical error on this website. Please try again later.', {
    status: 500,
  })
}

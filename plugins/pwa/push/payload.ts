import { type ExtensionHost, RestError, toLanguage } from 'pentad'
import type { z } from 'zod'
import './hooks.ts'
import { payloadSchema } from './payload-schema.ts'
import type { Notification, PushPayload } from './types.ts'

/** Bytes of a payload: with what the encryption adds it stays below the 4096 that every push service takes. */
const LONGEST = 3000

/** Milliseconds of shaking and stillness. */
const VIBRATION = [200, 100, 200]

/** Costs some milliseconds when it is made. */
let characters: Intl.Segmenter | undefined

/**
 * The notification as browsers get it, JSON text under 3 KB.
 *
 * @param tag differs with each notification, so that one does not take the place of another
 * @throws RestError 400 `notification_too_large` if it does not fit even without its text
 */
export async function writePayload(
  { hooks, content, log }: Pick<ExtensionHost, 'hooks' | 'content' | 'log'>,
  notification: Notification,
  tag: string,
): Promise<string> {
  const { title, body, navigate, image, icon, requireInteraction, vibrate, actions } = notification
  const payload: PushPayload = {
    web_push: 8030,
    notification: {
      ...{ title, body, navigate, lang: toLanguage(content.siteSettings().language), dir: 'auto', silent: false, tag },
      ...{ app_badge: '1', requireInteraction },
      ...(icon !== undefined && { icon }),
      ...(image !== undefined && { image }),
      ...(vibrate && { vibrate: VIBRATION }),
      ...(actions.length > 0 && { actions }),
    },
  }
  const filtered = await hooks.applyFiltersAsync('pwa_push_payload', payload, notification)
  const checked = payloadSchema.safeParse(filtered)
  if (!checked.success) log.warn({ err: checked.error }, 'what the filter pwa_push_payload returned is no payload')
  return shorten(checked.success ? checked.data : payload)
}

/** Shortens the text, then the title, until it fits. */
function shorten(payload: z.output<typeof payloadSchema> | PushPayload): string {
  const { title, body } = payload.notification
  const write = (title: string, body: string) =>
    JSON.stringify({ ...payload, notification: { ...payload.notification, title, body } })
  const fits = (text: string) => Buffer.byteLength(text) <= LONGEST
  const whole = write(title, body)
  if (fits(whole)) return whole
  const withBody = longest(body, (some) => fits(write(title, some)))
  if (withBody !== undefined) return write(title, withBody)
  const withTitle = longest(title, (some) => some !== '' && fits(write(some, '')))
  if (withTitle !== undefined) return write(withTitle, '')
  throw new RestError('notification_too_large', 'The addresses of the notification are too long.', { status: 400 })
}

/** The longest beginning that fits, cut between characters as people see them: an emoji stays whole. */
function longest(text: string, fits: (some: string) => boolean): string | undefined {
  characters ??= new Intl.Segmenter()
  const ends = [0, ...Array.from(characters.segment(text), ({ index, segment }) => index + segment.length)]
  const cut = (at: number) => {
    const end = ends[at] ?? 0
    return end === 0 || end === text.length ? text.slice(0, end) : `${text.slice(0, end).trimEnd()}…`
  }
  let [low, high] = [-1, ends.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(cut(middle))) low = middle
    else high = middle - 1
  }
  return low === -1 ? undefined : cut(low)
}

import { type ExtensionHost, RestError, toLanguage } from 'pentad'
import type { z } from 'zod'
import './hooks.ts'
import { payloadSchema } from './payload-schema.ts'
import type { Notification, PushPayload } from './types.ts'

/** Maximum bytes of a payload: encrypted, it stays below the 4096 that every push service accepts. */
const LONGEST = 3000

/** Milliseconds of vibration and pause. */
const VIBRATION = [200, 100, 200]

/** Created lazily because it takes milliseconds. */
let characters: Intl.Segmenter | undefined

/**
 * Serializes the notification to JSON of up to 3 KB.
 *
 * @param tag unique, so that notifications do not replace each other
 * @throws RestError 400 `notification_too_large` if it does not fit even without text
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
  if (!checked.success) log.warn({ err: checked.error }, 'filter pwa_push_payload returned an invalid payload')
  return shorten(checked.success ? checked.data : payload)
}

/** Truncates the text, then the title, until the payload fits. */
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
  throw new RestError('notification_too_large', 'The URLs of the notification are too long.', { status: 400 })
}

/** Truncates between graphemes to the longest text that fits. */
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

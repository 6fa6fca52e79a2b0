import { type ExtensionHost, RestError } from 'pentad'
import { z } from 'zod'
import type { Notification } from './types.ts'

/** Characters of an address; three of them must fit into a message. */
const LONGEST_URL = 700

const toggle = z.enum(['on', 'off']).default('off')

const buttonSchema = z.object({
  text: z.string().trim().min(1).max(60),
  url: z.string().trim().max(LONGEST_URL).default(''),
})

/** `notificationData` of services.md 2.3. */
export const notificationData = z.object({
  notificationTitle: z.string().trim().min(1).max(200).describe('Title.'),
  notificationMessage: z.string().trim().max(5000).default('').describe('Text; cut where a message has no more room.'),
  notificationImage: z.int().min(0).nullish().describe('Id of a large image.'),
  notificationUrl: z
    .string()
    .trim()
    .max(LONGEST_URL)
    .default('')
    .describe('Opened when it is selected: address or path.'),
  notificationPersistent: toggle.describe('`on` keeps it on the screen until it is dismissed.'),
  notificationVibration: toggle.describe('`on` vibrates the device on arrival.'),
  notificationActionButtons: z
    .array(buttonSchema)
    .max(2)
    .default([])
    .describe('At most two buttons; left out without a Pro license.'),
})

/**
 * What was asked to be sent, as it is shown.
 * @throws RestError 400 `rest_invalid_param` for an address that is none or an image that is none, 404
 * `attachment_not_found`
 */
export async function readNotification(
  { auth, content, site }: Pick<ExtensionHost, 'auth' | 'content' | 'site'>,
  data: z.output<typeof notificationData>,
): Promise<Notification> {
  const buttons = auth.licence.active ? data.notificationActionButtons : []
  const image = data.notificationImage ? await imageUrl(content, data.notificationImage) : undefined
  return {
    title: data.notificationTitle,
    body: data.notificationMessage,
    navigate: absolute(data.notificationUrl, site.url, 'notificationUrl'),
    ...(image !== undefined && { image }),
    requireInteraction: data.notificationPersistent === 'on',
    vibrate: data.notificationVibration === 'on',
    actions: buttons.map(({ text, url }, at) => ({
      action: `action${at}`,
      title: text,
      navigate: absolute(url, site.url, 'notificationActionButtons'),
    })),
  }
}

/** Address of an image that a notification can show. @throws RestError */
export async function imageUrl(content: ExtensionHost['content'], id: number): Promise<string> {
  const post = await content.posts.get(id)
  if (post?.type !== 'attachment')
    throw new RestError('attachment_not_found', 'There is no such image.', { status: 404 })
  if (!post.mimeType.startsWith('image/')) throw invalid('notificationImage', 'It must be an image.')
  const details = (await content.media.details([post])).get(id)
  // Devices show it at some 500 pixels; the original may have many megabytes.
  return details?.sizes.large?.url ?? details?.url ?? ''
}

/** @throws RestError 400 for what is no web address: `javascript:` and its like would run in the site's own pages */
export function absolute(url: string, siteUrl: string, name: string): string {
  const parsed = URL.parse(url, `${siteUrl}/`)
  if (parsed && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.password === '')
    return parsed.href
  throw invalid(name, 'It must be an address of the web, or a path of this site.')
}

function invalid(name: string, message: string): RestError {
  const path = `notificationData.${name}`
  return new RestError('rest_invalid_param', `Invalid parameter(s): ${path}`, {
    status: 400,
    params: { [path]: message },
    details: { [path]: { code: 'rest_invalid_param', message } },
  })
}

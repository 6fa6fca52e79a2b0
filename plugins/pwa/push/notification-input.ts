import { type ExtensionHost, RestError } from 'pentad'
import { z } from 'zod'
import type { Notification } from './types.ts'

/** Maximum characters of a URL: three must fit into a message. */
const LONGEST_URL = 700

const toggle = z.enum(['on', 'off']).default('off')

const buttonSchema = z.object({
  text: z.string().trim().min(1).max(60),
  url: z.string().trim().max(LONGEST_URL).default(''),
})

/** Parameter `notificationData`. */
export const notificationData = z.object({
  notificationTitle: z.string().trim().min(1).max(200).describe('Title of the notification.'),
  notificationMessage: z
    .string()
    .trim()
    .max(5000)
    .default('')
    .describe('Text, truncated if it is too long for a message.'),
  notificationImage: z.int().min(0).nullish().describe('Attachment ID of a large image.'),
  notificationUrl: z.string().trim().max(LONGEST_URL).default('').describe('URL or path to open on click.'),
  notificationPersistent: toggle.describe('Whether it stays on the screen until it is dismissed.'),
  notificationVibration: toggle.describe('Whether the device vibrates.'),
  notificationActionButtons: z
    .array(buttonSchema)
    .max(2)
    .default([])
    .describe('Up to two buttons. Requires a Pro license.'),
})

/**
 * Creates a notification from the request.
 * @throws RestError 400 `rest_invalid_param` for an invalid URL or image, 404 `attachment_not_found`
 */
export async function readNotification(
  { content, license, site }: Pick<ExtensionHost, 'content' | 'license' | 'site'>,
  data: z.output<typeof notificationData>,
): Promise<Notification> {
  const buttons = license.active ? data.notificationActionButtons : []
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

/** URL of an image for a notification. @throws RestError */
export async function imageUrl(content: ExtensionHost['content'], id: number): Promise<string> {
  const post = await content.posts.get(id)
  if (post?.type !== 'attachment')
    throw new RestError('attachment_not_found', 'The image does not exist.', { status: 404 })
  if (!post.mimeType.startsWith('image/')) throw invalid('notificationImage', 'The attachment must be an image.')
  const details = (await content.media.details([post])).get(id)
  // Devices show it at about 500 pixels; the original can be very large.
  return details?.sizes.large?.url ?? details?.url ?? ''
}

/** @throws RestError 400 for other URLs: `javascript:` would run on the site's origin */
export function absolute(url: string, siteUrl: string, name: string): string {
  const parsed = URL.parse(url, `${siteUrl}/`)
  if (parsed && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.password === '')
    return parsed.href
  throw invalid(name, 'Enter a URL or a path on this site.')
}

function invalid(name: string, message: string): RestError {
  const path = `notificationData.${name}`
  return new RestError('rest_invalid_param', `Invalid parameter(s): ${path}`, {
    status: 400,
    params: { [path]: message },
    details: { [path]: { code: 'rest_invalid_param', message } },
  })
}

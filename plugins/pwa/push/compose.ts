import type { ExtensionHost } from 'pentad'
import type { PwaSettings } from '../settings.ts'
import { absolute, imageUrl } from './notification-input.ts'
import type { Notification } from './types.ts'

/** Content of an automatic notification. */
export interface AutomaticNotification {
  readonly title: string
  readonly body: string
  /** URL or path. */
  readonly url: string
  /** Attachment id; ignored if it does not exist. */
  readonly imageId?: number | undefined
}

/** Creates an automatic notification. @throws RestError 400 for an invalid URL */
export type Compose = (content: AutomaticNotification) => Promise<Notification>

export function createCompose(host: Pick<ExtensionHost, 'content' | 'site'>, addIcon: AddIcon): Compose {
  return async ({ title, body, url, imageId }) => {
    const image = imageId ? await imageUrl(host.content, imageId).catch(() => undefined) : undefined
    return addIcon({
      ...{ title, body, navigate: absolute(url, host.site.url, 'notificationUrl') },
      ...(image !== undefined && { image }),
      ...{ requireInteraction: false, vibrate: false, actions: [] },
    })
  }
}

/** Adds the app icon to a notification. */
export type AddIcon = (notification: Notification) => Promise<Notification>

export function createAddIcon({ content }: Pick<ExtensionHost, 'content'>, settings: () => PwaSettings): AddIcon {
  return async (notification) => {
    const post = settings().appIcon === 0 ? undefined : await content.posts.get(settings().appIcon)
    if (!post?.mimeType.startsWith('image/')) return notification
    const details = (await content.media.details([post])).get(post.id)
    const icon = details?.sizes.thumbnail?.url ?? details?.url
    return icon === undefined ? notification : { ...notification, icon }
  }
}

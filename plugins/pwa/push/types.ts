import type { Counts } from './deliveries.ts'

/** What extensions hear of a subscription: neither endpoint nor keys, by which it could be used. */
export interface AnnouncedSubscription {
  readonly id: number
  /** Who it is bound to. */
  readonly userId: number | null
  /** Host of the push service. */
  readonly host: string
}

/** How a sending ended: `sent + failed = total`; of those that failed, `removed` subscriptions were no more. */
export type SendingResult = Counts

/** One button of a notification. */
export interface NotificationAction {
  readonly action: string
  readonly title: string
  /** Opened by the button. */
  readonly navigate: string
}

/** What the site tells its subscribers. Texts are plain text, addresses absolute. */
export interface Notification {
  readonly title: string
  readonly body: string
  /** Opened when it is selected. */
  readonly navigate: string
  readonly image?: string | undefined
  readonly icon?: string | undefined
  /** Stays on the screen until it is dismissed. */
  readonly requireInteraction: boolean
  /** Vibrates the device on arrival. */
  readonly vibrate: boolean
  readonly actions: readonly NotificationAction[]
}

/**
 * What a browser gets: Declarative Web Push (WebKit, https://webkit.org/blog/16535/meet-declarative-web-push/), which
 * Safari shows by itself and our service worker reads too. `notification` has the names of `showNotification`.
 */
export interface PushPayload {
  readonly web_push: 8030
  readonly notification: {
    readonly title: string
    readonly body: string
    readonly navigate: string
    readonly lang: string
    readonly dir: 'auto'
    readonly silent: boolean
    /** A notification takes the place of one with the same tag. */
    readonly tag: string
    /** Number on the app's icon. */
    readonly app_badge: string
    readonly requireInteraction: boolean
    readonly icon?: string | undefined
    readonly image?: string | undefined
    readonly vibrate?: readonly number[] | undefined
    readonly actions?: readonly NotificationAction[] | undefined
    readonly data?: Readonly<Record<string, unknown>> | undefined
  }
}

/** A product of a store that is news to subscribers. */
export interface ProductNews {
  readonly productId: number
  readonly name: string
  /** Its page: address or path. */
  readonly url: string
  /** As customers read it: `€ 12.90`. */
  readonly price?: string | undefined
  /** Id of an image. */
  readonly image?: number | undefined
  /** Who watches the product; without it all subscribers are told. */
  readonly userIds?: readonly number[] | undefined
}

/** An order that went on. */
export interface OrderNews {
  /** As the customer knows it. */
  readonly number: string
  readonly userId: number
  /** As the customer reads it: `Shipped`. */
  readonly status: string
  /** Page of the order: address or path. */
  readonly url: string
}

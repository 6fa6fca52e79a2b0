import type { Counts } from './deliveries.ts'

/** Subscription data for hooks, without its endpoint and keys. */
export interface AnnouncedSubscription {
  readonly id: number
  /** Linked user. */
  readonly userId: number | null
  /** Host of the push service. */
  readonly host: string
}

/** Result of a broadcast: `sent + failed = total`. `removed` of the failed subscriptions had expired. */
export type NotificationResult = Counts

/** One button of a notification. */
export interface NotificationAction {
  readonly action: string
  readonly title: string
  /** URL that the button opens. */
  readonly navigate: string
}

/** A notification. Texts are plain text, URLs absolute. */
export interface Notification {
  readonly title: string
  readonly body: string
  /** URL to open on click. */
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
 * Declarative Web Push message (WebKit, https://webkit.org/blog/16535/meet-declarative-web-push/), which Safari
 * displays natively and the service worker reads too. `notification` uses the names of `showNotification`.
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
    /** A notification replaces one with the same tag. */
    readonly tag: string
    /** Badge of the app icon. */
    readonly app_badge: string
    readonly requireInteraction: boolean
    readonly icon?: string | undefined
    readonly image?: string | undefined
    readonly vibrate?: readonly number[] | undefined
    readonly actions?: readonly NotificationAction[] | undefined
    readonly data?: Readonly<Record<string, unknown>> | undefined
  }
}

/** A store product for price drop and back-in-stock notifications. */
export interface ProductUpdate {
  readonly productId: number
  readonly name: string
  /** Product page: URL or path. */
  readonly url: string
  /** Formatted price: `€ 12.90`. */
  readonly price?: string | undefined
  /** Attachment id. */
  readonly image?: number | undefined
  /** Watchers of the product. Default: all subscribers. */
  readonly userIds?: readonly number[] | undefined
}

/** An order whose status changed. */
export interface OrderUpdate {
  /** Order number shown to the customer. */
  readonly number: string
  readonly userId: number
  /** Status label: `Shipped`. */
  readonly status: string
  /** Order page: URL or path. */
  readonly url: string
}

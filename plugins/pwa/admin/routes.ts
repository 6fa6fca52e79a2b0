import type { Responses } from 'pentad/admin/api/responses.ts'
import type { Listed } from 'pentad/admin/api/rest.ts'

/** Responses of the routes of `pwa/v1`. */

export const PWA = 'pwa/v1'
export const SCORE = `${PWA}/pwa-score/fetch`
export const ASSETS = `${PWA}/pwa-assets/fetch`
export const SUBSCRIBERS = `${PWA}/push-subscribers`

export type Score = Responses['GET /pwa/v1/pwa-score/fetch']

export type Assets = Responses['GET /pwa/v1/pwa-assets/fetch']

export type Subscriber = Responses['GET /pwa/v1/push-subscribers/fetch']['items'][number]

export type SubscriberSummary = Responses['GET /pwa/v1/push-subscribers/summary']

/** An audience filter; omitted properties match everything. */
export interface Audience {
  readonly browser?: string
  readonly operatingSystem?: string
  readonly device?: string
  readonly country?: string
}

export type Broadcast = Responses['GET /pwa/v1/push-subscribers/notifications']['items'][number]

export type Analytics = Responses['GET /pwa/v1/pwa-users/fetch']

export const isSending = (broadcasts: Listed<Broadcast> | undefined): boolean =>
  broadcasts?.items.some(({ state }) => state === 'running') ?? false

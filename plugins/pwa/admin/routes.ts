import type { Listed } from 'pentad/admin/api/rest.ts'

/** What the routes of `pwa/v1` answer. */

export const PWA = 'pwa/v1'
export const SCORE = `${PWA}/pwa-score/fetch`
export const ASSETS = `${PWA}/pwa-assets/fetch`
export const SUBSCRIBERS = `${PWA}/push-subscribers`

export interface Score {
  readonly scoreResult: 'Excellent' | 'Good' | 'Average' | 'Bad'
  readonly scorePercent: number
  /** Only with a licence. */
  readonly actionItems?: readonly {
    readonly id: string
    readonly title: string
    readonly description: string
    readonly weight: number
    readonly action: { readonly type: 'setting' | 'link'; readonly target: string }
  }[]
}

export interface Assets {
  readonly icons: readonly {
    readonly src: string
    readonly sizes: string
    readonly type: string
    readonly purpose: string
  }[]
  readonly splashScreens: readonly { readonly src: string; readonly media: string }[]
  readonly exists: boolean
  readonly making: { readonly done: number; readonly total: number } | null
  readonly error: { readonly code: string; readonly message: string } | null
}

export interface Subscriber {
  readonly id: number
  readonly country: string
  readonly operatingSystem: string
  readonly browser: string
  readonly device: string
  readonly date: string
  readonly userId: number | null
}

interface Named {
  readonly name: string
  readonly count: number
}

export interface SubscriberSummary {
  readonly total: number
  readonly browsers: readonly Named[]
  readonly operatingSystems: readonly Named[]
  readonly devices: readonly Named[]
  readonly countries: readonly Named[]
  readonly daily: readonly { readonly date: string; readonly count: number }[]
}

/** Which subscribers; what is left out does not matter. */
export interface Audience {
  readonly browser?: string
  readonly operatingSystem?: string
  readonly device?: string
  readonly country?: string
}

export interface Sending {
  readonly jobId: string
  readonly title: string
  readonly message: string
  readonly sentAt: string
  readonly audience: string
  readonly automatic: boolean
  readonly state: 'running' | 'complete' | 'cancelled' | 'failed'
  readonly percent: number
  readonly total: number
  readonly sent: number
  readonly failed: number
  readonly removed: number
}

interface Share {
  readonly name: string
  readonly active: number
  readonly percentage: number
}

export interface Analytics {
  readonly installations: readonly { readonly date: string; readonly count: number }[]
  readonly browsers: readonly Share[]
  readonly operatingSystems: readonly Share[]
  readonly devices: readonly Share[]
  readonly countries: readonly Share[]
  readonly displayModes: readonly Share[]
  readonly activeUsers: number
  readonly totalUsers: number
}

export const isSending = (sendings: Listed<Sending> | undefined): boolean =>
  sendings?.items.some(({ state }) => state === 'running') ?? false

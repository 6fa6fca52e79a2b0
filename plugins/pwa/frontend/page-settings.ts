import type { PwaSettings } from '../settings.ts'
import { needsWorker } from '../worker/worker-settings.ts'
import type { TextName, Texts } from './default-texts.ts'

/** Settings of the front-end script, the same for all visitors. Features that are off are absent. */
export interface PageSettings {
  /** REST URL of this service. */
  readonly api: string
  /** Path of the service worker. */
  readonly worker?: string
  /** There should be no worker: the page unregisters it. */
  readonly withoutWorker?: true
  readonly periodicSync?: true
  readonly install?: {
    readonly kinds: readonly string[]
    readonly text: string
    readonly delaySeconds: number
    readonly skipFirstVisit: boolean
    /** Whether the page is a blog post. */
    readonly isPost: boolean
  }
  readonly push?: {
    readonly publicKey: string
    readonly prompt: boolean
    readonly button: boolean
    readonly text: string
    readonly delaySeconds: number
    readonly skipFirstVisit: boolean
  }
  /** Where the buttons are. */
  readonly launcher?: string
  readonly offlineNotice?: true
  readonly shareButton?: true
  readonly pullToRefresh?: true
  readonly scrollProgress?: true
  readonly screenWakeLock?: true
  readonly vibration?: true
  readonly texts: Partial<Texts>
}

const SWITCHES = [
  'periodicSync',
  'offlineNotice',
  'shareButton',
  'pullToRefresh',
  'scrollProgress',
  'screenWakeLock',
  'vibration',
] as const

export function pageSettings(
  current: PwaSettings,
  parts: {
    api: string
    texts: Texts
    /** Whether the page is a blog post. */
    isPost: boolean
    worker: string | undefined
    publicKey: string
  },
): PageSettings {
  const { api, texts, isPost, worker, publicKey } = parts
  const settings = {
    api,
    ...(worker !== undefined && { worker }),
    ...(!needsWorker(current) && { withoutWorker: true as const }),
    ...Object.fromEntries(SWITCHES.filter((name) => current[name] === 'on').map((name) => [name, true])),
    ...(current.installPrompts === 'on' && { install: installSettings(current, isPost) }),
    ...(hasLauncher(current) && { launcher: current.pushButtonPosition }),
    ...(worker !== undefined && hasPush(current) && { push: pushSettings(current, publicKey) }),
  }
  // Without a page cache the notice must not mention visited pages.
  const keepsPages = current.offlineCache === 'on' && current.offlineCacheStrategy !== 'NetworkOnly'
  return { ...settings, texts: textsFor({ ...texts, ...(!keepsPages && { offline: texts.offlineTitle }) }, settings) }
}

function hasPush({ pushPrompt, pushButton }: PwaSettings): boolean {
  return pushPrompt === 'on' || pushButton === 'on'
}

function hasLauncher({ pushButton, shareButton, installPromptKinds }: PwaSettings): boolean {
  return pushButton === 'on' || shareButton === 'on' || installPromptKinds.includes('launcher')
}

function installSettings(current: PwaSettings, isPost: boolean): NonNullable<PageSettings['install']> {
  return {
    kinds: current.installPromptKinds,
    text: current.installPromptText,
    delaySeconds: current.installPromptDelaySeconds,
    skipFirstVisit: current.installPromptSkipFirstVisit === 'on',
    isPost,
  }
}

function pushSettings(current: PwaSettings, publicKey: string): NonNullable<PageSettings['push']> {
  return {
    publicKey,
    prompt: current.pushPrompt === 'on',
    button: current.pushButton === 'on',
    text: current.pushPromptText,
    delaySeconds: current.pushPromptDelaySeconds,
    skipFirstVisit: current.pushPromptSkipFirstVisit === 'on',
  }
}

const TEXTS_OF = {
  worker: ['formSent'],
  install: ['install', 'installText', 'iosTitle', 'iosText'],
  push: ['pushText', 'allow', 'bellOff', 'bellOn', 'pushBlocked', 'pushFailed', 'pushIsOn', 'pushIsOff'],
  offlineNotice: ['offline', 'online'],
  shareButton: ['share'],
  pullToRefresh: ['pull', 'release'],
} satisfies Partial<Record<keyof PageSettings, TextName[]>>

/** Texts that the active features can show. */
function textsFor(texts: Texts, settings: Omit<PageSettings, 'texts'>): Partial<Texts> {
  const parts = new Set(Object.keys(settings))
  const names = Object.entries(TEXTS_OF).flatMap(([part, those]) => (parts.has(part) ? those : []))
  return Object.fromEntries(['close' as const, 'notNow' as const, ...names].map((name) => [name, texts[name]]))
}

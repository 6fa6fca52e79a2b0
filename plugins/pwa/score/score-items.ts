import type { AnswerOf } from 'pentad'
import { z } from 'zod'
import type { PwaSettings } from '../settings.ts'

/** What the score is found in. */
export interface Situation {
  readonly settings: PwaSettings
  /** Of the site. */
  readonly url: string
  /** Whether all icons and splash screens are there. */
  readonly hasAssets: boolean
  /** Whether the app icon that was chosen is there. */
  readonly hasAppIcon: boolean
}

export const actionShape = z.object({
  type: z.enum(['setting', 'link']),
  target: z.string().describe('Name of the setting, or a URL.'),
})

/** What to do about an item that is missing. */
type Action = AnswerOf<typeof actionShape>

/** One thing that an app should have. */
export interface ScoreItem {
  readonly id: string
  readonly title: string
  readonly description: string
  /** Points of 100; `share`: an equal part of what the others leave. */
  readonly weight: number | 'share'
  readonly action: Action
  isDone(situation: Situation): boolean
}

const setting = (target: keyof PwaSettings): Action => ({ type: 'setting', target })

/** Browsers take a site on the machine itself for secure (W3C Secure Contexts, 3.1). */
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/

/** Contract 4, the heaviest first. */
export const SCORE_ITEMS: readonly ScoreItem[] = [
  {
    id: 'https',
    title: 'Serve the site over https',
    description: 'Browsers neither install an app nor run its worker without it.',
    weight: 25,
    action: { type: 'link', target: 'https://letsencrypt.org/getting-started/' },
    isDone({ url }) {
      const { protocol, hostname } = new URL(url)
      return protocol === 'https:' || LOOPBACK.test(hostname)
    },
  },
  {
    id: 'app-icon',
    title: 'Choose an app icon',
    description: 'Browsers offer to install an app only if it has an icon.',
    weight: 10,
    action: setting('appIcon'),
    isDone: ({ hasAppIcon }) => hasAppIcon,
  },
  {
    id: 'assets',
    title: 'Make icons and splash screens',
    description: 'Each device gets its own sizes, made from the app icon.',
    weight: 10,
    action: setting('appIcon'),
    isDone: ({ hasAssets }) => hasAssets,
  },
  {
    id: 'app-name',
    title: 'Name the app',
    description: 'Shows when people install it.',
    weight: 10,
    action: setting('appName'),
    isDone: ({ settings }) => settings.appName !== '',
  },
  {
    id: 'short-name',
    title: 'Give the app a short name',
    description: 'Shows below its icon, where a longer one is cut off.',
    weight: 10,
    action: setting('shortName'),
    isDone: ({ settings }) => settings.shortName !== '',
  },
  {
    id: 'categories',
    title: 'Say what kind of app it is',
    description: 'App stores sort it by its categories.',
    weight: 10,
    action: setting('categories'),
    isDone: ({ settings }) => settings.categories.length > 0,
  },
  {
    id: 'install-prompts',
    title: 'Offer to install the app',
    description: 'Few visitors find the entry in the menu of the browser.',
    weight: 'share',
    action: setting('installPrompts'),
    isDone: ({ settings }) => settings.installPrompts === 'on',
  },
  {
    id: 'install-overlay',
    title: 'Choose where the offer shows',
    description: 'Without a kind of install prompt none shows.',
    weight: 'share',
    action: setting('installPromptKinds'),
    isDone: ({ settings }) => settings.installPromptKinds.length > 0,
  },
  {
    id: 'offline-cache',
    title: 'Keep pages for when there is no network',
    description: 'Visited pages open offline, and faster.',
    weight: 'share',
    action: setting('offlineCache'),
    isDone: ({ settings }) => settings.offlineCache === 'on',
  },
  {
    id: 'background-sync',
    title: 'Send forms later that were sent offline',
    description: 'What people write is not lost with the network.',
    weight: 'share',
    action: setting('backgroundSync'),
    isDone: ({ settings }) => settings.backgroundSync === 'on',
  },
  {
    id: 'periodic-sync',
    title: 'Refresh kept pages in the background',
    description: 'The installed app opens with what is new.',
    weight: 'share',
    action: setting('periodicSync'),
    isDone: ({ settings }) => settings.periodicSync === 'on',
  },
  {
    id: 'offline-fallback',
    title: 'Choose an offline page',
    description: 'It shows for pages that are not kept.',
    weight: 'share',
    action: setting('offlineFallbackPage'),
    isDone: ({ settings }) => settings.offlineFallbackPage !== '',
  },
  {
    id: 'push',
    title: 'Let visitors subscribe to notifications',
    description: 'By a prompt or a button.',
    weight: 'share',
    action: setting('pushButton'),
    isDone: ({ settings }) => settings.pushPrompt === 'on' || settings.pushButton === 'on',
  },
]

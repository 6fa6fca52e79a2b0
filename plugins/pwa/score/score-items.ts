import type { ResponseOf } from 'pentad'
import { z } from 'zod'
import type { PwaSettings } from '../settings.ts'

/** Input of the score. */
export interface Situation {
  readonly settings: PwaSettings
  /** URL of the site. */
  readonly url: string
  /** Whether all icons and splash screens exist. */
  readonly hasAssets: boolean
  /** Whether the selected app icon exists. */
  readonly hasAppIcon: boolean
}

export const actionShape = z.object({
  type: z.enum(['setting', 'link']),
  target: z.string().describe('Name of the setting, or a URL.'),
})

/** How to fix a missing item. */
type Action = ResponseOf<typeof actionShape>

/** An item of the score. */
export interface ScoreItem {
  readonly id: string
  readonly title: string
  readonly description: string
  /** Points of 100; `share`: an equal part of the remaining points. */
  readonly weight: number | 'share'
  readonly action: Action
  isDone(situation: Situation): boolean
}

const setting = (target: keyof PwaSettings): Action => ({ type: 'setting', target })

/** Browsers consider local sites secure (W3C Secure Contexts, 3.1). */
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/

/** All items, most important first. */
export const SCORE_ITEMS: readonly ScoreItem[] = [
  {
    id: 'https',
    title: 'Serve the site over HTTPS',
    description: 'Browsers require HTTPS to install an app and run its service worker.',
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
    title: 'Generate icons and splash screens',
    description: 'From the app icon, Pentad generates all sizes that devices need.',
    weight: 10,
    action: setting('appIcon'),
    isDone: ({ hasAssets }) => hasAssets,
  },
  {
    id: 'app-name',
    title: 'Set an app name',
    description: 'Shown in the install dialog.',
    weight: 10,
    action: setting('appName'),
    isDone: ({ settings }) => settings.appName !== '',
  },
  {
    id: 'short-name',
    title: 'Set a short name',
    description: 'Shown below the app icon, where longer names are truncated.',
    weight: 10,
    action: setting('shortName'),
    isDone: ({ settings }) => settings.shortName !== '',
  },
  {
    id: 'categories',
    title: 'Choose app categories',
    description: 'App stores use them to list the app.',
    weight: 10,
    action: setting('categories'),
    isDone: ({ settings }) => settings.categories.length > 0,
  },
  {
    id: 'install-prompts',
    title: 'Turn on install prompts',
    description: 'Few visitors find the install option in the browser menu.',
    weight: 'share',
    action: setting('installPrompts'),
    isDone: ({ settings }) => settings.installPrompts === 'on',
  },
  {
    id: 'install-overlay',
    title: 'Choose install prompt types',
    description: 'No install prompt is shown unless at least one type is selected.',
    weight: 'share',
    action: setting('installPromptKinds'),
    isDone: ({ settings }) => settings.installPromptKinds.length > 0,
  },
  {
    id: 'offline-cache',
    title: 'Turn on the offline cache',
    description: 'Visited pages load faster and are available offline.',
    weight: 'share',
    action: setting('offlineCache'),
    isDone: ({ settings }) => settings.offlineCache === 'on',
  },
  {
    id: 'background-sync',
    title: 'Turn on background sync',
    description: 'Forms submitted offline are sent when the connection is restored.',
    weight: 'share',
    action: setting('backgroundSync'),
    isDone: ({ settings }) => settings.backgroundSync === 'on',
  },
  {
    id: 'periodic-sync',
    title: 'Turn on periodic sync',
    description: 'The installed app opens with fresh content.',
    weight: 'share',
    action: setting('periodicSync'),
    isDone: ({ settings }) => settings.periodicSync === 'on',
  },
  {
    id: 'offline-fallback',
    title: 'Choose an offline page',
    description: 'Shown for pages that are not cached.',
    weight: 'share',
    action: setting('offlineFallbackPage'),
    isDone: ({ settings }) => settings.offlineFallbackPage !== '',
  },
  {
    id: 'push',
    title: 'Turn on push notifications',
    description: 'Visitors can subscribe through the notification prompt or the bell button.',
    weight: 'share',
    action: setting('pushButton'),
    isDone: ({ settings }) => settings.pushPrompt === 'on' || settings.pushButton === 'on',
  },
]

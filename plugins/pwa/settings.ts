import { line, toggle } from 'pentad'
import { z } from 'zod'
import { manifestSettings } from './manifest/settings.ts'
import { pushSettings } from './push/settings.ts'
import { optionalPath } from './settings-fields.ts'

/** Workbox's names. */
export const OFFLINE_STRATEGIES = [
  'NetworkFirst',
  'CacheFirst',
  'StaleWhileRevalidate',
  'NetworkOnly',
  'CacheOnly',
] as const

/** Install prompt types. */
export const INSTALL_PROMPT_KINDS = [
  'headerBanner',
  'snackbar',
  'launcher',
  'navigationMenu',
  'inFeed',
  'blogPopup',
  'checkout',
] as const

const offlineSettings = {
  offlineCache: toggle('on', 'Offline cache', 'Caches visited pages for offline use.', 'offline'),
  offlineCacheStrategy: z.enum(OFFLINE_STRATEGIES).default('NetworkFirst').meta({
    title: 'Cache strategy',
    description: 'Whether pages are loaded from the network or the cache first.',
    group: 'offline',
  }),
  offlineCacheExpiration: z.int().min(1).max(365).default(10).meta({
    title: 'Cache lifespan',
    description: 'Number of days for which a page is cached.',
    group: 'offline',
  }),
  offlineFallbackPage: optionalPath
    .default('')
    .meta({ title: 'Offline page', description: 'Shown for pages that are not cached.', group: 'offline' }),
  offlineExcludedPaths: z.array(line(200).min(1)).max(200).default([]).meta({
    title: 'Never cache URLs',
    description: 'Paths of pages that are never cached. Use * as a wildcard.',
    group: 'offline',
  }),
  offlineNotice: toggle('on', 'Offline notice', 'Notifies visitors when the connection is lost.', 'offline'),
  backgroundSync: toggle(
    'on',
    'Background sync',
    'Sends forms submitted offline when the connection is restored.',
    'offline',
  ),
  periodicSync: toggle('on', 'Periodic sync', 'Refreshes cached pages while the app is closed.', 'offline'),
}

const installSettings = {
  installPrompts: toggle('off', 'Install prompts', 'Asks visitors to install the app.', 'install'),
  installPromptKinds: z
    .array(z.enum(INSTALL_PROMPT_KINDS))
    .max(INSTALL_PROMPT_KINDS.length)
    .default(['headerBanner', 'snackbar'])
    .meta({ title: 'Install prompt types', description: 'Where install prompts are shown.', group: 'install' }),
  installPromptText: line()
    .default('')
    .meta({ title: 'Install prompt text', description: 'Leave empty for the default text.', group: 'install' }),
  installPromptDelaySeconds: z
    .int()
    .min(0)
    .max(3600)
    .default(2)
    .meta({ title: 'Install prompt delay', description: 'Number of seconds after the page loads.', group: 'install' }),
  installPromptSkipFirstVisit: toggle(
    'off',
    'Skip first visit',
    'Shows install prompts starting with the second visit.',
    'install',
  ),
}

/** UI features of the front-end script, in browsers that support them. */
const interfaceSettings = {
  shareButton: toggle('off', 'Share button', 'Adds a button that opens the share dialog of the device.', 'interface'),
  pullToRefresh: toggle(
    'off',
    'Pull to refresh',
    'Lets users of the installed app pull down to reload the page.',
    'interface',
  ),
  scrollProgress: toggle('off', 'Scroll progress', 'Shows a reading progress bar.', 'interface'),
  screenWakeLock: toggle(
    'off',
    'Screen wake lock',
    'Keeps the screen on while the installed app is open.',
    'interface',
  ),
  vibration: toggle('off', 'Vibration', 'Vibrates briefly on taps.', 'interface'),
  smoothTransitions: toggle('off', 'Smooth transitions', 'Fades between pages.', 'interface'),
}

const visitorSettings = {
  countryHeader: z
    .string()
    .trim()
    .toLowerCase()
    .max(100)
    .regex(/^[a-z0-9-]*$/, 'Enter a header name.')
    .default('')
    .meta({
      title: 'Country header',
      description: 'Header in which a trusted proxy sends the visitor’s country, such as cf-ipcountry.',
      group: 'analytics',
    }),
}

/** Settings of the PWA service: `PUT /pwa/v1/settings`. */
export const settingsSchema = z.object({
  ...manifestSettings,
  ...offlineSettings,
  ...installSettings,
  ...interfaceSettings,
  ...pushSettings,
  ...visitorSettings,
})

export type PwaSettings = z.output<typeof settingsSchema>

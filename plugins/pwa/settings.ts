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

/** Where an offer to install the app can show. */
export const INSTALL_PROMPT_KINDS = [
  'headerBanner',
  'snackbar',
  'navigationMenu',
  'inFeed',
  'blogPopup',
  'checkout',
] as const

const offlineSettings = {
  offlineCache: toggle('on', 'Offline cache', 'Keeps visited pages for when there is no network.', 'offline'),
  offlineCacheStrategy: z
    .enum(OFFLINE_STRATEGIES)
    .default('NetworkFirst')
    .meta({ title: 'Strategy', description: 'Whether network or cache is asked first.', group: 'offline' }),
  offlineCacheExpiration: z
    .int()
    .min(1)
    .max(365)
    .default(10)
    .meta({ title: 'Lifetime', description: 'Days that a page is kept.', group: 'offline' }),
  offlineFallbackPage: optionalPath
    .default('')
    .meta({ title: 'Offline page', description: 'Shows for pages that are not kept.', group: 'offline' }),
  offlineExcludedPaths: z
    .array(line(200).min(1))
    .max(200)
    .default([])
    .meta({ title: 'Never kept', description: 'Paths; * stands for anything.', group: 'offline' }),
  offlineNotice: toggle('on', 'Offline notice', 'Tells visitors when the network is gone.', 'offline'),
  backgroundSync: toggle('on', 'Background sync', 'Sends forms that were sent offline later.', 'offline'),
  periodicSync: toggle('on', 'Periodic sync', 'Refreshes kept pages while the app is closed.', 'offline'),
}

const installSettings = {
  installPrompts: toggle('on', 'Install prompts', 'Offers visitors to install the app.', 'install'),
  installPromptKinds: z
    .array(z.enum(INSTALL_PROMPT_KINDS))
    .max(INSTALL_PROMPT_KINDS.length)
    .default(['headerBanner', 'snackbar'])
    .meta({ title: 'Kinds of install prompts', description: 'Where they show.', group: 'install' }),
  installPromptText: line()
    .default('')
    .meta({ title: 'Text of install prompts', description: 'Empty for the usual one.', group: 'install' }),
  installPromptDelaySeconds: z
    .int()
    .min(0)
    .max(3600)
    .default(2)
    .meta({ title: 'Delay of install prompts', description: 'Seconds after the page opened.', group: 'install' }),
  installPromptSkipFirstVisit: toggle(
    'off',
    'Not at the first visit',
    'Install prompts wait for the second.',
    'install',
  ),
}

/** What the front-end script adds to pages; each works in browsers that can do it. */
const interfaceSettings = {
  shareButton: toggle('off', 'Share button', "Opens the device's own share dialogue.", 'interface'),
  pullToRefresh: toggle(
    'off',
    'Pull to refresh',
    'In the installed app, pulling down loads the page anew.',
    'interface',
  ),
  scrollProgress: toggle('off', 'Scroll progress', 'A bar that shows how far the page is read.', 'interface'),
  screenWakeLock: toggle('off', 'Screen stays on', 'While the installed app is open.', 'interface'),
  vibration: toggle('off', 'Vibration', 'A short one when something is tapped.', 'interface'),
  smoothTransitions: toggle('off', 'Smooth transitions', 'Pages fade into one another.', 'interface'),
}

const visitorSettings = {
  countryHeader: z
    .string()
    .trim()
    .toLowerCase()
    .max(100)
    .regex(/^[a-z0-9-]*$/, 'It must be the name of a header.')
    .default('')
    .meta({
      title: 'Country header',
      description: "Header in which a trusted proxy tells the visitor's country, such as cf-ipcountry.",
      group: 'analytics',
    }),
}

/** Settings of the PWA service (contract 4): `PUT /pwa/v1/settings`. */
export const settingsSchema = z.object({
  ...manifestSettings,
  ...offlineSettings,
  ...installSettings,
  ...interfaceSettings,
  ...pushSettings,
  ...visitorSettings,
})

export type PwaSettings = z.output<typeof settingsSchema>

import type { SeoSettings } from '../settings.ts'

/** What the checks look at. */
export interface Situation {
  readonly settings: SeoSettings
  /** Whether search engines may come at all. */
  readonly isPublic: boolean
  readonly site: { readonly title: string; readonly description: string; readonly hasLogo: boolean }
  /** Hits of the missing address that is asked for most. */
  readonly mostMissed: number
}

/** What to do about a check that fails: a setting of the service, or a screen. */
export interface Action {
  readonly type: 'setting' | 'screen'
  readonly target: string
}

interface Check {
  readonly id: string
  readonly title: string
  readonly description: string
  /** Points of 100. */
  readonly weight: number
  readonly action: Action
  isDone(situation: Situation): boolean
}

/** Hits from which a missing address is somebody's link, and no chance. */
const MISSED_OFTEN = 5

const setting = (target: keyof SeoSettings): Action => ({ type: 'setting', target })
const screen = (target: 'setup' | '404s' | 'site-settings'): Action => ({ type: 'screen', target })

/** Together 100 points, the heaviest first. */
export const CHECKS: readonly Check[] = [
  {
    id: 'visible',
    title: 'Let search engines in',
    description: 'The site asks all search engines to stay away.',
    weight: 25,
    action: screen('site-settings'),
    isDone: ({ isPublic }) => isPublic,
  },
  {
    id: 'site-title',
    title: 'Give the site a title and a tagline',
    description: 'They stand in the title of every page and describe the home page.',
    weight: 10,
    action: screen('site-settings'),
    isDone: ({ site }) => site.title.trim() !== '' && site.description.trim() !== '',
  },
  {
    id: 'setup',
    title: 'Finish the setup',
    description: 'A few questions, with answers that fit most sites.',
    weight: 10,
    action: screen('setup'),
    isDone: ({ settings }) => settings.setup.completedAt !== null,
  },
  {
    id: 'sitemap',
    title: 'Switch the sitemap on',
    description: 'Search engines find every page by it, and see what has changed.',
    weight: 10,
    action: setting('xmlSitemap'),
    isDone: ({ settings }) => settings.xmlSitemap === 'on',
  },
  {
    id: 'structured-data',
    title: 'Switch structured data on',
    description: 'Search results show more of a page that says what it is.',
    weight: 10,
    action: setting('schema'),
    isDone: ({ settings }) => settings.schema === 'on',
  },
  {
    id: 'missing-pages',
    title: 'Redirect addresses that are missing',
    description: `One was asked for at least ${MISSED_OFTEN} times and not found.`,
    weight: 10,
    action: screen('404s'),
    isDone: ({ mostMissed }) => mostMissed < MISSED_OFTEN,
  },
  {
    id: 'logo',
    title: 'Choose a logo',
    description: 'Search engines show it beside the name of the site.',
    weight: 5,
    action: setting('logo'),
    isDone: ({ settings, site }) => settings.logo !== 0 || site.hasLogo,
  },
  {
    id: 'social-image',
    title: 'Choose an image for sharing',
    description: 'Pages without an image of their own show it where they are shared.',
    weight: 5,
    action: setting('socialImage'),
    isDone: ({ settings }) => settings.socialImage !== 0,
  },
  {
    id: 'verification',
    title: 'Prove to a search engine that the site is yours',
    description: 'Its console then says how the site is found.',
    weight: 5,
    action: setting('googleVerification'),
    isDone: ({ settings }) => settings.googleVerification + settings.bingVerification !== '',
  },
  {
    id: 'llms-txt',
    title: 'Help assistants find their way',
    description: '/llms.txt names the pages that they should know.',
    weight: 5,
    action: setting('llmsTxt'),
    isDone: ({ settings }) => settings.llmsTxt === 'on',
  },
  {
    id: 'changed-slugs',
    title: 'Redirect pages whose address changes',
    description: 'Links to the old address go on working.',
    weight: 5,
    action: setting('autoRedirectSlugChange'),
    isDone: ({ settings }) => settings.redirects === 'on' && settings.autoRedirectSlugChange === 'on',
  },
]

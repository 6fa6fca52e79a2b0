import type { SeoSettings } from '../settings.ts'

/** Data for the checks. */
export interface Situation {
  readonly settings: SeoSettings
  /** Whether search engines are allowed to index the site. */
  readonly isPublic: boolean
  readonly site: { readonly title: string; readonly description: string; readonly hasLogo: boolean }
  /** Hits of the most requested missing URL. */
  readonly mostMissed: number
}

/** How to resolve a failed check: a setting of the service, or a screen. */
export interface Action {
  readonly type: 'setting' | 'screen'
  readonly target: string
}

interface Check {
  readonly id: string
  readonly title: string
  readonly description: string
  /** Points toward the score, out of 100. */
  readonly weight: number
  readonly action: Action
  isDone(situation: Situation): boolean
}

/** Number of hits from which a missing URL is likely a broken link. */
const MISSED_OFTEN = 5

const setting = (target: keyof SeoSettings): Action => ({ type: 'setting', target })
const screen = (target: 'setup' | '404s' | 'site-settings'): Action => ({ type: 'screen', target })

/** Together 100 points, heaviest first. */
export const CHECKS: readonly Check[] = [
  {
    id: 'visible',
    title: 'Allow search engines to index the site',
    description: 'The site currently asks search engines not to index it.',
    weight: 25,
    action: screen('site-settings'),
    isDone: ({ isPublic }) => isPublic,
  },
  {
    id: 'site-title',
    title: 'Set the site title and tagline',
    description:
      'The site title is part of every page title; the tagline is the default meta description of the homepage.',
    weight: 10,
    action: screen('site-settings'),
    isDone: ({ site }) => site.title.trim() !== '' && site.description.trim() !== '',
  },
  {
    id: 'setup',
    title: 'Complete the SEO setup',
    description: 'Answer a few questions; the defaults work for most sites.',
    weight: 10,
    action: screen('setup'),
    isDone: ({ settings }) => settings.setup.completedAt !== null,
  },
  {
    id: 'sitemap',
    title: 'Turn on the XML sitemap',
    description: 'Search engines use it to discover pages and changes.',
    weight: 10,
    action: setting('xmlSitemap'),
    isDone: ({ settings }) => settings.xmlSitemap === 'on',
  },
  {
    id: 'structured-data',
    title: 'Turn on structured data',
    description: 'It makes pages eligible for rich results.',
    weight: 10,
    action: setting('schema'),
    isDone: ({ settings }) => settings.schema === 'on',
  },
  {
    id: 'missing-pages',
    title: 'Redirect frequent 404 errors',
    description: 'Visitors often request at least one URL that does not exist.',
    weight: 10,
    action: screen('404s'),
    isDone: ({ mostMissed }) => mostMissed < MISSED_OFTEN,
  },
  {
    id: 'logo',
    title: 'Add a logo',
    description: 'Search engines can show it in knowledge panels.',
    weight: 5,
    action: setting('logo'),
    isDone: ({ settings, site }) => settings.logo !== 0 || site.hasLogo,
  },
  {
    id: 'social-image',
    title: 'Set a default social image',
    description: 'It is shown when a page without its own image is shared.',
    weight: 5,
    action: setting('socialImage'),
    isDone: ({ settings }) => settings.socialImage !== 0,
  },
  {
    id: 'verification',
    title: 'Verify the site with a search engine',
    description: 'Verification gives you access to Google Search Console or Bing Webmaster Tools.',
    weight: 5,
    action: setting('googleVerification'),
    isDone: ({ settings }) => settings.googleVerification + settings.bingVerification !== '',
  },
  {
    id: 'llms-txt',
    title: 'Publish llms.txt',
    description: 'It shows AI assistants which pages are most important.',
    weight: 5,
    action: setting('llmsTxt'),
    isDone: ({ settings }) => settings.llmsTxt === 'on',
  },
  {
    id: 'changed-slugs',
    title: 'Redirect changed slugs automatically',
    description: 'Links to the old URL keep working.',
    weight: 5,
    action: setting('autoRedirectSlugChange'),
    isDone: ({ settings }) => settings.redirects === 'on' && settings.autoRedirectSlugChange === 'on',
  },
]

import type { SeoSettings } from '../settings.ts'

/** One step of the wizard with the settings it asks for. */
export interface SetupStep {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly settings: readonly (keyof SeoSettings)[]
}

/** The steps of the wizard in order; skipping one leaves its settings unchanged. */
export const SETUP_STEPS: readonly SetupStep[] = [
  {
    id: 'identity',
    title: 'Site owner',
    description: 'Search engines can show the name, logo, and social profiles in knowledge panels.',
    settings: ['schemaType', 'organizationName', 'personName', 'logo', 'socialProfiles'],
  },
  {
    id: 'titles',
    title: 'Titles and meta',
    description: 'Default titles and descriptions in search results. You can override them for each post and page.',
    settings: ['titleSeparator', 'homeTitle', 'homeDescription', 'postTitleTemplate'],
  },
  {
    id: 'sharing',
    title: 'Social sharing',
    description: 'The default image for shared pages, and your X account.',
    settings: ['socialImage', 'xAccount'],
  },
  {
    id: 'visibility',
    title: 'Search engine indexing',
    description: 'Keep archives with duplicate content out of search results.',
    settings: ['noindexAuthors', 'noindexDates', 'xmlSitemap', 'breadcrumbs'],
  },
  {
    id: 'assistants',
    title: 'AI assistants and crawlers',
    description: 'Help AI assistants find your content, and choose whether AI companies may use it for training.',
    settings: ['llmsTxt', 'blockAiTraining', 'crawlerTracking', 'referralTracking'],
  },
  {
    id: 'engines',
    title: 'Site verification and IndexNow',
    description: 'Verify that you own the site, and notify search engines of changes immediately.',
    settings: ['googleVerification', 'bingVerification', 'indexNow'],
  },
]

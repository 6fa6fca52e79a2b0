import type { SeoSettings } from '../settings.ts'

/** One step of the wizard: what it asks for by the names of settings. */
export interface SetupStep {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly settings: readonly (keyof SeoSettings)[]
}

/** The steps of the wizard, in order; whoever skips one leaves its settings as they are. */
export const SETUP_STEPS: readonly SetupStep[] = [
  {
    id: 'identity',
    title: 'Whom the site stands for',
    description: 'Search engines show name, logo and profiles beside the site.',
    settings: ['schemaType', 'organizationName', 'personName', 'logo', 'socialProfiles'],
  },
  {
    id: 'titles',
    title: 'Titles in search results',
    description: 'How the home page and posts are announced; each of them can say it differently.',
    settings: ['titleSeparator', 'homeTitle', 'homeDescription', 'postTitleTemplate'],
  },
  {
    id: 'sharing',
    title: 'Where pages are shared',
    description: 'The image of pages that have none of their own, and the account on X.',
    settings: ['socialImage', 'xAccount'],
  },
  {
    id: 'visibility',
    title: 'What search engines keep',
    description: 'Archives that only repeat what stands elsewhere are better kept out.',
    settings: ['noindexAuthors', 'noindexDates', 'xmlSitemap', 'breadcrumbs'],
  },
  {
    id: 'assistants',
    title: 'Assistants and AI crawlers',
    description: 'Whether assistants find their way, and whether models may learn from the site.',
    settings: ['llmsTxt', 'blockAiTraining', 'crawlerTracking', 'referralTracking'],
  },
  {
    id: 'engines',
    title: 'Tell search engines',
    description: 'Codes that prove that the site is yours, and whether changes are announced at once.',
    settings: ['googleVerification', 'bingVerification', 'indexNow'],
  },
]

import type { SpeedSettings } from '../settings.ts'
import type { MetricId } from '../vitals/metrics.ts'

/** A setting that is off, and what visitors would gain by it. */
export interface SettingItem {
  readonly setting: keyof SpeedSettings
  readonly title: string
  readonly description: string
  /** What gets better by it. */
  readonly helps: readonly MetricId[]
}

/** What is worth switching on, where it is off. */
export const SETTING_ITEMS: readonly SettingItem[] = [
  {
    setting: 'inlineCriticalCss',
    title: 'Put critical CSS into pages',
    description: 'Pages wait for whole style sheets before anything shows.',
    helps: ['FCP', 'LCP'],
  },
  {
    setting: 'deferJs',
    title: 'Defer scripts',
    description: 'Scripts hold up pages while they are read.',
    helps: ['FCP', 'LCP', 'INP'],
  },
  {
    setting: 'lazyImages',
    title: 'Load images when they are needed',
    description: 'Images far down a page compete with those that visitors see first, and may move what is around them.',
    helps: ['LCP', 'CLS'],
  },
  {
    setting: 'imageFormats',
    title: 'Offer smaller images',
    description: 'Images are sent in their old formats only; WebP and AVIF are a good deal smaller.',
    helps: ['LCP'],
  },
  {
    setting: 'fontDisplaySwap',
    title: 'Show text before its font is there',
    description: 'Text stays invisible while its font loads.',
    helps: ['FCP', 'LCP'],
  },
  {
    setting: 'selfHostFonts',
    title: 'Serve fonts from this site',
    description: 'Fonts of other hosts need a connection of their own before text shows as it should.',
    helps: ['FCP', 'LCP'],
  },
  {
    setting: 'preload',
    title: 'Preload the cache',
    description: 'The first visitor of a page waits until it is rendered.',
    helps: ['TTFB'],
  },
  {
    setting: 'speculationRules',
    title: 'Let browsers prefetch',
    description: 'Browsers could have the next page ready before it is opened.',
    helps: ['TTFB', 'LCP'],
  },
  {
    setting: 'preloadLinks',
    title: 'Prefetch links',
    description: 'A page could be on its way as soon as a visitor points at its link.',
    helps: ['TTFB'],
  },
  {
    setting: 'minifyCss',
    title: 'Minify CSS',
    description: 'Style sheets hold comments and blanks that no browser needs.',
    helps: ['FCP'],
  },
  {
    setting: 'minifyJs',
    title: 'Minify JavaScript',
    description: 'Scripts are larger than they need to be.',
    helps: ['INP'],
  },
  {
    setting: 'minifyHtml',
    title: 'Minify HTML',
    description: 'Pages hold comments and blanks that no browser needs.',
    helps: ['TTFB'],
  },
  {
    setting: 'serviceWorker',
    title: 'Keep assets in the browser',
    description: 'Returning visitors ask for the same styles, scripts and images again.',
    helps: ['FCP', 'LCP'],
  },
]

import type { SpeedSettings } from '../settings.ts'
import type { MetricId } from '../vitals/metrics.ts'

/** A recommendation to turn on a setting. */
export interface SettingItem {
  readonly setting: keyof SpeedSettings
  readonly title: string
  readonly description: string
  /** Metrics that it improves. */
  readonly helps: readonly MetricId[]
}

/** Recommendations for settings that are off. */
export const SETTING_ITEMS: readonly SettingItem[] = [
  {
    setting: 'inlineCriticalCss',
    title: 'Turn on critical CSS',
    description: 'Stylesheets block rendering until they are loaded completely.',
    helps: ['FCP', 'LCP'],
  },
  {
    setting: 'deferJs',
    title: 'Defer JavaScript',
    description: 'Scripts block pages while they load.',
    helps: ['FCP', 'LCP', 'INP'],
  },
  {
    setting: 'lazyImages',
    title: 'Turn on lazy loading',
    description: 'Images below the fold compete with those that visitors see first, and may cause layout shifts.',
    helps: ['LCP', 'CLS'],
  },
  {
    setting: 'imageFormats',
    title: 'Serve images in modern formats',
    description: 'WebP and AVIF images are considerably smaller than JPEG and PNG.',
    helps: ['LCP'],
  },
  {
    setting: 'fontDisplaySwap',
    title: 'Turn on font display swap',
    description: 'Text stays invisible while its web font loads.',
    helps: ['FCP', 'LCP'],
  },
  {
    setting: 'selfHostFonts',
    title: 'Self-host fonts',
    description: 'Fonts from other hosts need an additional connection before text appears correctly.',
    helps: ['FCP', 'LCP'],
  },
  {
    setting: 'preload',
    title: 'Preload the cache',
    description: 'The first visitor to each page waits while the server renders it.',
    helps: ['TTFB'],
  },
  {
    setting: 'speculationRules',
    title: 'Turn on speculation rules',
    description: 'Browsers can prefetch the next page before it is opened.',
    helps: ['TTFB', 'LCP'],
  },
  {
    setting: 'preloadLinks',
    title: 'Prefetch links',
    description: 'Pages can load as soon as a visitor hovers over a link.',
    helps: ['TTFB'],
  },
  {
    setting: 'minifyCss',
    title: 'Minify CSS',
    description: 'Stylesheets contain unnecessary comments and whitespace.',
    helps: ['FCP'],
  },
  {
    setting: 'minifyJs',
    title: 'Minify JavaScript',
    description: 'Scripts contain unnecessary comments and whitespace.',
    helps: ['INP'],
  },
  {
    setting: 'minifyHtml',
    title: 'Minify HTML',
    description: 'Pages contain unnecessary comments and whitespace.',
    helps: ['TTFB'],
  },
  {
    setting: 'serviceWorker',
    title: 'Turn on the service worker',
    description: 'Returning visitors download the same styles, scripts, and images again.',
    helps: ['FCP', 'LCP'],
  },
]

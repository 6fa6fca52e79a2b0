import { existsSync } from 'node:fs'

/** Chromium with all that a browser is, without a window. */
export const CHROMIUM = '/usr/bin/chromium'

const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/**
 * Chromium's engine as Debian packs it for machines without a screen: the same pages, scripts and workers for a quarter
 * of the processor's time, without what surrounds a page, such as installing an app.
 */
export const CHROMIUM_ENGINE: string = existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : CHROMIUM

/**
 * Nothing calls home. V8 interprets most code and frees memory less often: a page of a test ends before compiled code pays off, so that tests
 * take up to a tenth less of the processor's time.
 */
export const CHROMIUM_FLAGS: readonly string[] = [
  ...['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  '--js-flags=--no-turbofan,--no-maglev,--min-semi-space-size=16',
]

import { existsSync } from 'node:fs'

/** Chromium with all that a browser is, without a window. */
export const CHROMIUM = '/usr/bin/chromium'

const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/**
 * Chromium's engine as Debian packs it for machines without a screen: the same pages, scripts and workers for a quarter
 * of the processor's time, without what surrounds a page, such as installing an app.
 */
export const CHROMIUM_ENGINE: string = existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : CHROMIUM

import { type Browser, firefox } from 'playwright-core'

/**
 * Debian's Firefox, driven by WebDriver BiDi.
 *
 * @param colorScheme - What its user prefers.
 */
export function launchFirefox(colorScheme: 'light' | 'dark'): Promise<Browser> {
  return firefox.launch({
    channel: 'moz-firefox',
    executablePath: '/usr/bin/firefox-esr',
    firefoxUserPrefs: {
      'layout.css.prefers-color-scheme.content-override': colorScheme === 'dark' ? 0 : 1,
      'ui.prefersReducedMotion': 1,
    },
  })
}

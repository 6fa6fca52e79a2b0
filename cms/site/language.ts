const RIGHT_TO_LEFT = /^(ar|arc|ckb|dv|fa|he|ks|ps|sd|ug|ur|yi)\b/

/** Of the setting that was asked for last: a page asks many times, and it hardly ever changes. */
let last = { setting: '', language: 'en' }

/** The site's language as BCP 47, from what the settings hold (`de_DE`, `en-US`); English if it is none. */
export function toLanguage(setting: string): string {
  if (setting !== last.setting) last = { setting, language: read(setting) }
  return last.language
}

function read(setting: string): string {
  try {
    // WordPress has languages such as `de_DE_formal`.
    const [language = 'en', country] = setting.replaceAll('-', '_').split('_')
    return Intl.getCanonicalLocales(country ? `${language}-${country}` : language)[0] ?? 'en'
  } catch {
    return 'en'
  }
}

/** Which way the language is written, for `<html dir>`. */
export function direction(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.test(language) ? 'rtl' : 'ltr'
}

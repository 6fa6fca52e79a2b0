const RIGHT_TO_LEFT = /^(ar|arc|ckb|dv|fa|he|ks|ps|sd|ug|ur|yi)\b/

/** Cache of the last setting: a page reads it many times, and it rarely changes. */
let last = { setting: '', language: 'en' }

/** The language of the site as BCP 47 tag, from the setting (`de_DE`, `en-US`); English if invalid. */
export function toLanguage(setting: string): string {
  if (setting !== last.setting) last = { setting, language: read(setting) }
  return last.language
}

function read(setting: string): string {
  try {
    // WordPress has locales such as `de_DE_formal`.
    const [language = 'en', country] = setting.replaceAll('-', '_').split('_')
    return Intl.getCanonicalLocales(country ? `${language}-${country}` : language)[0] ?? 'en'
  } catch {
    return 'en'
  }
}

/** The text direction of the language, for `<html dir>`. */
export function direction(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.test(language) ? 'rtl' : 'ltr'
}

import { toLanguage } from 'pentad'

/**
 * The part of the instructions about language and tone.
 * @param language a tag such as `de-AT`, or a name; empty for the site language
 * @param siteLanguage the language setting of the site
 */
export function voice(language: string, siteLanguage: string, tone: string): string {
  const wanted = language === '' ? toLanguage(siteLanguage) : language
  return `Write in ${languageName(wanted)}. The tone is ${tone === '' ? 'neutral and plain' : tone}.`
}

/** `German (de)`; anything that is not a language tag is used as is. */
function languageName(language: string): string {
  try {
    const tag = language.replaceAll('_', '-')
    const name = new Intl.DisplayNames(['en'], { type: 'language' }).of(tag)
    // `Intl` returns unknown tags unchanged: `latin`.
    return name === undefined || name.toLowerCase() === tag.toLowerCase() ? language : `${name} (${tag})`
  } catch {
    return language
  }
}

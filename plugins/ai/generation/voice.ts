import { toLanguage } from 'pentad'

/**
 * The part of the instructions that says how to write.
 * @param language a tag such as `de-AT`, or a name; empty for the site's
 * @param siteLanguage as the site's settings have it
 */
export function voice(language: string, siteLanguage: string, tone: string): string {
  const wanted = language === '' ? toLanguage(siteLanguage) : language
  return `Write in ${languageName(wanted)}. The tone is ${tone === '' ? 'neutral and plain' : tone}.`
}

/** `German (de)`; what is no tag is a name already. */
function languageName(language: string): string {
  try {
    const tag = language.replaceAll('_', '-')
    const name = new Intl.DisplayNames(['en'], { type: 'language' }).of(tag)
    // A tag that nobody knows is answered with itself: `latin`.
    return name === undefined || name.toLowerCase() === tag.toLowerCase() ? language : `${name} (${tag})`
  } catch {
    return language
  }
}

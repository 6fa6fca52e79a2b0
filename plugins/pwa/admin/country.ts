import { pageData } from 'pentad/admin/page-data.ts'

const names = new Intl.DisplayNames(pageData.locale.language, { type: 'region', fallback: 'code' })

/** `DE` → `Germany`, in the language of the admin. Invalid codes stay unchanged. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code
}

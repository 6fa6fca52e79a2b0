import { z } from 'zod'

/** All but line feeds and tabs. */
const CONTROL_CHARACTERS = /[\p{Cc}--[\n\t]]/gv

/** What a visitor wrote: plain text of several lines, not empty. */
export function visitorText(longest: number) {
  return z
    .string()
    .max(longest)
    .transform((text) => text.replaceAll('\r\n', '\n').replace(CONTROL_CHARACTERS, '').trim())
    .pipe(z.string().min(1))
}

export const pageUrlField = z.string().max(2000).default('').describe('Page of the site from which it is sent.')

/** The page of this site that a visitor says to be on, absolute and without a fragment; empty for any other. */
export function ownPage(pageUrl: string, siteUrl: string): string {
  const url = URL.parse(pageUrl, siteUrl)
  if (pageUrl === '' || url?.origin !== new URL(siteUrl).origin) return ''
  url.hash = ''
  return url.href
}

import { lines } from 'pentad'
import { z } from 'zod'

/** Input of a visitor that must not be empty. */
export const visitorText = (longest: number) => lines(longest).pipe(z.string().min(1))

export const pageUrlField = z.string().max(2000).default('').describe('Path of the page from which the form is sent.')

/** The page of this site that the form was sent from, absolute and without fragment; empty for any other URL. */
export function ownPage(pageUrl: string, siteUrl: string): string {
  const url = URL.parse(pageUrl, siteUrl)
  if (pageUrl === '' || url?.origin !== new URL(siteUrl).origin) return ''
  url.hash = ''
  return url.href
}

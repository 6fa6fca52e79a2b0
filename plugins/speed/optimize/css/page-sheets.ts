import type { IsFontSheet } from '../fonts/font-hosts.ts'
import type { HtmlDocument } from '../html/document.ts'
import type { PageWork } from '../transform.ts'
import type { ReadLocalSheet } from './local-sheets.ts'
import { readSheetFacts, type SheetFacts } from './sheet-facts.ts'

/** Maximum characters of a `<style>`: parsing more for a single page would block other requests. */
const LONGEST_STYLE = 30_000

/**
 * The combined facts of all style sheets of a page; `undefined` if one is too long or on another host. Font sheets are
 * ignored.
 */
export type ReadPageSheets = (document: HtmlDocument, work: PageWork) => Promise<SheetFacts | undefined>

export function createReadPageSheets(parts: { readSheet: ReadLocalSheet; isFontSheet: IsFontSheet }): ReadPageSheets {
  const { readSheet, isFontSheet } = parts
  return async (document, work) => {
    const facts: SheetFacts[] = []
    for (const element of document.allWithProtected('style', 'link')) {
      if (element.name === 'style') {
        const css = document.content(element)
        if (css.length > LONGEST_STYLE) return undefined
        facts.push(await readSheetFacts(css))
      }
      const relation = element.attributes.get('rel') ?? ''
      if (element.name !== 'link' || !/(?:^|\s)(?:stylesheet|preload)(?:\s|$)/i.test(relation)) continue
      if (/preload/i.test(relation) && element.attributes.get('as') !== 'style') continue
      const url = work.resolve(element.attributes.get('href') ?? '')
      if (!url || isFontSheet(url, work)) continue
      const sheet = await readSheet(url)
      if (!sheet) return undefined
      facts.push(await readSheetFacts(sheet.css))
    }
    return { placed: facts.flatMap(({ placed }) => placed), heights: facts.flatMap(({ heights }) => heights) }
  }
}

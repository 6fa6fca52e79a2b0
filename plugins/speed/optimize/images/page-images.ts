import type { HtmlDocument, HtmlElement } from '../html/document.ts'
import type { PageWork } from '../transform.ts'

/** Marks of other optimisers, which themes and extensions write on what must not become lazy. */
const SKIPPED = /(?:^|\s)(?:skip-lazy|no-lazy)(?:\s|$)/

/** Images (or frames) that browsers show and that nobody excluded, in the order of the page. */
export function shownElements(document: HtmlDocument, work: PageWork, ...names: ('img' | 'iframe')[]): HtmlElement[] {
  return document
    .all(...names)
    .filter(
      (element) =>
        !document.isIn(element, 'template', 'noscript', 'svg') &&
        !work.isExcluded(element.attributes.get('src') ?? '') &&
        !work.isExcluded(element.attributes.get('class') ?? ''),
    )
}

/** Whether its author says that it is loaded at once. */
export function isMarkedEager({ attributes }: HtmlElement): boolean {
  return (
    attributes.has('data-skip-lazy') || attributes.has('data-no-lazy') || SKIPPED.test(attributes.get('class') ?? '')
  )
}

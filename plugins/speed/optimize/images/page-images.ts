import type { HtmlDocument, HtmlElement } from '../html/document.ts'
import type { PageWork } from '../transform.ts'

/** Class names of other optimizers that exclude images from lazy loading. */
const SKIPPED = /(?:^|\s)(?:skip-lazy|no-lazy)(?:\s|$)/

/** Visible images (or frames) that are not excluded, in page order. */
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

/** Whether it is explicitly excluded from lazy loading. */
export function isMarkedEager({ attributes }: HtmlElement): boolean {
  return (
    attributes.has('data-skip-lazy') || attributes.has('data-no-lazy') || SKIPPED.test(attributes.get('class') ?? '')
  )
}

import type { HtmlDocument, HtmlElement } from '../html/document.ts'

/** Whether it links to a style sheet that is applied (not an alternate one). */
export function isSheetLink(element: HtmlElement): boolean {
  if (element.name !== 'link' || !element.attributes.get('href')) return false
  const relations = (element.attributes.get('rel') ?? '').toLowerCase()
  if (!relations.includes('stylesheet')) return false
  const all = relations.split(/\s+/)
  return all.includes('stylesheet') && !all.includes('alternate') && isCss(element)
}

/** Whether it is a closed `<style>` of the page with CSS. */
export function isStyle(document: HtmlDocument, element: HtmlElement): boolean {
  const isClosed = element.contentEnd < element.end
  return element.name === 'style' && isClosed && isCss(element) && !document.isIn(element, 'svg', 'math', 'template')
}

function isCss(element: HtmlElement): boolean {
  return ['', 'text/css'].includes((element.attributes.get('type') ?? '').trim().toLowerCase())
}

/** A page break, with the block editor's comments around it. */
const BREAK = /(?:<!--\s+wp:nextpage(?:\s+\{[^{}]*\})?\s+-->\s*)?<!--nextpage-->(?:\s*<!--\s+\/wp:nextpage\s+-->)?/g
/** Pages of one post. */
const MOST = 1000

/** The pages that an author divided a content into, `<!--nextpage-->`; WordPress's `generate_postdata`. */
export function pagesOfContent(content: string): string[] {
  if (!content.includes('<!--nextpage-->')) return [content]
  const [first = '', ...rest] = content.split(BREAK)
  // A break at the very start divides nothing.
  const pages = first.trim() === '' ? rest : [first, ...rest]
  return pages.length > MOST ? [...pages.slice(0, MOST - 1), pages.slice(MOST - 1).join('\n')] : pages
}
